import Core
import Testing
import oresp_text

@Suite struct HeldEventsTests {
  private static let lines = [
    #"{"type":"response.created","sequence_number":0,"response":{"id":"a"}}"#,
    #"{"type":"response.output_text.delta","sequence_number":9,"item_id":"m","delta":"a","x":1}"#,
    #"{"type":"response.output_text.delta","sequence_number":10,"item_id":"m","delta":" \"b\"","x":1}"#,
    #"{"type":"response.output_text.delta","sequence_number":11,"item_id":"m","delta":"","x":1}"#,
    #"{"type":"response.output_text.delta","sequence_number":12,"item_id":"n","delta":"c","x":1}"#,
    #"{"type":"response.output_text.delta","sequence_number":13,"item_id":"n","delta":"c","x":1}"#,
    #"{"type":"response.output_text.delta","sequence_number":14,"item_id":"n","delta":"c","x":2}"#,
    #"{"type":"response.output_text.delta","sequence_number":14,"item_id":"n","delta":"c"}"#,
  ]

  @Test func `held events come out as they were, and repeats as continuations`() {
    var held = HeldEvents()
    for (number, line) in Self.lines.enumerated() {
      var event = Event(of: Array(line.utf8).span)
      (event.lane, event.inputPlace) = (number, Notice.Place(line: number, byte: 7))
      // The sixth is late, so it is more than its line.
      event.step.isLate = number == 5
      held.append(event, Array(line.utf8).span)
    }
    var (shown, continuations): ([String], [Int]) = ([], [])
    held.each { event, line in
      let whole = Event(of: line)
      #expect(event.lane == event.inputPlace.line && event.step.isLate == (event.lane == 5))
      #expect(event.type == whole.type && event.typeName == whole.typeName)
      #expect(event.place == nil)
      for name in ["sequence_number", "delta", "item_id", "x", "none"] as [StaticString] {
        #expect(event.value(of: name, in: line) == whole.value(of: name, in: line))
      }
      if event.isContinuation { continuations.append(event.lane) }
      shown.append(String(decoding: line))
    }
    #expect(shown == Self.lines)
    #expect(continuations == [2, 3])
  }
}
