import Core
import ProcessSupport
import TestSupport
import Testing
import oresp_events

private final class StoppedClock {
  var now = 500
}

private func line(_ name: String, at time: String? = nil) -> String {
  let own = time.map { #","oresp":{"at":\#($0)}"# } ?? ""
  return #"{"type":"\#(name)"\#(own)}"#
}

/// Replays `inputs`, cut into chunks, with a clock that moves by the waits alone; returns what was
/// written by when, in milliseconds from the start.
private func replay(
  _ inputs: [[[UInt8]]], speed: Double, drop: String? = nil
) throws -> [String] {
  let clock = StoppedClock()
  var settings = EventsTool.Settings()
  if let drop { try settings.selection.types.drop(drop) }
  var pipe = EventPipe(
    SelectFilter(settings), reading: .init(), needing: .objectsUnlessEmpty, skims: false,
    through: PaceGate(speed: speed) { clock.now })
  var output = Output()
  var written: [String] = []
  func write() {
    for line in String(decoding: output.bytes, as: UTF8.self).split(separator: "\n") {
      written.append("\(clock.now - 500) \(line.split(separator: "\"")[3])")
    }
    output.bytes = []
  }
  func turn(_ step: () -> Void) {
    repeat {
      if let time = output.pauseUntil { clock.now = max(clock.now, time) }
      output.pauseUntil = nil
      step()
      write()
    } while output.pauseUntil != nil
  }
  var input = InputBuffer()
  for chunks in inputs {
    input.reset()
    for chunk in chunks {
      input.append(chunk.span)
      turn { pipe.handle(&input, into: &output) }
    }
    turn { pipe.endInput(&input, into: &output) }
  }
  _ = pipe.finish(into: &output)
  write()
  return written
}

private let recording = [
  line("a", at: "100.5"), line("b", at: "100.6"), line("n"), line("c", at: "102.600000"),
  line("back", at: "99"), line("d", at: "100"), line("odd", at: "\"x\""),
]

@Suite struct PaceTests {
  @Test(
    arguments: [
      (1.0, nil, ["0 a", "100 b", "100 n", "2100 c", "2100 back", "3100 d", "3100 odd"]),
      (10.0, nil, ["0 a", "10 b", "10 n", "210 c", "210 back", "310 d", "310 odd"]),
      (0.5, "[bn]*", ["0 a", "4200 c", "6200 d", "6200 odd"]),
    ] as [(Double, String?, [String])])
  func `events come as they were recorded`(speed: Double, drop: String?, expected: [String]) throws
  {
    let text = recording.joined(separator: "\n")
    for chunks in cuts(of: Array(text.utf8)) {
      #expect(try replay([chunks], speed: speed, drop: drop) == expected)
    }
  }

  @Test func `between two recordings nothing is waited for`() throws {
    let inputs = ["5", "1000"].map { [Array((line("a", at: $0) + "\n").utf8)] }
    #expect(try replay(inputs, speed: 1) == ["0 a", "0 a"])
  }

  @Test(
    arguments: [
      ("1", 1.0), ("0.5", 0.5), ("2.", 2), ("0", nil), ("-1", nil), ("x", nil), ("1e3", nil),
      ("", nil), (".", nil),
    ] as [(String, Double?)])
  func `a speed is a positive decimal`(text: String, speed: Double?) {
    #expect(Pacer.speed(text) == speed)
  }

  @Test func `the program passes all of a recording on`() throws {
    let text = recording.map { $0 + "\n" }.joined()
    let run = try Program.run("\(Tools.folder)/oresp-events", ["--pace=100"], input: text)
    #expect(run.output == text)
  }
}
