package import Core

extension EventsTool {
  static var checkOptions: [Option<Settings>] {
    [
      .optionalValue(
        "check", "LEVEL",
        .oneOf(["default", "strict", "openresponses", "json", "strict,json", "openresponses,json"]),
        help: "Report what is wrong instead of printing events.",
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

  static func check(_ settings: Settings, _ job: Job) throws(Failure) -> ExitStatus {
    return try job.pump(checkPipe(settings.check, job.reading))
  }

  package static func checkPipe(
    _ settings: CheckSettings, _ reading: EventReader.Settings = .init()
  ) -> EventPipe<CheckFilter> {
    var reading = reading
    reading.keepsNames = true
    reading.keepsMarks = settings.level == .openResponses
    return EventPipe(CheckFilter(settings), reading: reading, needing: .objects)
  }
}

/// What `--check` is asked for.
package struct CheckSettings: Sendable {
  package enum Level: Sendable {
    case `default`
    /// What a careful reader gets over is found too.
    case strict
    /// What is found is what breaks a rule of the neutral standard.
    case openResponses
  }

  package var level = Level.default
  /// Whether the report is for machines.
  package var isJSON = false

  package init() {}

  /// Reads `words`, a list with commas between.
  package init(_ words: String) throws(Failure) {
    for word in words.split(separator: ",", omittingEmptySubsequences: false) {
      switch word {
      case "default": level = .default
      case "strict": level = .strict
      case "openresponses": level = .openResponses
      case "json": isJSON = true
      default: throw .usage("expected default, strict, openresponses or json, got \(word)")
      }
    }
  }
}
