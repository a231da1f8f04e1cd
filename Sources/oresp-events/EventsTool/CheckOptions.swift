package import Core

extension EventsTool {
  static var checkOptions: [Option<Settings>] {
    [
      .optionalValue(
        "check", "LEVEL",
        .oneOf(["default", "strict", "openresponses", "json", "strict,json", "openresponses,json"]),
        help: "Check the events and their order; print a report.",
        detail: """
          `LEVEL` is `default`, `strict` or `openresponses` (the rules of the neutral
          standard).
          Add `json` for a report in JSON, as in `--check=strict,json`.
          See `Sx CHECKING`.
          """
      ) { settings, words throws(Failure) in
        try settings.make(.check, true)
        settings.check = try CheckSettings(words ?? "default")
      }
    ]
  }

  package static func checkPipe(
    _ settings: CheckSettings, _ reading: EventReader.Settings = .init()
  ) -> EventPipe<CheckFilter> {
    var reading = reading
    reading.keepsNames = true
    reading.keepsMarks = settings.level == .openResponses
    return EventPipe(CheckFilter(settings), reading: reading, needing: .objects, needsMeaning: true)
  }
}
