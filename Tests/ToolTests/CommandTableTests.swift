import Core
import Foundation
import TestSupport
import Testing

/// The command lines of all tools in `Tests/CommandLines`, run without a process. `RECORD=1` writes
/// what they come to.
@Suite struct CommandTableTests {
  @Test(arguments: [
    "oresp-sse", "oresp-events", "oresp-text", "oresp-send", "bodies", "chat-answers",
    "chat-requests", "endpoints", "errors", "help", "batch", "inputs", "refusals", "responses",
    "servers",
  ])
  func `a command line does what its table says`(name: String) throws {
    let file = Repository.root.appending(path: "Tests/CommandLines/\(name).txt")
    let text = try String(contentsOf: file, encoding: .utf8)
    var table = CommandTable(text)
    #expect(table.text == text, "the table is not in the form in which it is written")
    for index in table.rows.indices {
      let row = table.rows[index]
      let outcome = try row.run(input: table.input(of: row))
      if ProcessInfo.processInfo.environment["RECORD"] == "1" {
        if !outcome.meets(row.expected) { table.rows[index].expected = outcome }
      } else {
        #expect(outcome.meets(row.expected), "\(row.text)\ncame to\n\(outcome)")
      }
    }
    if table.text != text { try Data(table.text.utf8).write(to: file) }
  }
}
