import Core
import TestSupport
import Testing

@Suite struct ToldMarkTests {
  private static let failed = #"{"type":"response.failed","response":{"id":"r","status":"failed"}}"#
  private static let block = "data: \(failed)\n\n"

  /// Whether a tool that reads `text`, with the time now and `offset` seconds for `NOW`, takes its end
  /// for told, and whether the mark goes on with it.
  private static func read(
    _ text: String, offset: Int = 0, isPiped: Bool = true, isExact: Bool = false
  ) -> (isTold: Bool, line: String) {
    var ends = OwnEnds()
    ends.passes = true
    ends.marks = isExact ? .kept : .written
    var feed = EventFeed(sorting: .handlingAll, ends)
    var input = InputBuffer()
    var output = Output()
    output.readsPipe = isPiped
    output.leadsToProgram = true
    var last = ""
    let time = ToldMark.now + offset
    input.append(Array(text.replacing("NOW", with: String(time)).utf8).span)
    feed.each(in: &input, isEnd: true, into: &output) { _, line, _ in
      last = String(decoding: [UInt8](copying: line), as: UTF8.self)
    }
    feed.finish(into: &output)
    let told = output.notices.filter { $0.kind == .error }
    return (
      !told.isEmpty && told.allSatisfy(\.isReported),
      last.replacing(String(time), with: "NOW")
    )
  }

  private static let marked = #"\#(failed.dropLast()),"oresp":{"told":NOW}}"#

  private static let rows: [(text: String, isTold: Bool)] = [
    (": oresp told=NOW\n\n" + block, true), (": x\n\n: oresp told=NOW\n\n" + block, true),
    (": oresp told=NOW\r\n\r\n" + block, true), (block, false),
    ("data: {\"type\":\"x\"}\n\n: oresp told=NOW\n\n" + block, true),
    // It is a block of its own right in front.
    (": oresp told=NOW\n" + block, false), (": oresp told=NOW\n\n\n" + block, false),
    (": oresp told=NOW\n\n: x\n\n" + block, false),
    (": oresp told=NOW\n\ndata: {\"type\":\"x\"}\n\n" + block, false),
    ("data: {\"type\":\"x\"}\n: oresp told=NOW\n\n" + block, false),
    (":oresp told=NOW\n\n" + block, false), (": oresp told=\n\n" + block, false),
    (": oresp told=NOW.5\n\n" + block, false), (": oresp told=-NOW\n\n" + block, false),
    (": oresp told=1e9\n\n" + block, false),
    (": oresp told=99999999999999999999999\n\n" + block, false),
    (marked + "\n", true), (failed + "\n", false),
    (marked.replacing("NOW", with: "true") + "\n", false),
    (marked.replacing("NOW", with: "\"NOW\"") + "\n", false),
    (marked.replacing("NOW", with: "[NOW]") + "\n", false),
  ]

  @Test(arguments: rows)
  func `a mark is a block of its own in front of an event, or a member of its line`(
    text: String, isTold: Bool
  ) {
    let (found, line) = Self.read(text)
    #expect(found == isTold)
    #expect(line == (isTold ? Self.marked : Self.failed))
  }

  @Test(arguments: [
    (0, true, true), (9, true, true), (-8, true, true), (12, true, false),
    (-12, true, false), (0, false, false),
  ])
  func `a mark is believed that came by a pipe within ten seconds`(
    offset: Int, isPiped: Bool, isTold: Bool
  ) {
    for text in [": oresp told=NOW\n\n" + Self.block, Self.marked + "\n"] {
      let (found, line) = Self.read(text, offset: offset, isPiped: isPiped)
      #expect(found == isTold)
      #expect(line == (isTold ? Self.marked : Self.failed))
    }
  }

  @Test func `where nothing is marked a line stays as it is`() {
    for offset in [0, 60] {
      #expect(Self.read(Self.marked + "\n", offset: offset, isExact: true).line == Self.marked)
    }
  }

  @Test(
    arguments: [
      (#"{"a":1}"#, 7, #"{"a":1,"oresp":{"told":7}}"#),
      (#"{"a":1,"oresp":{"told":5}}"#, 7, #"{"a":1,"oresp":{"told":7}}"#),
      (#"{"a":1,"oresp":{"at":1.50,"told":5,"n":2}}"#, nil, #"{"a":1,"oresp":{"at":1.50,"n":2}}"#),
      (#"{"a":1,"oresp":{"told":true}}"#, nil, #"{"a":1}"#), (#"{}"#, 7, #"{"oresp":{"told":7}}"#),
      (#"{"oresp":1,"a":2}"#, 7, #"{"oresp":1,"a":2}"#),
    ] as [(String, Int?, String)])
  func `a line gets its mark, or loses it`(line: String, seconds: Int?, expected: String) {
    let made = EventLine.marking(Array(line.utf8).span, told: seconds)
    #expect(String(decoding: made, as: UTF8.self) == expected)
  }
}
