import ProcessSupport
import Testing

/// What `oresp-events` tells on stderr, and of the files that its options name.
@Suite struct EventsFileTests {
  @Test func `notices as JSON have no text between them, however the status is shown`() throws {
    let stream = """
      {"type":"response.created","response":{}}
      {"type":"response.output_item.done","item":{"type":"web_search_call","action":{"query":"\\u001b[2J\\u009b"}}}
      {"type":"response.completed","response":{"usage":{"total_tokens":7}}}
      """
    for notices in ["json", "text"] {
      let arguments = ["--status=plain", "--notices=\(notices)", "-v"]
      let run = try ToolProcess.run("oresp-events", arguments, input: .text(stream))
      let lines = run.errors.split(separator: "\n")
      #expect(lines.count > 1)
      let start = notices == "json" ? #"{"type":"oresp."# : "oresp-events: "
      #expect(lines.allSatisfy { $0.hasPrefix(start) }, "\(run.errors)")
      #expect(!run.errors.unicodeScalars.contains { ["\u{1B}", "\u{9B}"].contains($0) })
    }
  }

  @Test(arguments: [
    (["--cost", "--prices"], "{\n \"m\": {\"input\":}}"), (["--cost", "--prices"], "{\n\"m\":{}}"),
  ])
  func `a file that an option names is told with line and column`(
    arguments: [String], text: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("f", text)
    let run = try ToolProcess.run("oresp-events", arguments + [path])
    #expect(run.outcome == .exited(2))
    #expect(run.errors.hasPrefix("oresp-events: \(path): line 2, column "), "\(run.errors)")
    #expect(!run.errors.contains("--help"))
  }
}
