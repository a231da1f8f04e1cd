import Core
import TestSupport
import Testing

@testable import oresp_events

@Suite struct RepeatTests {
  @Test func `the last 1,024 ends are known again`() {
    func end(_ id: Int) -> String {
      #"{"type":"response.completed","sequence_number":3,"response":{"id":"a\#(id)"}}"#
    }
    let lines = (0..<1030).flatMap { id in
      [#"{"type":"response.created","response":{"id":"a\#(id)"}}"#, end(id)]
    }
    func count(_ id: Int) -> Int {
      let outcome = feed(
        EventPipe(UsageFilter(), reading: EventReader.Settings(), needing: .typed),
        [Array((lines + [end(id)]).joined(separator: "\n").utf8)])
      return outcome.output.count { $0 == "\n" }
    }
    #expect(count(6) == 1030)
    #expect(count(5) == 1031)
  }
}
