import Core

extension SendSettings {
  static var retryOptions: [Option<Self>] {
    [
      .value(
        "retry", nil, "N", help: "Retry up to N times (default 2).",
        detail: """
          Only temporary failures before the first byte of the answer are retried. See `Sx RETRIES`.
          """
      ) { settings, text throws(Failure) in
        guard let count = Int(text), 0...1000 ~= count else {
          throw .usage("expected a number from 0 to 1000, got \(text)")
        }
        settings.retry.count = count
      }
    ]
  }
}
