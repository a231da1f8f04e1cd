import Core
import TestSupport
import Testing

/// Lets the events of some types through, drops those of others, and shows the rest; counts all.
private struct SortFilter: EventFilter {
  private var (seen, shown) = (0, 0)

  private static func course(of type: EventType) -> EventCourse {
    switch type.phase {
    case .delta: .pass
    case .done: .drop
    default: .handle
    }
  }

  var triage: EventTriage { EventTriage(unknown: .handle, course: Self.course) }

  mutating func note(_ skimmed: SkimmedEvents) {
    seen += skimmed.count
    shown += skimmed.passed
  }

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
    seen += 1
    let course = event.type.map { $0.isJudged ? .handle : Self.course(of: $0) } ?? .handle
    if course == .drop { return }
    shown += 1
    if course == .handle {
      let type = event.typeName.map { String(decoding: line.extracting($0)) } ?? "-"
      output.bytes.append("\(event.place.line) \(event.place.byte) \(type) ")
    }
    output.append(line: line)
  }

  mutating func finish(into output: inout Output) {
    output.bytes.append("\(shown) of \(seen)\n")
  }
}

/// The JSON of events, as servers write it and otherwise.
private let lines: [String] = [
  #"{"type":"response.output_text.delta","sequence_number":1,"delta":"a"}"#,
  #"{"type":"response.output_text.delta","sequence_number":2,"delta":"é\n"}"#,
  #"{"type": "response.output_text.delta", "delta":"東"}"#,
  #"{"delta":"x","type":"response.output_text.delta"}"#,
  #"{"type":"response.output_text.\u0064elta"}"#,
  #"{"type":"response.output_text.done","sequence_number":3,"text":"a"}"#,
  #"{"type":"response.output_text.done","text":["a",{"b":1.5e3}]}"#,
  #"{"type":"response.output_text.done" }"#,
  #"{"type":"response.created","sequence_number":4,"response":{"id":"r"}}"#,
  #"{"type":"response.completed","sequence_number":5,"response":{"id":"r","status":"completed"}}"#,
  #"{"type":"error","code":"server_error","message":"m"}"#,
  #"{"type":"own.type"}"#, #"{"type":7}"#, #"{"a":1}"#, "{}", #"{"object":"response","id":"d"}"#,
]

private let brokenLines: [String] = [
  #"{"type":"response.output_text.delta","delta":}"#,
  #"{"type":"response.output_text.delta","delta":"a""#, #"{"type":"response.output_text.d"#,
  "[DONE]", "oh no", "",
]

/// A selection of three responses without their beginnings, whose events go on with each other, change
/// their item, and begin the next response by their item or by their number.
private let selection = [
  ("m", 0, 3), ("m", 0, 4), ("m", 0, 6), ("n", 1, 7), ("n", 1, 8), ("o", 0, 1), ("o", 0, 2),
  ("o", 0, 3), ("o", 0, 3), ("p", 1, 4), ("p", 1, 2), ("p", 1, 5), ("q", 0, 6), ("q", 0, 7),
].map { id, index, number in
  let place = #""item_id":"\#(id)","output_index":\#(index),"sequence_number":\#(number)"#
  return #"{"type":"response.output_text.delta",\#(place),"delta":"x"}"# + "\n"
}.joined()

/// A stream with what may stand in one between such lines. Its numbers rise: what falling numbers
/// show of an event's response is unknown where the events are passed over.
private func stream(isSSE: Bool, _ random: inout SeededGenerator) -> [UInt8] {
  var bytes: [UInt8] = []
  for number in 0..<Int.random(in: 1...12, using: &random) {
    let ends = isSSE ? ["\r\n", "\r"] : ["\r\n", "\r", " ", ""]
    let end = Int.random(in: 0...9, using: &random) == 0 ? ends.randomElement(using: &random) : "\n"
    let line = ((lines + brokenLines).randomElement(using: &random) ?? "")
      .replacing(/"sequence_number":\d/, with: "\"sequence_number\":\(number)")
    var block = [line]
    if isSSE {
      block = ["event: x", "data: \(line)", ""]
      switch Int.random(in: 0...19, using: &random) {
      case 0: block.insert("id: 7", at: 1)
      case 1: block[1] = "data:\(line)"
      case 2: block.insert("retry: 9", at: 2)
      case 3: block.insert(": note", at: 0)
      case 4: block.insert("data: ", at: 2)
      case 5: block.insert("other: 1", at: 0)
      case 6: block.removeLast()
      case 7...12: block.removeFirst()
      default: break
      }
    }
    bytes += Array(block.map { $0 + (end ?? "") }.joined().utf8)
    if line.contains("delta"), Int.random(in: 0...30, using: &random) == 0 {
      bytes[bytes.count - Int.random(in: 1...min(20, bytes.count), using: &random)] = 0xFF
    }
  }
  return bytes
}

