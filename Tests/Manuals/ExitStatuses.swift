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
