import Foundation

/// A row of a table of command lines in `Tests/CommandLines`: a few lines of text, the first mark
/// of each telling what it is.
///
///     # what it shows
///     & NAME TEXT      a file; behind the command, what the file holds afterwards
///     $ COMMAND        tools with | between, words quoted as in a shell, NAME=VALUE in front
///     < TEXT           a line of standard input; `<- TEXT` has no line end, `<@ NAME` is an input
///     > TEXT           a line of standard output; `>- TEXT` has no line end
///     ! TEXT           a line of standard error; an ellipsis at its end stands for any rest
///     = STATUS         where it is not 0
///
/// `$D` is the folder of the files. A table begins with inputs for all its rows: `@ NAME`, and
/// their lines.
package struct CommandRow {
  package var comments: [String] = []
  package var files: [(name: String, text: String)] = []
  package var command = ""
  package var inputLines: [String] = []
  package var expected = Outcome()

  /// What is known after a run.
  package struct Outcome: Equatable {
    package var output = ""
    package var errors: [String] = []
    package var status: Int32 = 0
    package var files: [String] = []

    package init() {}

    /// Whether it is what a row tells, whose lines of standard error may leave off in an ellipsis.
    package func meets(_ expected: Self) -> Bool {
      output == expected.output && status == expected.status && files == expected.files
        && errors.count == expected.errors.count
        && zip(errors, expected.errors).allSatisfy { told, wanted in
          wanted.hasSuffix("…") ? told.hasPrefix(wanted.dropLast()) : told == wanted
        }
    }
  }

}

/// A table of command lines, as it stands in a file.
package struct CommandTable {
  package private(set) var inputs: [(name: String, lines: [String])] = []
  package var rows: [CommandRow] = []

  package init(_ text: String) {
    for block in text.components(separatedBy: "\n\n") {
      let lines = block.split(separator: "\n").map(String.init)
      if let first = lines.first, first.hasPrefix("@ ") {
        inputs.append((String(first.dropFirst(2)), Array(lines.dropFirst())))
      } else if !lines.isEmpty {
        rows.append(CommandRow(lines))
      }
    }
  }

  /// The table as it is written.
  package var text: String {
    let named = inputs.map { (["@ " + $0.name] + $0.lines).joined(separator: "\n") }
    return (named + rows.map(\.text)).joined(separator: "\n\n") + "\n"
  }

  /// What `row` has as its standard input.
  package func input(of row: CommandRow) -> String {
    row.inputLines.map { line in
      guard line.hasPrefix("<@ ") else { return CommandRow.text(of: line) }
      let named = inputs.first { $0.name == line.dropFirst(3) }
      return (named?.lines ?? ["no input \(line)"]).map { $0 + "\n" }.joined()
    }.joined()
  }
}

extension CommandRow {
  package init(_ lines: [String]) {
    for line in lines {
      let rest = String(line.dropFirst(2))
      switch line.first {
      case "#": comments.append(line)
      case "&" where command.isEmpty:
        let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
        files.append((parts[0], parts.count > 1 ? parts[1] : ""))
      case "&": expected.files.append(rest)
      case "$": command = rest
      case "<": inputLines.append(line)
      case ">": expected.output += Self.text(of: line)
      case "!": expected.errors.append(rest)
      case "=": expected.status = Int32(rest) ?? -1
      default: comments.append("# not understood: \(line)")
      }
    }
  }

  /// What a line behind its mark stands for: `<- a` is `a`, and `< a` has a line end.
  package static func text(of line: String) -> String {
    line.dropFirst().first == "-" ? String(line.dropFirst(3)) : line.dropFirst(2) + "\n"
  }

  /// The row as it is written.
  package var text: String {
    var lines = comments + files.map { "& \($0.name) \($0.text)" } + ["$ " + command] + inputLines
    lines += expected.output.split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast(expected.output.hasSuffix("\n") || expected.output.isEmpty ? 1 : 0)
      .map { $0.isEmpty ? ">" : "> \($0)" }
    if !expected.output.isEmpty, !expected.output.hasSuffix("\n") {
      lines.append(">-" + lines.removeLast().dropFirst())
    }
    lines += expected.errors.map { "! " + $0 } + expected.files.map { "& " + $0 }
    return (lines + (expected.status == 0 ? [] : ["= \(expected.status)"])).joined(separator: "\n")
  }
}
