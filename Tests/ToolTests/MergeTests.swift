import Core
import TestSupport
import Testing

@testable import oresp_events

private func merge(_ files: [String], _ arguments: String...) throws -> CommandRun {
  let option = arguments.isEmpty ? ["--merge"] : arguments
  return try CommandRun(EventsTool.command, option, on: files.map(\.utf8))
}

private func created(_ id: String, _ number: Int = 0) -> String {
  #"{"type":"response.created","sequence_number":\#(number),"response":{"id":"\#(id)"}}"#
}

private func running(_ id: String, _ number: Int) -> String {
  created(id, number).replacing("created", with: "in_progress")
}

private func delta(_ number: Int) -> String {
  #"{"type":"response.output_text.delta","sequence_number":\#(number),"delta":"{\"\#(number)}"}"#
}

private func ofItem(_ number: Int) -> String {
  delta(number).replacing(#""delta":"#, with: #""item_id":"i","delta":"#)
}

private func padded(_ line: String, _ padding: String) -> String {
  line.dropLast() + #","obfuscation":"\#(padding)"}"#
}

private func completed(_ id: String, _ number: Int) -> String {
  #"{"type":"response.completed","sequence_number":\#(number),"response":{"id":"\#(id)","status":"completed"}}"#
}

private let error =
  #"{"type":"error","error":{"message":"m"},"oresp":{"synthetic":true}}"#
private let plain = #"{"type":"keepalive"}"#
private let whole = [created("a"), delta(1), delta(2), delta(3), delta(4), completed("a", 5)]
private let cut = "the stream ended before the response did"

private func lines(_ events: [String]) -> String { events.map { $0 + "\n" }.joined() }

private func blocks(_ events: [String]) -> String {
  events.map { "event: x\ndata: \($0)\n\n" }.joined()
}

@Suite struct MergeTests {
  @Test(
    arguments: [
      ([], [], [], 0, []), (Array(whole[..<3]), Array(whole[1...]), whole, 0, []),
      (Array(whole[..<3]), [], Array(whole[..<3]), 5, [cut]),
      // What has no number stays behind the line before it.
      ([whole[0], plain, whole[2]], whole, [whole[0], plain] + whole[1...], 0, []),
      // Members in another order are no other event.
      (
        [created("a", 1)],
        [
          #"{"sequence_number":1,"response":{"id":"a"},"type":"response.created"}"#,
          completed("a", 2),
        ], [created("a", 1), completed("a", 2)], 0, []
      ),
      // A server draws padding anew each time it sends an event.
      (
        [padded(delta(1), "x")], [created("a"), padded(delta(1), "yz"), completed("a", 2)],
        [created("a"), padded(delta(1), "yz"), completed("a", 2)], 0, []
      ),
      // Each response has its own numbers, and one that is open goes on.
      (
        Array(whole[..<2]) + [created("b"), completed("b", 1)], Array(whole[2...]),
        whole + [created("b"), completed("b", 1)], 0, []
      ),
      // What is left out is told.
      (
        Array(whole[..<2]), Array(whole[4...]), Array(whole[..<2] + whole[4...]), 3,
        ["sequence numbers of a: 2 to 3 are missing between 1 and 4"]
      ),
      // A response that begins while another is open waits until no file goes on with that.
      (
        [created("b"), created("a"), completed("b", 5)],
        [created("b"), created("a"), running("a", 1), completed("a", 2)],
        [created("b"), created("a"), running("a", 1), completed("a", 2), completed("b", 5)], 3,
        ["b begins with sequence number 5: 0 to 4 are missing"]
      ),
      // A file that is out of order loses nothing.
      (
        [whole[0], ofItem(2), ofItem(1)], Array(whole[3...]),
        [whole[0], ofItem(2)] + whole[3...] + [ofItem(1)], 3,
        [
          "sequence numbers of a: 1 is missing between 0 and 2",
          "1: sequence number 1 comes after 2; jq -sc 'sort_by(.sequence_number)[]' puts a file in order",
        ]
      ),
      // Where no end of the response comes, it holds, whatever else another file has.
      (
        [whole[0], whole[2], error], [whole[1], whole[3]],
        Array(whole[..<4]) + [error], 5, ["error: m"]
      ),
    ] as [([String], [String], [String], Int32, [String])])
  func `a head and its tail come out as one stream`(
    head: [String], tail: [String], expected: [String], status: Int32, notices: [String]
  ) throws {
    for write in [lines, blocks] {
      let run = try merge([write(head), write(tail)])
      #expect(run.output == lines(expected))
      #expect(run.status == status)
      if write(["x"]) == lines(["x"]) { #expect(run.errors == notices) }
    }
  }

  @Test func `however a head is cut, its tail makes it whole again`() throws {
    for write in [lines, blocks] {
      let bytes = Array(write(whole).utf8)
      for end in stride(from: 0, to: bytes.count, by: 7) {
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        let had = try merge([head])
        let count = had.output.split(separator: "\n").filter { !$0.contains("unparsed") }.count
        for start in Set([0, min(count, whole.count - 1)]) {
          for files in [
            [head, write(Array(whole[start...]))], [write(Array(whole[start...])), head],
          ] {
            let run = try merge(files)
            #expect(run.output == lines(whole), "cut at \(end), resumed at \(start)")
            #expect(run.status == 0, "cut at \(end), resumed at \(start): \(run)")
          }
        }
      }
    }
  }

  @Test func `each line comes out of a join, or its files are refused`() throws {
    var generator = SeededGenerator()
    let words = [
      "created :a #0", "created :b #0", "in_progress :a #1", "added .m #2", "delta .m =x #3",
      "delta =y #3", "delta =z", "keepalive", "keepalive #4", "error !c", "completed :a",
      "completed :a #5", "completed :b #2", "delta .m =x ^1", "keepalive ^2",
    ]
    for _ in 0..<300 {
      let files = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        (0..<Int.random(in: 0...5, using: &generator)).map { _ in
          RuleEvent(words.randomElement(using: &generator) ?? "").line
        }
      }
      let run = try merge(files.map(lines))
      if run.errors.contains(where: { $0.contains("have no numbers") }) {
        #expect(run.output.isEmpty && run.status == 3)
        continue
      }
      let made = run.output.split(separator: "\n").map(String.init)
      let came = files.flatMap(\.self)
      let how = "\(files), seed \(generator.seed)"
      #expect(Set(made) == Set(came), "\(how)")
      for line in Set(made) {
        #expect(made.count { $0 == line } <= came.count { $0 == line }, "\(how)")
      }
    }
  }
}
