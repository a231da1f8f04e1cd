import Core

/// What answers in place of a server: made-up answers, or a recording.
struct Rehearsal: Sendable {
  /// How a made-up answer ends, or what it holds.
  enum Outcome: String, CaseIterable, Sendable {
    case completed, failed, incomplete, refusal, cancelled, cut, error, call, json, image
    case http401 = "http-401"
    case http429 = "http-429"
    case http500 = "http-500"
    case slow
  }

  /// The environment variable that makes every run a rehearsal.
  static let variable = "ORESP_REHEARSE"
  /// The model that a request has where none is named.
  static let model = "rehearsal"

  var outcome = Outcome.completed
  /// The file that is played in place of a made-up answer.
  var recording: String?

  /// Reads `OUTCOME` or `@FILE`; `nil` is a completed answer.
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
}
