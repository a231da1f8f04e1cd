import Core

/// The value of `--rehearse`: a made-up answer, or a recording.
struct Rehearsal: Sendable {
  /// The end or the content of a made-up answer.
  enum Outcome: String, CaseIterable, Sendable {
    case completed, failed, incomplete, refusal, cancelled, cut, error, call, json
    case http401 = "http-401"
    case http429 = "http-429"
    case http500 = "http-500"
    case slow
  }

  /// The environment variable that makes every run a rehearsal.
  static let variable = "ORESP_REHEARSE"
  /// The model of a request that names none.
  static let model = "rehearsal"
  static let names = Outcome.allCases.map(\.rawValue).joined(separator: ", ")

  private(set) var outcome = Outcome.completed
  /// The file that is played in place of a made-up answer.
  private(set) var recording: String?

  /// Reads `OUTCOME` or `@FILE`; `nil` is a completed answer.
  init(_ text: String?) throws(Failure) {
    guard let text else { return }
    if text.hasPrefix("@"), text != "@" {
      recording = String(text.dropFirst())
    } else if let outcome = Outcome(rawValue: text) {
      self.outcome = outcome
    } else {
      throw .usage("expected one of \(Self.names), or @FILE, got \(text)")
    }
  }
}
