import ProcessSupport
import Testing

/// What has come in is out before more comes.
struct LiveTests {
  @Test(arguments: ["oresp-sse", "oresp-events", "oresp-sse | oresp-sse -r | oresp-events"])
  func `an event is out once its block is in`(script: String) throws {
    let process = try ToolProcess("bash", ["-c", script], input: .open)
    var expected = ""
    for event in SampleStream.events {
      process.write(SampleStream.block(event))
      expected += event + "\n"
      try #require(process.output { $0.utf8.count >= expected.utf8.count } == expected)
    }
    process.closeInput()
    #expect(process.finish().outcome == .exited(0))
  }

  @Test(arguments: ["oresp-text", "oresp-sse | oresp-events | oresp-text"])
  func `text is out once its delta is in`(script: String) throws {
    let process = try ToolProcess("bash", ["-c", script], input: .open)
    var expected = ""
    let deltas = 3..<3 + SampleStream.pieces.count
    for (index, event) in SampleStream.events.enumerated() {
      process.write(SampleStream.block(event))
      guard deltas.contains(index) else { continue }
      expected += SampleStream.pieces[index - deltas.lowerBound]
      try #require(process.output { $0.utf8.count >= expected.utf8.count } == expected)
    }
    process.closeInput()
    let run = process.finish()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.text)
  }

  @Test func `text of Chat Completions is out once its piece is in`() throws {
    let process = try ToolProcess("oresp-text", input: .open)
    var expected = ""
    for piece in SampleStream.pieces {
      process.write(
        #"data: {"id":"c1","choices":[{"index":0,"delta":{"content":"\#(piece)"}}]}"# + "\n\n")
      expected += piece
      try #require(process.output { $0.utf8.count >= expected.utf8.count } == expected)
    }
    process.write("data: [DONE]\n\n")
    process.closeInput()
    #expect(process.finish().outcome == .exited(0))
  }

  @Test func `an event that comes byte by byte is out at its last line end`() throws {
    let process = try ToolProcess("oresp-sse", input: .open)
    for byte in SampleStream.block(SampleStream.events[3]).utf8 { process.write([byte]) }
    let line = SampleStream.events[3] + "\n"
    #expect(process.output { $0.utf8.count >= line.utf8.count } == line)
    process.closeInput()
    #expect(process.finish().outcome == .exited(0))
  }

  @Test func `a block is out once its line is in`() throws {
    let process = try ToolProcess("oresp-sse", ["-r"], input: .open)
    var expected = ""
    for event in SampleStream.events {
      process.write(event + "\n")
      expected += SampleStream.block(event)
      try #require(process.output { $0.utf8.count >= expected.utf8.count } == expected)
    }
    process.closeInput()
    #expect(process.finish().outcome == .exited(0))
  }

  @Test func `a notice is out once its cause is in`() throws {
    let process = try ToolProcess("oresp-sse", input: .open)
    process.write("data: {broken\n\n")
    #expect(process.errors { $0.hasSuffix("\n") }.hasPrefix("oresp-sse: stdin: line 1, byte 0: "))
    #expect(process.output { $0.hasSuffix("\n") }.hasPrefix(#"{"type":"oresp.unparsed""#))
    process.closeInput()
    #expect(process.finish().outcome == .exited(3))
  }
}
