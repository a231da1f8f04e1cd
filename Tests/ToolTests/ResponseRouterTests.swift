import Core
import Testing
import oresp_events

/// Where each of `lines` is put, one after another; `+` where it begins a response.
private func places(_ lines: [String]) -> [String] {
  var router = ResponseRouter()
  var last: (number: Int?, response: Int) = (nil, 0)
  return lines.map { line in
    let bytes = Array(line.utf8)
    var event = Event()
    (event.typeName, event.type) = Event.type(of: bytes.span)
    let clues = EventClues(event, bytes.span)
    let place = router.place(of: clues, behind: last.number, of: last.response)
    let response = router.note(clues, of: place?.response)
    last = (clues.number, response)
    return "\(response)" + (place == nil ? "+" : place?.isTold == true ? "!" : "")
  }
}

private func event(_ type: String, _ number: Int, _ members: String, tag: String = "") -> String {
  let own = tag.isEmpty ? "" : #","oresp":{"request":"\#(tag)"}"#
  return #"{"type":"response.\#(type)","sequence_number":\#(number)\#(members)\#(own)}"#
}

private let a = #","response":{"id":"a"}"#
private let b = #","response":{"id":"b"}"#
private let item = #","item_id":"i""#

@Suite struct ResponseRouterTests {
  @Test(
    arguments: [
      // An id tells, an item that was told of does, and else the numbers go on.
      (
        [
          event("created", 0, a), event("output_item.added", 1, #","item":{"id":"i"}"#),
          event("output_text.delta", 2, item), event("output_text.delta", 3, ""),
          event("completed", 4, a),
        ], ["0+", "0", "0!", "0", "0!"]
      ),
      // A number that does not rise begins the next, and so does what follows an end.
      (
        [
          event("output_text.delta", 4, ""), event("output_text.delta", 2, ""),
          event("completed", 3, b), event("output_text.delta", 9, ""),
        ], ["0+", "1+", "1", "2+"]
      ),
      // Two that take turns.
      (
        [event("created", 0, a), event("created", 0, b), event("in_progress", 1, a)],
        ["0+", "1+", "0!"]
      ),
      // Another tag is another stream, whatever the ids.
      (
        [
          event("created", 0, a, tag: "x"), event("created", 0, a, tag: "y"),
          event("output_text.delta", 1, "", tag: "y"), event("in_progress", 1, a, tag: "x"),
        ], ["0+", "1+", "1", "0!"]
      ),
      // One response with another id in each event.
      (
        [
          event("created", 0, #","response":{"id":"p","created_at":7}"#),
          event("completed", 5, #","response":{"id":"q","created_at":7}"#),
          event("completed", 6, #","response":{"id":"r","created_at":8}"#),
        ], ["0+", "0", "1+"]
      ),
    ] as [([String], [String])])
  func `an event is put where it belongs`(lines: [String], expected: [String]) {
    #expect(places(lines) == expected)
  }
}
