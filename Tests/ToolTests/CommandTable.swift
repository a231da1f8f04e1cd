import Foundation
import ProcessSupport
import Testing

@testable import Core
@testable import oresp_events
@testable import oresp_send
@testable import oresp_sse
@testable import oresp_text

/// A row of a table of command lines in `Tests/CommandLines`: a few lines of text, the first mark of
/// each telling what it is.
///
///     # what it shows
///     & NAME TEXT      a file; behind the command, what the file holds afterwards
///     $ COMMAND        tools with | between, words quoted as in a shell, NAME=VALUE before the name
///     < TEXT           a line of standard input; `<- TEXT` has no line end, `<@ NAME` is an input
///     > TEXT           a line of standard output; `>- TEXT` has no line end
///     ! TEXT           a line of standard error; an ellipsis at its end stands for any rest
///     = STATUS         where it is not 0
///
/// `$D` is the folder of the files. A table begins with inputs for all its rows: `@ NAME`, and their
/// lines.
struct CommandRow: CustomTestStringConvertible {
  var comments: [String] = []
  var files: [(name: String, text: String)] = []
  var command = ""
  var inputLines: [String] = []
  var expected = Outcome()

  /// What is known after a run.
  struct Outcome: Equatable {
    var output = ""
    var errors: [String] = []
    var status: Int32 = 0
    var files: [String] = []
  }

  var testDescription: String { command }
}

/// A table of command lines, as it stands in a file.
struct CommandTable {
  private(set) var inputs: [(name: String, lines: [String])] = []
  var rows: [CommandRow] = []

  init(_ text: String) {
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
  var text: String {
    let named = inputs.map { (["@ " + $0.name] + $0.lines).joined(separator: "\n") }
    return (named + rows.map(\.text)).joined(separator: "\n\n") + "\n"
  }

  /// What `row` has as its standard input.
  func input(of row: CommandRow) -> String {
    row.inputLines.map { line in
      guard line.hasPrefix("<@ ") else { return CommandRow.text(of: line) }
      let named = inputs.first { $0.name == line.dropFirst(3) }
      return (named?.lines ?? ["no input \(line)"]).map { $0 + "\n" }.joined()
    }.joined()
  }
}

extension CommandRow {
  init(_ lines: [String]) {
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
  static func text(of line: String) -> String {
    line.dropFirst().first == "-" ? String(line.dropFirst(3)) : line.dropFirst(2) + "\n"
  }

  /// The row as it is written.
  var text: String {
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

  /// Runs the stages one after another, each a function of its arguments, its environment and three
  /// streams. The status is that of the last.
  func run(input: String) throws -> Outcome {
    let folder = try TemporaryFolder()
    for file in files { _ = try folder.file(file.name, file.text + "\n") }
    var bytes = Array(input.utf8)
    var outcome = Outcome()
    for stage in Self.stages(of: command, folder: folder.path) {
      let run = try Self.run(stage, input: bytes, folder)
      bytes = run.output
      outcome.errors += Finished.lines(run.errors)
      outcome.status = run.status
    }
    outcome.output = String(decoding: bytes, as: UTF8.self)
    outcome.files = expected.files.map { expected in
      let name = String(expected.prefix { $0 != " " })
      let url = URL(fileURLWithPath: folder.path).appendingPathComponent(name)
      guard let held = try? String(contentsOf: url, encoding: .utf8) else { return name }
      return name + " " + held.replacingOccurrences(of: "\n", with: "\\n")
    }
    let hidden = { (text: String) in text.replacingOccurrences(of: folder.path, with: "$D") }
    outcome.output = hidden(outcome.output)
    outcome.errors = outcome.errors.map(hidden)
    return outcome
  }

  private static func run(
    _ stage: [String], input: [UInt8], _ folder: TemporaryFolder
  ) throws -> (output: [UInt8], errors: String, status: Int32) {
    let settings = stage.prefix { $0.contains("=") && !$0.hasPrefix("-") }
    let pairs = settings.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    let variables = Dictionary(
      uniqueKeysWithValues: pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") })
    let files = try ["in", "out", "err"].map { name in
      let path = try folder.file(".\(name)", name == "in" ? input : [])
      return try FileHandle(forUpdating: URL(fileURLWithPath: path))
    }
    let numbers = files.map(\.fileDescriptor)
    let streams = Streams(input: numbers[0], output: numbers[1], errors: numbers[2]) {
      variables[$0]
    }
    let words = stage.dropFirst(settings.count)
    let arguments = Array(words.dropFirst())
    let status: Int32 =
      switch words.first {
      case "oresp-sse": SSETool.command.run(arguments, on: streams)
      case "oresp-events": EventsTool.command.run(arguments, on: streams)
      case "oresp-text": TextTool.command.run(arguments, on: streams)
      case "oresp-send": SendTool.command.run(arguments, on: streams)
      default: 127
      }
    let made = try files.dropFirst().map { file in
      try file.seek(toOffset: 0)
      return Array(try file.readToEnd() ?? Data())
    }
    return (made[0], String(decoding: made[1], as: UTF8.self), status)
  }

  /// The words of each stage, quoted by ' or " or a backslash.
  static func stages(of command: String, folder: String) -> [[String]] {
    var stages: [[String]] = [[]]
    var (word, hasWord): (String, Bool) = ("", false)
    var quote: Character?
    var rest = command[...]
    func end() {
      if hasWord { stages[stages.count - 1].append(word) }
      (word, hasWord) = ("", false)
    }
    while let letter = rest.popFirst() {
      switch letter {
      case quote: quote = nil
      case "'" where quote == nil, "\"" where quote == nil: (quote, hasWord) = (letter, true)
      case "\\" where quote != "'":
        (word, hasWord) = (word + (rest.popFirst().map { String($0) } ?? ""), true)
      case "$" where quote != "'" && rest.first == "D":
        rest.removeFirst()
        (word, hasWord) = (word + folder, true)
      case " " where quote == nil: end()
      case "|" where quote == nil:
        end()
        stages.append([])
      default: (word, hasWord) = (word + String(letter), true)
      }
    }
    end()
    return stages
  }
}
