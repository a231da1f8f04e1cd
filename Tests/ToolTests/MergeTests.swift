import Core
import TestSupport
import Testing
import oresp_events

private func pipe() -> RelayPipe<SelectFilter> {
  RelayPipe(SelectFilter(EventsTool.Settings()), merges: true, speed: nil)
}

private func created(_ id: String, _ number: Int = 0) -> String {
  #"{"type":"response.created","sequence_number":\#(number),"response":{"id":"\#(id)"}}"#
}

private func delta(_ number: Int) -> String {
  #"{"type":"response.output_text.delta","sequence_number":\#(number),"delta":"{\"\#(number)}"}"#
}

private func completed(_ id: String, _ number: Int) -> String {
  #"{"type":"response.completed","sequence_number":\#(number),"response":{"id":"\#(id)","status":"completed"}}"#
}

private let error =
  #"{"type":"error","error":{"message":"m"},"oresp":{"synthetic":true}}"#
private let plain = #"{"type":"keepalive"}"#
private let whole = [created("a"), delta(1), delta(2), delta(3), delta(4), completed("a", 5)]
private let healed = "input 1 ends inside an event, which a later input makes good"
private let cut = "the stream ended before the response did"

private func lines(_ events: [String]) -> String { events.map { $0 + "\n" }.joined() }

private func blocks(_ events: [String]) -> String {
  events.map { "event: x\ndata: \($0)\n\n" }.joined()
}

@Suite struct MergeTests {
  @Test(
    arguments: [
      ([], [], [], 0, []),
      (Array(whole[..<3]), Array(whole[3...]), whole, 0, []),
      (Array(whole[..<3]), Array(whole[1...]), whole, 0, []),
      (Array(whole[..<3]), whole, whole, 0, []), (whole, whole, whole, 0, []),
      (Array(whole[..<3]), [], Array(whole[..<3]), 5, [cut]),
      // What has no number passes.
      ([whole[0], plain], [plain] + whole[1...], [whole[0], plain, plain] + whole[1...], 0, []),
      // Each response has its own numbers, and one that is open goes on.
      (
        Array(whole[..<2]) + [created("b"), completed("b", 1)], Array(whole[2...]),
        Array(whole[..<2]) + [created("b"), completed("b", 1)] + whole[2...], 5, [cut]
      ),
      (
        whole, [created("b"), delta(1), completed("b", 2)],
        whole + [created("b"), delta(1), completed("b", 2)], 0, []
      ),
      // What is left out is told, as is a wrong order.
      (
        Array(whole[..<2]), Array(whole[4...]), Array(whole[..<2] + whole[4...]), 0,
        ["input 2 leaves out 2 to 3 of the sequence numbers"]
      ),
      (
        Array(whole[3...]), Array(whole[..<4]), Array(whole[3...]), 3,
        ["input 2 begins before what was read of its response: name it first"]
      ),
      // An error of the toolkit's own gives way to what follows, and to nothing else.
      (
        Array(whole[..<3]) + [error], Array(whole[2...]), whole, 0,
        ["input 1 ends with an error, which a later input makes good"]
      ),
      (Array(whole[..<3]) + [error], [], Array(whole[..<3]) + [error], 5, ["error: m"]),
      (
        Array(whole[..<3]) + [error], [created("b"), completed("b", 1)],
        Array(whole[..<3]) + [error, created("b"), completed("b", 1)], 5, ["error: m"]
      ),
    ] as [([String], [String], [String], Int32, [String])])
  func `a head and its tail come out as one stream`(
    head: [String], tail: [String], expected: [String], status: Int32, notices: [String]
  ) {
    for write in [lines, blocks] {
      let outcome = feed(pipe(), inputs: [write(head), write(tail)])
      #expect(outcome.output == lines(expected))
      #expect(outcome.status.rawValue == status)
      #expect(outcome.notices == notices)
    }
  }

  @Test func `however a head is cut, its tail makes it whole again`() {
    for write in [lines, blocks] {
      let bytes = Array(write(whole).utf8)
      for end in bytes.indices {
        let had = feed(pipe(), inputs: [String(decoding: bytes[..<end], as: UTF8.self)])
        let count = had.output.split(separator: "\n").filter { !$0.contains("unparsed") }.count
        for start in 0...min(count, whole.count - 1) {
          let head = String(decoding: bytes[..<end], as: UTF8.self)
          let outcome = feed(pipe(), inputs: [head, write(Array(whole[start...]))])
          #expect(outcome.output == lines(whole), "cut at \(end), resumed at \(start)")
          #expect(outcome.status == .completed, "cut at \(end), resumed at \(start): \(outcome)")
        }
      }
    }
  }

  @Test func `what was cut off and never came again is a fault`() {
    let head = String(lines(Array(whole[..<3])).dropLast(4))
    let line = String(delta(2).dropLast(3))
    let wanted = String(decoding: JSONValue.text(line).line, as: UTF8.self)
    for tail in ["", lines(Array(whole[3...]))] {
      let outcome = feed(pipe(), inputs: [head, tail])
      #expect(outcome.status >= .badInput)
      #expect(outcome.output.contains(wanted), "\(outcome)")
      #expect(outcome.notices.contains { $0.hasPrefix("input 1, line 3, byte ") }, "\(outcome)")
      #expect(!outcome.notices.contains(healed))
    }
  }

  @Test func `how an input arrives makes no difference`() {
    let text = lines(Array(whole[..<3])) + lines(whole)
    let wrong = mismatches(feeding: text, expecting: Outcome(lines(whole))) { pipe() }
    #expect(wrong == [])
  }
}
