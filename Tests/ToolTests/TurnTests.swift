import Core
import TestSupport
import Testing
import oresp_text

private typealias Stream = TextStream
private typealias Status = Core.ExitStatus

private func text(of lines: [String]) -> Outcome {
  let pipe = EventPipe(
    AnswerFilter(), reading: EventReader.Settings(), needing: .typed)
  return feed(pipe, [Array(lines.joined(separator: "\n").utf8)])
}

/// The response `name`, which says its name and `words`; each event has `more` at its end.
private func response(_ name: String, _ words: [String], more: String = "") -> [String] {
  let events =
    [#""response.created","response":{"id":"\#(name)"}"#]
    + words.map {
      #""response.output_text.delta","item_id":"m\#(name)","output_index":0,"delta":"\#(name)\#($0)""#
    }
    + [#""response.completed","response":{"id":"\#(name)","status":"completed"}"#]
  return events.map { #"{"type":\#($0)\#(more)}"# }
}

private func tagged(_ name: String, _ words: [String]) -> [String] {
  response(name, words, more: #","oresp":{"request":"\#(name)"}"#)
}

@Suite struct TurnTests {
  @Test func `texts of responses that are open at once follow each other whole`() {
    var random = SeededGenerator()
    for _ in 0..<200 {
      var rest = ["a", "b", "c"].map { tagged($0, ["1 ", "2 ", "3."])[...] }
      var order: [String] = []
      var lines: [String] = []
      while let list = rest.indices.filter({ !rest[$0].isEmpty }).randomElement(using: &random) {
        let name = ["a", "b", "c"][list]
        if !order.contains(name) { order.append(name) }
        lines.append(rest[list].removeFirst())
      }
      let outcome = text(of: lines)
      // One beside which another began and ended comes behind that, or in two pieces.
      guard outcome.notices.isEmpty else { continue }
      let expected = order.map { "\($0)1 \($0)2 \($0)3." }
      let printed = outcome.output.split(separator: "\n").map(String.init)
      #expect(printed.sorted() == expected.sorted(), "seed \(random.seed): \(lines)")
      #expect(outcome.status == .completed)
    }
  }

  @Test func `the first response is printed as it comes, and the next once that has ended`() {
    let (first, second) = (tagged("a", ["1", "2"]), tagged("b", ["1", "2"]))
    var pipe = EventPipe(
      AnswerFilter(), reading: EventReader.Settings(), needing: .typed)
    var input = InputBuffer()
    var output = Output()
    func printed(_ line: String) -> String {
      input.append(Array((line + "\n").utf8).span)
      pipe.handle(&input, into: &output)
      defer { output.bytes = [] }
      return String(decoding: output.bytes, as: UTF8.self)
    }
    let steps = [
      (first[0], ""), (second[0], ""), (second[1], ""), (first[1], "a1"), (first[2], "a2"),
      (second[2], ""), (first[3], "\nb1b2"), (second[3], "\n"),
    ]
    for (line, expected) in steps { #expect(printed(line) == expected) }
  }

  private static let failure =
    #"{"type":"error","message":"m","oresp":{"synthetic":true,"request":"a"}}"#
  private static let whole =
    #"{"object":"response","id":"b","status":"completed","output":[\#(Stream.message("3"))]}"#
  private static let unfinished: [(String, [String], String, Status)] = [
    (
      "one that is cut is printed first, and told at the end",
      tagged("a", ["1", "2"]).dropLast() + tagged("b", ["3"]), "a1a2\nb3\n", .temporary
    ),
    (
      "one that failed for good holds up nothing",
      tagged("a", ["1"]).dropLast() + [failure] + tagged("b", ["3"]), "a1\nb3\n", .temporary
    ),
    (
      "a whole Response among the events of another comes behind it",
      response("a", ["1", "2"]).dropLast() + [whole] + response("a", []).suffix(1),
      "a1a2\n3\n", .completed
    ),
  ]

  @Test(arguments: unfinished)
  fileprivate func `of responses that do not all end`(
    what: String, lines: [String], expected: String, status: Status
  ) {
    let outcome = text(of: lines)
    #expect((outcome.output, outcome.status) == (expected, status), "\(what)")
  }

  @Test func `a response of which nothing comes any more does not hold up the others for ever`() {
    let words = Array(repeating: String(repeating: "x", count: 10_000), count: 1_000)
    let first = tagged("a", ["1", "2"])
    let lines = first.prefix(2) + tagged("b", words) + first.suffix(2)
    #expect(text(of: Array(lines)).output.hasPrefix("a1\nbx"))
    let parked = text(of: first.prefix(2) + tagged("b", ["x"]) + first.suffix(2))
    #expect(parked.output == "a1\nbx\na2\n")
    #expect(parked.notices.count == 1)
  }
}
