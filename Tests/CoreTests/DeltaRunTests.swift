import Core
import TestSupport
import Testing

/// Shows each event with all that is known of it, those of a run one by one.
private struct ListFilter: EventFilter {
  let triage: EventTriage
  /// Whether a run came.
  private var hasRuns = false
  private let tellsRuns: Bool

  init(_ triage: EventTriage, tellsRuns: Bool = false) {
    (self.triage, self.tellsRuns) = (triage, tellsRuns)
  }

  mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    guard let run = event.run else { return show(event, line, into: &output) }
    hasRuns = true
    var numbers: [Int?] = []
    for index in run.members.indices {
      let member = line.extracting(run.members[index].line)
      show(run.event(index, of: event), member, into: &output)
      let delta = JSONChildren.value(of: "delta", in: member) ?? 0..<0
      let place = run.members[index].delta
      if !line.extracting(place).equals(member.extracting(delta)) {
        output.bytes.append("another delta\n")
      }
      numbers.append(JSONChildren.integer(of: "sequence_number", in: member))
    }
    let steps = zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0.map { $0 + 1 } }
    if steps != run.isInSequence { output.bytes.append("told a wrong sequence\n") }
  }

  private func show(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    let type = event.typeName.map { String(decoding: line.extracting($0)) } ?? "-"
    let place = "\(event.inputPlace.line) \(event.inputPlace.byte) \(event.lane)"
    output.bytes.append("\(place) \(type) \(event.type?.row.name.description ?? "") ")
    output.append(line: line)
  }

  mutating func finish(into output: inout Output) {
    if tellsRuns { output.bytes.append(hasRuns ? "in runs\n" : "one by one\n") }
  }
}

private func pipe(
  _ filter: ListFilter, validates: Bool = false, limit: Int = 0
) -> EventPipe<ListFilter> {
  var settings = EventReader.Settings()
  (settings.validates, settings.limit) = (validates, limit)
  return EventPipe(filter, reading: settings, needing: .none)
}

/// A delta as servers write them.
private func delta(_ number: Int, _ text: String, padding: String = "pq") -> String {
  #"{"type":"response.output_text.delta","item_id":"m","sequence_number":\#(number),"delta":"\#(text)","logprobs":[],"obfuscation":"\#(padding)"}"#
}

@Suite struct DeltaRunTests {
  @Test(arguments: [
    // The first tells the format, two that are alike teach, and those behind are a run.
    ((1...4).map { delta($0, "a") }, "one by one"), ((1...5).map { delta($0, "a") }, "in runs"),
    (
      (1...5).map { #"{"delta":"a","n":[{}],"x":\#($0 > 9),"type":"response.output_text.delta"}"# },
      "in runs"
    ),
    (
      (1...5).map { #"{"delta":{"a":1},"x":\#($0 > 9),"type":"response.output_text.delta"}"# },
      "one by one"
    ),
    // What adds up, or is the toolkit's own, keeps events apart.
    ((1...5).map { delta($0, "a").replacing("[]", with: #"[{"token":"a"}]"#) }, "one by one"),
    ((1...5).map { delta($0, "a").replacing("{", with: #"{"oresp":{"at":1},"#) }, "one by one"),
    ((1...5).map { delta($0, "a").replacing("delta\":", with: #"del\u0074a":"#) }, "one by one"),
    // So does what the verdict looks at.
    ((1...5).map { delta($0, "a").replacing("output_text", with: "refusal") }, "one by one"),
    (
      (1...5).map { delta($0, "a").replacing("output_text.delta", with: "output_text.done") },
      "one by one"
    ),
  ])
  func `deltas that differ in text, number and padding alone come in runs`(
    lines: [String], expected: String
  ) {
    for stream in [lines.map { $0 + "\n" }, lines.map { "event: x\ndata: \($0)\n\n" }] {
      let bytes = Array(stream.joined().utf8)
      let told = feed(pipe(ListFilter(.gatheringDeltas, tellsRuns: true)), [bytes])
      #expect(told.output.hasSuffix("\(expected)\n"))
    }
  }

  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func `deltas in runs come to the same as one by one`(isSSE: Bool, validates: Bool) {
    var random = SeededGenerator()
    let texts = [
      "a", "", "东京", #"\n\"\\"#, #"\ud83d\ude00"#, "\u{1}", #"\x"#, "{", "}", #"a","b":"c"#,
    ]
    let others = [
      #"{"type":"response.output_text.done","sequence_number":3,"text":"a"}"#, "[DONE]", "oh no",
      "",
      #"{"type":"response.created","sequence_number":0,"response":{"id":"r"}}"#,
      #"{"type":"response.created","response":{"id":"s"},"oresp":{"request":"b"}}"#, #"{"a":1}"#,
      #"{"type":"response.output_text.delta","delta":"a"}"#,
    ]
    for _ in 0..<300 {
      var bytes: [UInt8] = []
      var number = Int.random(in: 8...99, using: &random)
      let isNamed = Bool.random(using: &random)
      let order = Int.random(in: 0...2, using: &random)
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let isOdd = Int.random(in: 0...9, using: &random) == 0
        number += isOdd ? Int.random(in: -9...9, using: &random) : 1
        let text = texts.randomElement(using: &random) ?? ""
        var line = delta(
          number, isOdd ? text : "ab", padding: String(repeating: "p", count: max(0, number % 20)))
        let type = #""type":"response.output_text.delta","#
        if order > 0 {
          // The type stands last, or between what differs.
          line = line.replacing(type, with: "")
          line =
            order == 1
            ? line.dropLast() + "," + type.dropLast() + "}"
            : line.replacing(#""logprobs""#, with: type + #""logprobs""#)
        }
        if Int.random(in: 0...9, using: &random) == 0 {
          line = others.randomElement(using: &random) ?? ""
        }
        let isCRLF = Int.random(in: 0...19, using: &random) == 0
        let end = isCRLF ? "\r\n" : "\n"
        let name = isNamed != isCRLF ? "event: x\(end)" : ""
        bytes += Array((isSSE ? "\(name)data: \(line)\(end)\(end)" : line + end).utf8)
        if Int.random(in: 0...39, using: &random) == 0 {
          bytes[bytes.count - Int.random(in: 1...min(40, bytes.count), using: &random)] = 0xFF
        }
      }
      let limit = [0, 0, 145].randomElement(using: &random) ?? 0
      let chunks = randomCuts(of: bytes, .random(in: 0...4, using: &random), using: &random)
      let runs = feed(
        pipe(ListFilter(.gatheringDeltas), validates: validates, limit: limit), chunks)
      let singles = feed(pipe(ListFilter(.takingAll), validates: validates, limit: limit), [bytes])
      #expect(
        runs == singles,
        "\(String(decoding: bytes, as: UTF8.self)) cut as \(chunks.map(\.count)), seed \(random.seed)"
      )
    }
  }

  @Test func `runs show no cut`() {
    let stream = (1...6).map { "data: \(delta($0, "a\\n"))\n\n" }.joined()
    let whole = feed(pipe(ListFilter(.takingAll)), [Array(stream.utf8)])
    let wrong = mismatches(feeding: stream, expecting: whole) { pipe(ListFilter(.gatheringDeltas)) }
    #expect(wrong == [])
  }
}
