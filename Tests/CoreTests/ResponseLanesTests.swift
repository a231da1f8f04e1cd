import Core
import Testing

/// The lane of each of `lines`, one after another; `*` where it is the first of a response.
private func lanes(_ lines: [String]) -> String {
  var judge = Judge()
  var output = Output()
  var told: [String] = []
  for line in lines {
    let bytes = Array(line.utf8)
    var event = Event(of: bytes.span)
    judge.handle(&event, bytes.span, into: &output) { event, _, _ in
      told.append("\(event.slot)" + (event.step.isFirst ? "*" : ""))
    }
  }
  judge.finish(into: &output)
  let cut = output.notices.count { $0.status == .temporary }
  return told.joined(separator: " ") + String(repeating: " /", count: cut)
}

private func event(_ type: String, _ members: String = "", tag: String = "") -> String {
  let own = tag.isEmpty ? "" : #","oresp":{"request":"\#(tag)"}"#
  return #"{"type":"response.\#(type)"\#(members)\#(own)}"#
}

private func of(_ id: String) -> String { #","response":{"id":"\#(id)"}"# }
private func added(_ id: String) -> String {
  event("output_item.added", #","item":{"id":"\#(id)"}"#)
}
private func delta(_ id: String) -> String { event("output_text.delta", #","item_id":"\#(id)""#) }
private func numbered(_ number: Int) -> String {
  event("output_text.delta", #","sequence_number":\#(number)"#)
}
private func onSocket(_ type: String, _ stream: String, _ id: String) -> String {
  event(type, of(id) + #","stream_id":"\#(stream)""#)
}
private let error = #"{"type":"error","message":"m"}"#

@Suite struct ResponseLanesTests {
  @Test(
    arguments: [
      // One after another.
      (
        [
          event("created", of("a")), delta("x"), event("completed", of("a")),
          event("created", of("b")), event("completed", of("b")),
        ], "0* 0 0 0* 0"
      ),
      // Two at once, told apart by the ids of the responses and of the items.
      (
        [
          event("created", of("a")), added("x"), event("created", of("b")), added("y"),
          delta("x"), delta("y"), delta("x"), event("completed", of("a")), delta("y"),
          event("created", of("c")), event("completed", of("b")), event("completed", of("c")),
        ], "0* 0 1* 1 0 1 0 0 1 0* 1 0"
      ),
      // Of two by turns, an event that names neither is of the one heard last.
      (
        [
          event("created", of("a") + #","sequence_number":0"#), numbered(1), numbered(2),
          event("created", of("b") + #","sequence_number":0"#), numbered(1), numbered(3),
          numbered(2), numbered(4),
        ], "0* 0 0 1* 1 1 1 1 / /"
      ),
      // A tag is a stream of its own, and so is the lane of a WebSocket, whatever the ids.
      (
        [
          event("created", of("a"), tag: "s"), event("created", of("a"), tag: "t"),
          event("output_text.delta", tag: "s"), event("output_text.delta", tag: "t"),
          event("completed", of("a"), tag: "s"), event("completed", of("a"), tag: "t"),
        ], "0* 1* 0 1 0 1"
      ),
      (
        [
          onSocket("created", "s", "a"), onSocket("created", "t", "b"),
          event("output_text.delta", #","stream_id":"s""#), onSocket("completed", "t", "b"),
          onSocket("completed", "s", "a"),
        ], "0* 1* 0 1 0"
      ),
      // What follows an error takes the place of what failed, and what begins again, too.
      ([event("created", of("a")), error, event("created", of("b"))], "0* 0 0* / /"),
      ([event("created", of("a")), event("created", of("a"))], "0* 0* / /"),
      // Without ids another begins beside the one before.
      ([event("created"), event("created"), event("completed")], "0* 1* 1 /"),
      // One that never ends stays open.
      (
        [
          event("created", of("a")), event("created", of("b")), event("completed", of("b")),
          event("created", of("c")), event("completed", of("c")),
        ], "0* 1* 1 1* 1 /"
      ),
      // Some servers give one response another id at each event.
      (
        [event("created", of("a")), delta("x"), event("completed", of("b")), delta("y")],
        "0* 0 0 0*"
      ),
    ] as [([String], String)])
  func `each open response has a lane`(lines: [String], expected: String) {
    #expect(lanes(lines) == expected)
  }

  @Test func `more responses at once than there are lanes cut the one heard of longest ago`() {
    let lines = (0...ResponseTable.mostOpen).map { event("created", of("\($0)")) }
    let told = lanes(lines).split(separator: " ")
    #expect(told[ResponseTable.mostOpen - 1] == "\(ResponseTable.mostOpen - 1)*")
    #expect(told[ResponseTable.mostOpen] == "0*")
  }

  @Test func `a failure whose lane another response takes is told before`() {
    let lines = (0..<100).map {
      #"{"type":"error","message":"m","oresp":{"request":"\#($0)"}}"#
    }
    #expect(lanes(lines).filter { $0 == "/" }.count == 100)
  }
}
