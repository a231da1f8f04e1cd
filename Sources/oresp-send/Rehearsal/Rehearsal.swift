import Core

/// What plays the server: answers that are made, or a recording.
struct Rehearsal: Sendable {
  /// How a made answer ends, or what is in it.
  enum Outcome: String, CaseIterable, Sendable {
    case completed, failed, incomplete, refusal, cut, error, call, json, image
    case http401 = "http-401"
    case http429 = "http-429"
    case http500 = "http-500"
    case slow
  }

  /// The variable that has every run rehearse.
  static let variable = "ORESP_REHEARSE"

  var outcome = Outcome.completed
  /// The file that is played in place of a made answer.
  var recording: String?
  /// Whether the environment asks for it, which changes nothing but who answers.
  var isFromEnvironment = false

  /// Reads `OUTCOME` or `@FILE`; nothing is a completed answer.
  init(_ text: String?) throws(Failure) {
    let text = text ?? Outcome.completed.rawValue
    if text.hasPrefix("@"), text != "@" {
      recording = String(text.dropFirst())
    } else if let known = Outcome(rawValue: text) {
      outcome = known
    } else {
      throw .usage("expected one of \(Self.names), or @FILE, got \(text)")
    }
  }

  static let names = Outcome.allCases.map(\.rawValue).joined(separator: ", ")

  /// Whether and when a failed attempt is made again. What asks for a long wait is told at once.
  func policy(_ settings: RetrySettings) -> RetryPolicy {
    recording == nil && outcome == .http429 ? .never : RetryPolicy(settings)
  }
}