@Suite struct EventTriageTests {
  private static func pipe(limit: Int = 0, skims: Bool) -> EventPipe<SortFilter> {
    var settings = EventReader.Settings()
    settings.limit = limit
    return EventPipe(SortFilter(), reading: settings, needing: .typed, skims: skims)
  }

  @Test(arguments: [false, true])
  func `events that are sorted by type give the same as all events`(
    isSSE: Bool
  ) {
    var random = SeededGenerator()
    for _ in 0..<400 {
      let limit = [0, 0, 40].randomElement(using: &random) ?? 0
      let bytes = stream(isSSE: isSSE, &random)
      let chunks = randomCuts(of: bytes, .random(in: 0...6, using: &random), using: &random)
      var sorted = feed(Self.pipe(limit: limit, skims: true), chunks)
      var taken = feed(Self.pipe(limit: limit, skims: false), [bytes])
      sorted.notices.sort()
      taken.notices.sort()
      #expect(
        sorted == taken,
        "\(String(decoding: bytes, as: UTF8.self)) cut as \(chunks.map(\.count)), seed \(random.seed)"
      )
    }
  }

  @Test(arguments: [
    "data: \(lines[0])\n\nevent: x\ndata: \(lines[5])\n\ndata: \(lines[1])\n\n",
    "\(lines[8].replacing("4", with: "0"))\n\(lines[0])\n\(lines[1])\n\(lines[5])\n\(lines[2])\n\(lines[11])\n",
    selection,
  ])
  func `sorting shows no cut`(stream: String) {
    let whole = feed(Self.pipe(skims: false), [Array(stream.utf8)])
    let wrong = mismatches(feeding: stream, expecting: whole) {
      Self.pipe(skims: true)
    }
    #expect(wrong == [])
  }

  @Test func `events that pass between two responses count, wherever they were read`() {
    // The numbers alone tell of which of both the end's item is, and of the first they are unknown.
    let lines = [
      #"{"type":"response.created","sequence_number":0,"response":{"id":"a"}}"#,
      #"{"type":"response.output_text.delta","sequence_number":1,"item_id":"m","delta":"x"}"#,
      #"{"type":"response.created","sequence_number":0,"response":{"id":"b"}}"#,
      #"{"type":"response.refusal.delta","sequence_number":1,"item_id":"n","delta":"x"}"#,
      #"{"type":"response.completed","sequence_number":2,"response":{"id":"a","output":[{"id":"n"}]}}"#,
      #"{"type":"response.completed","sequence_number":2,"response":{"id":"b","output":[]}}"#,
    ]
    let stream = lines.map { $0 + "\n" }.joined()
    let whole = feed(Self.pipe(skims: false), [Array(stream.utf8)])
    let wrong = mismatches(feeding: stream, expecting: whole) {
      Self.pipe(skims: true)
    }
    #expect(wrong == [])
  }

  @Test(arguments: [
    (#"{"type":"response.output_text.delta","delta":"x","sequence_number":3}"#, "3"),
    // An error that has no number leaves that of the event before.
    (#"{"type":"error","message":"no"}"#, "2"),
    (#"{"type":"response.failed","response":{"id":"a","status":"failed"}}"#, "2"),
    (#"{"type":"error","message":"no","sequence_number":3}"#, "3"),
    // What else has none is an event of which no number is known.
    (#"{"type":"ping"}"#, ""), (#"{"type":"response.output_text.delta","delta":"x"}"#, ""),
  ])
  func `the last sequence number that is told shows no cut`(last: String, told: String) throws {
    let events = [
      #"{"type":"response.created","sequence_number":0,"response":{"id":"a"}}"#,
      #"{"type":"response.output_text.delta","sequence_number":1,"delta":"x"}"#,
      #"{"type":"response.output_text.delta","sequence_number":2,"delta":"x"}"#, last,
    ]
    let streams = [
      events.map { $0 + "\n" }, events.map { "data: \($0)\n\n" },
      events.map { "data: \($0.dropLast())\ndata: }\n\n" },
    ]
    for (stream, skims) in streams.flatMap({ [($0.joined(), true), ($0.joined(), false)] }) {
      for chunks in splits(of: Array(stream.utf8)) {
        var pipe = Self.pipe(skims: skims)
        var output = Output()
        _ = run(&pipe, chunks, into: &output)
        let facts = output.facts("last_sequence_number")
        #expect(facts == (told.isEmpty ? [] : [told]), "\(stream), cut as \(chunks.map(\.count))")
      }
    }
  }

  @Test func `bytes that are not UTF-8 are replaced, and reported for each event`() {
    for line in [lines[0], lines[5], lines[8]] {
      var stream = Array("event: x\ndata: \(line)\n\ndata: \(line)\n\n".utf8)
      stream[stream.count - 6] = 0xFF
      let sorted = feed(Self.pipe(skims: true), [stream])
      let taken = feed(Self.pipe(skims: false), [stream])
      #expect(sorted == taken)
      #expect(sorted.notices.contains { $0.contains("not UTF-8") })
    }
  }
}
