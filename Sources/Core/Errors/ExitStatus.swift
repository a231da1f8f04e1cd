/// The exit status of a tool: how the response ended, or what went wrong. A new status is a case
/// and a row here; the manuals and the README are made from them.
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

  /// Its meaning, and the right action of a script.
  package var row: (meaning: String, action: String) {
    switch self {
    case .completed: ("the response completed, and the tool did its work", "go on")
    case .negative:
      (
        "the result is \"no\": no event selected (oresp-events -e), a check failed, a schema not"
          + " met, no code block (oresp-text -x), no text (oresp-text -o)",
        "branch"
      )
    case .usage:
      (
        "wrong usage; a local file cannot be read or written; an invalid file that an option names",
        "fix the command"
      )
    case .badInput:
      (
        "invalid input: a broken event, broken JSON, or no events at all",
        "fix the producer"
      )
    case .refusedForGood:
      (
        "refused for good: HTTP 3xx and 4xx (but see 5), 501 and 505; a used-up quota; a"
          + " certificate that is not trusted; an answer that does not come from an API",
        "call a person"
      )
    case .temporary:
      (
        "temporary: HTTP 408, 409, 425, 429, any other 5xx; no connection, a timeout; a response"
          + " that failed on the server; a stream that was cut; a --done file that another run holds",
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
