import Core

/// How often and how long a request is made again.
package struct RetrySettings: Sendable {
  /// How often at most.
  package var count = 2
  /// The wait before each, where the server asks for none; `nil` is one that doubles.
  package var delayMilliseconds: Int?
  /// After how long no further one is made; 0 is no limit.
  package var longestMilliseconds = 0
}

extension SendTool {
  static var retryOptions: [Option<Settings>] {
    [
      .value(
        "retry", nil, "N", help: "Retry up to N times where that may help (2).",
        detail: "The section\n.Sx RETRIES\nhas the rules."
      ) { settings, text throws(Failure) in
        guard let count = Int(text), 0...1000 ~= count else {
          throw .usage("expected a number from 0 to 1000, got \(text)")
        }
        settings.retry.count = count
      },
      .value(
        "retry-delay", nil, "SECONDS",
        help: "Wait SECONDS before each retry, unless the server names a delay.",
        detail: "0, the default, is half a second that doubles with each retry."
      ) { settings, text throws(Failure) in
        let time = try milliseconds(text)
        settings.retry.delayMilliseconds = time > 0 ? time : nil
      },
      .value(
        "retry-max-time", nil, "SECONDS",
        help: "Begin no retry after SECONDS (default 0: no limit)."
      ) { settings, text throws(Failure) in
        settings.retry.longestMilliseconds = try milliseconds(text)
      },
    ]
  }
}
