import Foundation
import ProcessSupport
import Testing

/// What `oresp-send` makes of an answer that begins well.
struct SenderAnswerTests {
  @Test(arguments: [
    Sending.inOnePiece, .untilClose, .chunked, .inChunks(of: 1000), .inChunks(of: 7), .byteByByte,
    .slowly,
  ])
  func `a stream comes out unchanged however it is sent`(sending: Sending) throws {
    let sender = try Sender(.stream(SampleStream.bytes, sending))
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream)
    #expect(run.errors == "")
    let (finished, statuses) = try sender.pipeline()
    #expect(statuses == [0, 0, 0, 0])
    #expect(finished.text == SampleStream.text)
  }

  @Test func `comments and the end mark come out too`() throws {
    let stream = SampleStream.events.map { SampleStream.block($0) + Sending.comment }.joined()
    let sender = try Sender(
      .stream(SampleStream.bytes, .withComments),
      .stream(Array((SampleStream.stream + "data: [DONE]\n\n").utf8)))
    #expect(try sender.run().text == stream)
    #expect(try sender.run().text == SampleStream.stream + "data: [DONE]\n\n")
    #expect(try sender.pipeline().finished.text == SampleStream.text)
  }

  @Test func `an event comes out while the stream is open`() throws {
    let gates = SampleStream.events.map { _ in Gate() }
    let steps = zip(SampleStream.events, gates).flatMap { event, gate in
      [Answer.Step.send(Array(SampleStream.block(event).utf8)), .wait(gate)]
    }
    let sender = try Sender(Answer(framing: .chunked, steps: steps))
    let process = try sender.start()
    var expected = ""
    for (event, gate) in zip(SampleStream.events, gates) {
      expected += SampleStream.block(event)
      try #require(process.output { $0.utf8.count >= expected.utf8.count } == expected)
      gate.open()
    }
    #expect(process.finish().outcome == .exited(0))
  }

  @Test func `text is out at the end of the pipeline while the stream is open`() throws {
    let gate = Gate()
    let place = SampleStream.stream(Array(SampleStream.events.prefix(5))).utf8.count
    let sender = try Sender(.stream(SampleStream.bytes, .held(after: place, gate)))
    let script = "oresp-send \"$@\" | oresp-sse | oresp-events | oresp-text"
    let process = try ToolProcess(
      "bash", ["-c", script, "bash"] + sender.arguments, environment: sender.environment)
    let text = SampleStream.pieces.prefix(2).joined()
    #expect(process.output { $0.utf8.count >= text.utf8.count } == text)
    gate.open()
    let run = process.finish()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.text)
  }

  @Test(arguments: VerdictTests.endings)
  func `every stage knows how the response ended`(ending: VerdictTests.Ending) throws {
    let sender = try Sender(.stream(Array(VerdictTests.stream(ending).utf8)))
    #expect(try sender.pipeline().statuses == Array(repeating: ending.status, count: 4))
  }

  @Test(arguments: ["", "trap '' PIPE"])
  func `a reader that has enough ends the sender in silence`(before: String) throws {
    let block = Array(SampleStream.block(SampleStream.events[3]).utf8)
    let sender = try Sender(
      Answer(framing: .chunked, steps: [.send(SampleStream.bytes), .sendForever(block)]))
    let script = before + "\n{ oresp-send \"$@\"; echo $? >&2; } | head -n 1"
    let run = try ToolProcess.bash(script, sender.arguments, environment: sender.environment)
    #expect(run.errors == "141\n")
    #expect(run.text == "event: response.created\n")
  }
}
