import Foundation
import ProcessSupport
import TestSupport
import Testing

/// Ways to split a stream, filter it and join it again, from files and live, each on streams of
/// many kinds: the table `Tests/CommandLines/joins.txt`. `RECORD=1` writes what they come to.
///
/// In a row, `s` is a stream of `streams`, which `setup` makes. For each there is a mark: `=` where
/// the same bytes came out, `~` where the same lines did, `!` for others; behind it the exit
/// status, where it is not the stream's own. Lines of several tags that arrive live may come in any
/// order, and so in the same one.
@Suite(.waiting) struct JoinTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "CommandLines/joins.txt")

  @Test func `what was split comes out whole, or a status says why not`() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    var table = CommandTable(text)
    #expect(table.text == text, "the table is not in the form in which it is written")
    let streams = try Self.streams(of: table)
    for index in table.rows.indices {
      let row = table.rows[index]
      let runs = try streams.map { try Run(row.command, $0) }
      let marks = try runs.map { try $0.mark() }
      #expect(!marks.contains("!"), "\(row.command): lines came or went, and nothing says so")
      var outcome = CommandRow.Outcome()
      let known = row.expected.output.split(whereSeparator: \.isWhitespace)
      let shown = marks.enumerated().map { index, mark in
        mark == "=" && index < known.count && known[index] == "~" ? "~" : mark
      }
      outcome.output = shown.joined(separator: " ") + "\n"
      if ProcessInfo.processInfo.environment["RECORD"] == "1" {
        table.rows[index].expected = outcome
      } else {
        #expect(outcome == row.expected, "\(row.command)\ncame to\n\(outcome.output)")
      }
    }
    if table.text != text { try Data(table.text.utf8).write(to: Self.file) }
  }

  private struct Stream {
    let bytes: Data
    /// Its verdict.
    let status: Int32
  }

  /// The streams that the script `setup` of `table` makes.
  private static func streams(of table: CommandTable) throws -> [Stream] {
    let folder = try TemporaryFolder()
    for input in table.inputs {
      _ = try folder.file(input.name, input.lines.map { $0 + "\n" }.joined())
    }
    let setup = try ToolProcess("bash", ["-c", "cd '\(folder.path)' && . ./setup"]).finish()
    try #require(setup.outcome == .exited(0), "\(setup.errors)")
    let names = table.inputs.first { $0.name == "streams" }?.lines.first ?? ""
    return try names.split(separator: " ").map { name in
      let path = folder.path + "/" + name
      let status = try ToolProcess("oresp-events", ["-qc", path]).finish().status
      return Stream(bytes: try Data(contentsOf: URL(filePath: path)), status: status)
    }
  }

  /// A way that is tried on a stream.
  private struct Run {
    private let stream: Stream
    private let folder: TemporaryFolder
    private let process: ToolProcess

    init(_ command: String, _ stream: Stream) throws {
      (self.stream, folder) = (stream, try TemporaryFolder())
      _ = try folder.file("s", stream.bytes)
      // What goes into a file is not marked as told.
      let start = "cd '\(folder.path)' && exec >.joined\n"
      process = try ToolProcess("bash", ["-c", start + command])
    }

    func mark() throws -> String {
      let run = process.finish()
      let lines = { (bytes: Data) in bytes.split(separator: 10).map { Array($0) } }
      let made = try Data(contentsOf: URL(filePath: folder.path + "/.joined"))
      let order = { (left: [UInt8], right: [UInt8]) in left.lexicographicallyPrecedes(right) }
      let hasSame = lines(made).sorted(by: order) == lines(stream.bytes).sorted(by: order)
      let status = run.status == stream.status ? "" : "\(run.status)"
      return (made == stream.bytes ? "=" : hasSame ? "~" : "!") + status
    }
  }
}
