import Core

/// The exit statuses as the manuals and the README tell them, made from one table.
package enum ExitStatuses {
  /// The list of a manual, in mdoc(7).
  package static var list: [String] {
    let items = ExitStatus.allCases.flatMap { status in
      let meaning = status.row.meaning
      let sentence = meaning.prefix(1).uppercased() + meaning.dropFirst() + "."
      return [".It \(status.rawValue)"]
        + ManPage.wrap(sentence.split(separator: " ").map(String.init))
    }
    return [".Bl -tag -width Ds -compact"] + items + [".El"]
  }

  /// `readme` with the rows of its table as the table has them; `nil` when it has no such table.
  package static func update(_ readme: String) -> String? {
    var lines = readme.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let head = lines.firstIndex(of: "| status | meaning | what a script does |"),
      let end = lines[head...].firstIndex(where: { !$0.hasPrefix("|") })
    else { return nil }
    let rows = ExitStatus.allCases.map { status in
      "| \(status.rawValue) | \(status.row.meaning) | \(status.row.action) |"
    }
    lines.replaceSubrange(head + 2..<end, with: rows)
    return lines.joined(separator: "\n")
  }
}

extension ExitStatus {
  /// Its meaning, and the right action of a script.
  fileprivate var row: (meaning: String, action: String) {
    switch self {
    case .completed: ("the response completed", "go on")
    case .negative:
      (
        "the result is \"no\": nothing selected (oresp-events -e), a check failed, a schema not met,"
          + " no code block (oresp-text -x), no text (oresp-text -o)",
        "branch"
      )
    case .usage: ("wrong usage; a local file that cannot be used", "fix the command")
    case .badInput:
      ("broken or empty input (empty gives 0 where oresp-events selects)", "fix the producer")
    case .refusedForGood:
      (
        "refused for good: HTTP 3xx, 4xx (but see 5), 501, 505; a used-up quota; a request above a limit; a certificate that"
          + " is not trusted; no API",
        "call a person"
      )
    case .temporary:
      (
        "temporary: HTTP 408, 409, 425, 429, other 5xx; no connection; a timeout; a response that was"
          + " cut, or failed at the server; a --done file in use",
        "try later"
      )
    case .incomplete:
      (
        "incomplete (token limit, content filter); the part that came is printed",
        "use it, or raise the limit"
      )
    case .refusal: ("the model refused", "give up")
    case .cancelled: ("cancelled", "ask again")
    }
  }
}
