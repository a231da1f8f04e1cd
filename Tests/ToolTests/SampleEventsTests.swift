import Core
import TestSupport
import Testing
import oresp_sse

@Suite struct SampleEventsTests {
  @Test func `the streams that speed is measured on are valid, and the same from the same seed`() {
    var stream = SampleEvents(.sse, seed: 7)
    var lines = SampleEvents(.ndjson, seed: 7)
    for _ in 0..<3 {
      let settings = SSETool.Settings()
      let pipe = EventPipe(
        DecodeFilter(settings), reading: settings.reading, needing: .typed, skims: false)
      let outcome = feed(pipe, [stream.next()])
      let expected = String(decoding: lines.next(), as: UTF8.self)
      let isSame = outcome == Outcome(expected)
      #expect(isSame, "\(outcome.notices)")
      #expect(expected.utf8.count > 100_000)
    }
  }
}
