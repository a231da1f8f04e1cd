import Core
import Testing

/// What each of `lines` is to its response: `*` where it is the first of one, `/` where the one
/// before was cut.
private func steps(_ lines: [String]) -> String {
  var life = Lifecycle()
  return lines.map { line in
    let bytes = Array(line.utf8)
    let event = Event(of: bytes.span)
    guard event.type != nil else { return "?" }
    let step = life.handle(event, bytes.span)
    return "\(step.leavesCut ? "/" : "")\(step.isFirst ? "*" : "")\(step.kind)"
  }.joined(separator: " ")
}

private func event(_ name: String, _ id: String? = nil, _ number: Int? = nil, more: String = "")
  -> String
{
  let response = id.map { #","response":{"id":"\#($0)"}"# } ?? ""
  let number = number.map { #","sequence_number":\#($0)"# } ?? ""
  return #"{"type":"response.\#(name)"\#(response)\#(number)\#(more)}"#
}

private let error = #"{"type":"error","message":"m"}"#
private let piece = #"{"type":"transcript.text.delta","delta":"a"}"#
private let segment = #"{"type":"transcript.text.segment","text":"a"}"#
private let text = #"{"type":"transcript.text.done","text":"a"}"#
private let sound = #"{"type":"speech.audio.delta","audio":"YQ=="}"#
private let synthetic = #","oresp":{"synthetic":true}"#

@Suite struct LifecycleTests {
  @Test(
    arguments: [
      (
        [
          event("created", "a"), event("in_progress", "a"), event("output_text.delta"),
          event("completed", "a"),
        ],
        "*begins goesOn inside ends"
      ),
      (
        [event("queued", "a"), event("in_progress", "a"), event("created", "a")],
        "*begins goesOn /*begins"
      ),
      ([event("created", "a"), event("created", "b")], "*begins /*begins"),
      // Another id is another response; an id that is missing tells nothing.
      (
        [event("created", "a"), event("queued", "b"), event("completed", "b")],
        "*begins /*begins ends"
      ),
      ([event("created", "a"), event("in_progress"), event("done")], "*begins goesOn ends"),
      (
        [event("in_progress"), event("in_progress", "a"), event("queued", "b")],
        "*begins goesOn /*begins"
      ),
      // A server that gives each event another id.
      (
        [event("created", "a", 0), event("in_progress", "b", 1), event("completed", "c", 2)],
        "*begins goesOn ends"
      ),
      (
        [event("created", "a", 0), event("in_progress", "a", 1), event("queued", "b", 1)],
        "*begins goesOn /*begins"
      ),
      // Errors.
      ([event("created", "a"), error, event("failed", "a")], "*begins fails ends"),
      ([event("created", "a"), error, event("in_progress", "a")], "*begins fails goesOn"),
      ([event("created", "a"), error, event("queued", "b")], "*begins fails /*begins"),
      ([error, event("created", "a")], "fails /*begins"), ([error, event("failed")], "fails ends"),
      // Whole responses, and an end that comes twice: whether that is one, `Judge` decides.
      (
        [event("completed", "a"), event("completed", "b"), event("completed")], "*ends *ends *ends"
      ),
      (
        [event("created", "a"), event("completed", "a"), event("completed", "a")],
        "*begins ends *ends"
      ),
      ([event("created", "a"), event("completed", "b", more: synthetic)], "*begins /*ends"),
      (
        [event("created", "a"), event("completed", "a"), event("in_progress", "b")],
        "*begins ends *begins"
      ),
      (
        [event("created", "a"), event("completed", "a"), event("in_progress", "a")],
        "*begins ends inside"
      ), ([event("connecting"), event("keep_alive")], "inside inside"),
      // Streams of other endpoints.
      ([piece, segment, text, piece, text], "*begins inside ends *begins ends"),
      ([text, text, error, piece, text], "*ends *ends fails inside ends"),
      ([piece, sound, event("created", "a"), piece], "*begins /*begins /*begins /*begins"),
      ([piece, event("completed", "a"), event("queued", "b")], "*begins /*ends *begins"),
      ([event("created", "a"), text], "*begins /*ends"),
    ] as [([String], String)])
  func `events tell where responses begin, fail and end`(lines: [String], expected: String) {
    #expect(steps(lines) == expected)
  }
}
