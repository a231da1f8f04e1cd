/// What a tool exits with: how the response ended, or what went wrong. A new status is a case and a
/// row here; the manuals and the README are made from them.
package enum ExitStatus: Int32, CaseIterable, Comparable, Sendable {
  case completed = 0
  case negative = 1
  case usage = 2
  case badInput = 3
  case refusedForGood = 4
  case temporary = 5
  case incomplete = 6
  case refusal = 7
  case cancelled = 8

  /// What it means, and what a script does about it.
  package var row: (meaning: String, action: String) {
    switch self {
    case .completed: ("the response completed, and the tool did its work", "go on")
    case .negative:
      (
        "the result is \"no\": nothing selected (-e), a check failed, a schema not met, no text for -o",
        "branch"
      )
    case .usage:
      (
        "wrong usage; a local file cannot be read or written; an invalid file that an option names",
        "fix the command"
      )
    case .badInput:
      (
        "invalid input: a broken event or broken JSON, or no events at all, as after a failed stage",
        "fix the producer"
      )
    case .refusedForGood:
      (
        "refused for good: HTTP 400, 401, 403, 404, 413, 422, 501, 505; a used-up quota; a"
          + " certificate that is not trusted; an answer that does not come from an API",
        "call a person"
      )
    case .temporary:
      (
        "temporary: HTTP 408, 409, 425, 429, other 5xx; no connection, a timeout; a response"
          + " that failed on the server; a stream that was cut; a file that another run holds",
        "try later"
      )
    case .incomplete:
      (
        "the response is incomplete (token limit, content filter); the part that came was printed",
        "raise the limit, or use the part"
      )
    case .refusal: ("the model refused", "do not try again")
    case .cancelled: ("cancelled", "ask again, if you still want it")
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
