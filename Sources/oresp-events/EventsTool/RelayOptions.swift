import Core

/// The settings of `--status`, `--pace` and `--merge`.
package struct RelaySettings: Sendable {
  /// The form of `--status`; empty without a form, `nil` without `--status`.
  package var status: String?
  package var speed: Double?
  package var merges = false

  package init() {}

  /// The option that needs events in the output; `nil` without one.
  var option: String? {
    if merges { return "--merge" }
    if speed != nil { return "--pace" }
    return status == nil ? nil : "--status"
  }
}

extension EventsTool {
  static var relayOptions: [Option<Settings>] {
    [
      .optionalValue(
        "status", "FORM", .oneOf(["plain", "json"]),
        help: "Show the progress on standard error.",
        detail: """
          On a terminal, one line is redrawn.
          Elsewhere, and with `plain`, each state has a line of its own.
          With `json`, and in any form with `--notices=json`, each state is a notice of the
          type `oresp.status`.
          See `Sx STATUS`.
          """
      ) { settings, form throws(Failure) in
        guard ["plain", "json", nil].contains(form) else {
          throw .usage("expected plain or json, got \(form ?? "")")
        }
        settings.relay.status = form ?? ""
      },
      .optionalValue(
        "pace", "X", help: "Replay with the recorded timing, X times as fast.",
        detail: """
          `X` is 1 if it is left out.
          The times are the stamps of `oresp-sse --stamp`.
          An event without one is printed at once; if no event has one, the status is 3.
          Events that are not selected take their time, too.
          There is no pause between two files.
          """
      ) { settings, speed throws(Failure) in
        guard let value = Pacer.speed(speed ?? "1") else {
          throw .usage("expected a number above 0, got \(speed ?? "")")
        }
        settings.relay.speed = value
      },
      .flag(
        "merge", nil, help: "Join FILEs that are parts of one stream.",
        detail: """
          See `Sx MERGING`.
          """, at: \.relay.merges),
    ]
  }
}
