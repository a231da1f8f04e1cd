import Core
import TestSupport
import Testing
import oresp_text

private typealias Stream = TextStream
private typealias Status = Core.ExitStatus

private func text(
  of lines: [String], _ change: (inout TextStyle) -> Void = { _ in }
) -> Outcome {
  feed(Stream.filter(Stream.settings(.answer, change)), [Array(lines.joined(separator: "\n").utf8)])
}

/// The lines that do not print what stands beside them.
private func mismatches(
  _ steps: [(line: String, text: String)], _ change: (inout TextStyle) -> Void = { _ in }
) -> [String] {
  var pipe = Stream.filter(Stream.settings(.answer, change))
  var input = InputBuffer()
  var output = Output()
  return steps.compactMap { line, text in
    input.append(Array((line + "\n").utf8).span)
    pipe.handle(&input, into: &output)
    defer { output.bytes = [] }
    let printed = String(decoding: output.bytes, as: UTF8.self)
    return printed == text ? nil : "\(line): \(printed)"
  }
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
    let steps = [
      (first[0], ""), (second[0], ""), (second[1], ""), (first[1], "a1"), (first[2], "a2"),
      (second[2], ""), (first[3], "\nb1b2"), (second[3], "\n"),
    ]
    #expect(mismatches(steps) == [])
  }

  private static func item(_ name: String, _ index: Int, _ text: String) -> String {
    #"{"type":"response.output_item.done","output_index":\#(index),"item":{"type":"message","id":"m\#(name)\#(index)","content":[{"type":"output_text","text":"\#(text)"}]},"oresp":{"request":"\#(name)"}}"#
  }

  private static func delta(_ name: String, _ index: Int, _ text: String) -> String {
    #"{"type":"response.output_text.delta","item_id":"m\#(name)\#(index)","output_index":\#(index),"delta":"\#(text)","oresp":{"request":"\#(name)"}}"#
  }

  @Test func `a text that must be whole goes out at its end, as long as another answer is open`() {
    let a = tagged("a", [])
    let b = tagged("b", [])
    // Alone it is printed as it comes; what has begun so goes on, and the other one waits for that.
    let steps: [(line: String, text: String)] = [
      (a[0], ""), (Self.delta("a", 0, "1"), "1"), (b[0], ""), (Self.delta("b", 0, "2"), ""),
      (Self.delta("a", 0, "1"), "1"), (Self.item("a", 0, "11"), "\0"),
      (Self.delta("a", 1, "3"), ""), (Self.item("b", 0, "2"), ""), (b[1], "3"),
      (Self.delta("a", 1, "3"), "3"), (Self.item("a", 1, "333"), "3\0"), (a[1], "2\0"),
    ]
    #expect(mismatches(steps) { $0.ending = .nul } == [])
    // One behind which another begins in its tag ends its text first.
    let c = response("c", ["1", "2"])
    let d = response("d", ["1", "2"])
    let others: [(line: String, text: String)] = [
      (c[0], ""), (c[1], "c1"), (d[0], ""), (d[1], ""), (d[2], ""), (d[3], ""), (c[2], "c2"),
      (c[3], "\0d1d2\0"),
    ]
    #expect(mismatches(others) { $0.ending = .nul } == [])
  }

  @Test func `an answer that lost its turn has its label again, and no second heading`() {
    let lines = response("a", ["1", "2"])
    let mixed = lines.prefix(2) + response("b", ["1"]) + lines.suffix(2)
    var settings = Stream.settings([.answer, .reasoning]) { $0.hasLabels = true }
    settings.style.ending = .bare
    let outcome = feed(Stream.filter(settings), [Array(mixed.joined(separator: "\n").utf8)])
    let text = "== 1 ==\n--- answer\na1\n== 2 ==\n--- answer\nb1\n== 1 ==\na2"
    #expect(outcome.output == text)
    #expect(outcome.notices.count == 1)
  }

  @Test func `of more text that waits than there is room for the longest is printed, told once`() {
    let long = String(repeating: "x", count: 8 << 20)
    let words = Array(repeating: long, count: 10)
    let a = tagged("a", ["1", "2"])
    let b = tagged("b", words)
    let c = tagged("c", ["1", "2"])
    var lines = Array(a.prefix(2) + c.prefix(2))
    lines += b.dropLast() + c.suffix(2)
    lines += a.suffix(2) + b.suffix(1)
    let outcome = text(of: lines)
    let printed = outcome.output.split(separator: "\n").map { $0.prefix(2) }
    #expect(printed == ["a1", "bx", "c1", "bx", "a2"])
    #expect(outcome.output.utf8.count == 10 * (1 + long.utf8.count) + 4 * 2 + printed.count)
    #expect(outcome.notices.count { $0.contains("64 MiB") } == 1)
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
