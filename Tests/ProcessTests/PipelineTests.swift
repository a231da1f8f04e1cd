import Foundation
import ProcessSupport
import TestSupport
import Testing

/// What people do to streams with the programs of their system, and what comes of answers of Chat
/// Completions: tables in `Tests/CommandLines`, run by bash with the built tools. `RECORD=1` writes
/// what the lines come to.
@Suite(.waiting) struct PipelineTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "CommandLines")

  @Test(arguments: ["pipelines", "chat"])
  func `a pipeline does what its table says`(name: String) throws {
    let file = Self.folder.appending(path: name + ".txt")
    let text = try String(contentsOf: file, encoding: .utf8)
    var table = CommandTable(text)
    #expect(table.text == text, "the table is not in the form in which it is written")
    let inputs = try Self.inputs(of: table)
    for index in table.rows.indices {
      let row = table.rows[index]
      let outcome = try Self.run(row, in: inputs)
      if ProcessInfo.processInfo.environment["RECORD"] == "1" {
        if !outcome.meets(row.expected) { table.rows[index].expected = outcome }
      } else {
        #expect(outcome.meets(row.expected), "\(row.text)\ncame to\n\(outcome)")
      }
    }
    if table.text != text { try Data(table.text.utf8).write(to: file) }
  }

  @Test func `a filter reads Chat Completions as it reads the events that they become`() throws {
    let file = Self.folder.appending(path: "chat.txt")
    let table = CommandTable(try String(contentsOf: file, encoding: .utf8))
    let inputs = try Self.inputs(of: table)
    let first = #/oresp-sse(?: -q| --from=chat)*((?: [\w.$]+)*) \| (?=oresp-(?:text|events))/#
    var count = 0
    for var row in table.rows {
      let former = row.command
      guard former.matches(of: #/oresp-sse/#).count == 1 else { continue }
      row.command = former.replacing(first) { "cat\($0.1) | " }
      guard row.command != former else { continue }
      count += 1
      let outcome = try Self.run(row, in: inputs)
      let isSame =
        outcome.output == row.expected.output && outcome.status == row.expected.status
      #expect(isSame, "\(row.text)\ncame to\n\(outcome)")
    }
    #expect(count > 50)
  }

  /// A folder that holds the inputs of `table`, each as a file, and what its script `setup` makes.
  private static func inputs(of table: CommandTable) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for input in table.inputs {
      _ = try folder.file(input.name, input.lines.map { $0 + "\n" }.joined())
    }
    let setup = try ToolProcess("bash", ["-c", "cd '\(folder.path)' && . ./setup"]).finish()
    try #require(setup.outcome == .exited(0), "\(setup.errors)")
    return folder
  }

  /// Runs `row` in a copy of the folder `inputs`. As the stages of a pipeline run side by side,
  /// what they tell is sorted.
  private static func run(
    _ row: CommandRow, in inputs: TemporaryFolder
  ) throws -> CommandRow.Outcome {
    let folder = try TemporaryFolder()
    let start = "cp '\(inputs.path)'/* '\(folder.path)' && cd '\(folder.path)'\n"
    // GNU parallel makes a folder of its own at home.
    let run = try ToolProcess(
      "bash", ["-c", start + row.command], environment: ["HOME": folder.path]
    ).finish()
    var outcome = CommandRow.Outcome()
    outcome.output = Finished.hidingTimes(run.text)
    outcome.errors = Finished.lines(run.errors).sorted()
    if case .exited(let status) = run.outcome {
      outcome.status = status
    } else {
      outcome.status = -1
    }
    return outcome
  }
}
