import Foundation
import TestSupport

/// The README's list of what people do to streams, made from the table of pipelines.
enum PipelineList {
  private static let heading = "## Splitting and joining"

  /// `readme` with the script under its heading made from `table`; `nil` when it has none.
  static func update(_ readme: String, with table: CommandTable) -> String? {
    guard let section = readme.range(of: heading + "\n"),
      let start = readme.range(of: "```sh\n", range: section.upperBound..<readme.endIndex),
      let end = readme.range(of: "\n```\n", range: start.upperBound..<readme.endIndex)
    else { return nil }
    return readme[..<start.upperBound] + script(of: table) + readme[end.lowerBound...]
  }

  /// The rows as lines of a script: what a group of them shows, and each with the status that its
  /// last program exits with, where it is not 0.
  private static func script(of table: CommandTable) -> String {
    table.rows.map { row in
      let status = row.expected.status == 0 ? "" : "   # exits with \(row.expected.status)"
      let lines = row.comments + [row.command + status]
      return (row.comments.isEmpty ? "" : "\n") + lines.joined(separator: "\n")
    }.joined(separator: "\n").trimmingCharacters(in: .newlines)
  }
}
