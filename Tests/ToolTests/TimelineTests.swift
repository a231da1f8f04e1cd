import Core
import TestSupport
import Testing

@testable import oresp_events

@Suite struct TimelineTests {
  @Test(arguments: [
    (0, "0 s"), (1, "0.001 ms"), (514_321, "514 ms"), (999_499, "999 ms"), (999_500, "1 s"),
    (1_200_000, "1.2 s"), (5_064_999, "5.06 s"), (59_949_999, "59.9 s"), (59_950_000, "1m"),
    (65_400_000, "1m05s"), (3_599_400_000, "59m59s"), (3_599_500_000, "1h"),
    (7_799_000_000, "2h10m"), (9_007_199_254_740_991, "2501999h48m"),
  ])
  func `a time has three digits or two units`(microseconds: Int, text: String) {
    #expect(TimeScale.text(microseconds) == text)
  }

  @Test(arguments: [
    (5_060_000, 6, ["0 s", "1 s", "2 s", "3 s", "4 s", "5 s"]), (5_060_000, 2, ["0 s", "5 s"]),
    (5_060_000, 1, ["0 s"]), (0, 5, ["0 s"]), (7, 3, ["0 s", "0.005 ms"]),
    (450_000, 5, ["0 s", "100 ms", "200 ms", "300 ms", "400 ms"]),
    (95_000_000, 5, ["0 s", "20 s", "40 s", "1m", "1m20s"]),
    (30_000_000_000, 5, ["0 s", "2h", "4h", "6h", "8h"]),
  ])
  func `an axis has marks at round times`(total: Int, most: Int, marks: [String]) {
    let ticks = TimeScale(total: total, length: 100).ticks(atMost: most)
    #expect(ticks.map { TimeScale.text($0) } == marks)
  }

  @Test func `what is kept grows with the silences, not with the events`() {
    var generator = SeededGenerator(seed: 7)
    var times = EventTimes()
    var all: [Range<Int>] = []
    var time = 1000
    let line = Array(#"{"type":"keepalive"}"#.utf8)
    let event = Event(of: line.span)
    times.note(time, of: event, line.span)
    for _ in 0..<5000 {
      // Most are short, and a few as long as all before.
      let isLong = Int.random(in: 0..<50, using: &generator) == 0
      let gap = isLong ? max(1, (time - 1000) / 8) : Int.random(in: 0..<9, using: &generator)
      if gap > 0 { all.append(time..<time + gap) }
      time += gap
      times.note(time, of: event, line.span)
      #expect(times.silences.count <= 20)
    }
    let long = (time - 1000) / 20
    #expect(times.silences.filter { $0.count >= long } == all.filter { $0.count >= long })
  }

  @Test(arguments: [20, 40, 41, 79, 200, 10_000])
  func `no line is wider than it may be, whatever is in it`(width: Int) {
    var generator = SeededGenerator(seed: UInt64(width))
    let letters = Array("a \u{1B}\u{202E}日🌊e\u{301}<&\"".unicodeScalars)
    for _ in 0..<50 {
      let names = (0..<5).map { _ in
        String(
          String.UnicodeScalarView(
            (0..<30).map { _ in letters.randomElement(using: &generator) ?? "a" }))
      }
      var lines = [#"{"type":"response.created","response":{"id":"r"},"oresp":{"at":1}}"#]
      for (index, name) in names.enumerated() {
        let item = JSONValue.object([
          ("type", .text("function_call")), ("id", .integer(index)), ("name", .text(name)),
        ])
        let at = Int.random(in: 1..<1_000_000, using: &generator)
        lines.append(
          #"{"type":"response.output_item.added","output_index":\#(index),"item":\#(String(decoding: item.line, as: UTF8.self)),"oresp":{"at":\#(at)}}"#
        )
      }
      let drawing = TextTimeline(.unicode, width: width, hasColours: false)
      let pipe = EventPipe(
        TimelineFilter(drawing), reading: EventReader.Settings(), needing: .typed)
      let output = feed(pipe, [Array((lines.joined(separator: "\n") + "\n").utf8)]).output
      for line in output.split(separator: "\n") {
        #expect(String(line).columns <= min(width, 500), "\(line)")
        #expect(String(line).harmless == String(line))
      }
    }
  }
}
