import Core
import TestSupport
import Testing
import oresp_events

private let created = #"{"type":"response.created","sequence_number":0,"response":{"id":"r"}}"#
private let failed = #"{"type":"response.failed","sequence_number":9,"response":{}}"#
private let error = #"{"type":"error","code":"rate_limit_exceeded","message":"m"}"#

private func added(_ index: Int, _ type: String, id: String) -> String {
  #"{"type":"response.output_item.added","sequence_number":\#(index + 1),"output_index":\#(index),"item":{"id":"\#(id)","type":"\#(type)"}}"#
}

private func delta(_ index: Int, _ number: Int, id: String) -> String {
  #"{"delta":"x", "sequence_number" : \#(number).0,"output_index":\#(index),"item_id":"\#(id)","type":"response.output_text.delta"}"#
}

/// Two responses, whose items stand at other places; the second says it all without an end.
private let lines = [
  created, added(0, "reasoning", id: "a"), added(1, "message", id: "b"), delta(1, 3, id: "b"),
  delta(0, 4, id: "\\u0061"), #"{"type":"response.completed","sequence_number":5,"response":{}}"#,
  created, delta(1, 3, id: "b"), added(0, "message", id: "c"), delta(0, 4, id: "?"),
  #"{"type":"response.web_search_call.completed","web_search_call_id":"w"}"#, error, failed,
]

/// What is selected by, and the places of the lines that go through.
private struct Case {
  var items: [String] = []
  var itemTypes: [String] = []
  var types: [String] = []
  var indexes: [Int] = []
  var after: Int?
  var before: Int?
  var limit: Int?
  var keepsEnds = false
  var expected: [Int]

  func settings() throws -> EventsTool.Settings {
    var settings = EventsTool.Settings()
    settings.selection.place.itemIDs = items.map { Array($0.utf8) }
    for glob in itemTypes { try settings.selection.place.keep(itemType: glob) }
    for glob in types { try settings.selection.types.keep(glob) }
    settings.selection.place.indexes = indexes
    (settings.selection.place.after, settings.selection.place.before) = (after, before)
    (settings.selection.limit, settings.selection.keepsEnds) = (limit, keepsEnds)
    return settings
  }
}

private let cases = [
  Case(items: ["b"], expected: [2, 3, 7]), Case(items: ["a", "w"], expected: [1, 4, 10]),
  Case(itemTypes: ["message"], expected: [2, 3, 7, 8, 9]),
  Case(itemTypes: ["reas*"], expected: [1, 4]), Case(itemTypes: ["x", "reas*"], expected: [1, 4]),
  Case(itemTypes: ["message"], types: ["*.delta"], expected: [3, 7, 9]),
  Case(itemTypes: ["message"], indexes: [1], expected: [2, 3, 7]),
  Case(indexes: [0], expected: [1, 4, 8, 9]), Case(indexes: [7, 1], expected: [2, 3, 7]),
  Case(after: 4, expected: [5, 12]), Case(before: 1, expected: [0, 6]),
  Case(after: 3, before: 5, expected: [4, 9]),
  Case(indexes: [1], after: 1, limit: 2, expected: [2, 3]),
  Case(limit: 0, expected: []), Case(limit: 3, expected: [0, 1, 2]),
  Case(indexes: [1], keepsEnds: true, expected: [0, 2, 3, 5, 6, 7, 11, 12]),
  Case(limit: 1, keepsEnds: true, expected: [0, 5, 6, 11, 12]),
  Case(types: ["{created,error}"], keepsEnds: true, expected: [0, 5, 6, 11, 12]),
]

/// What comes out of `lines`, in one piece and cut in some ways; all ways take too long.
private func outcomes(_ settings: EventsTool.Settings, _ lines: [String]) -> [Outcome] {
  let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
  var generator = SeededGenerator(seed: 1)
  let cuts = (0..<20).map { randomCuts(of: bytes, $0, using: &generator) }
  return (cuts + [bytes.map { [$0] }]).map { chunks in feed(pipe(settings), chunks) }
}

private func pipe(
  _ settings: EventsTool.Settings, isExact: Bool = true
) -> EventPipe<SelectFilter> {
  var settings = settings
  settings.isExact = isExact
  return EventPipe(
    SelectFilter(settings), reading: EventReader.Settings(), needing: .objectsUnlessEmpty)
}

@Suite struct SelectPlaceTests {
  @Test(arguments: cases)
  private func `lines of selected places go through unchanged`(selection: Case) throws {
    let output = selection.expected.map { lines[$0] + "\n" }.joined()
    for outcome in outcomes(try selection.settings(), lines) { #expect(outcome.output == output) }
  }

  @Test(arguments: [(nil, nil, "13\n"), (4, nil, "4\n"), (nil, 1, "3\n"), (nil, 9, "0\n")])
  func `a count is all that is printed`(limit: Int?, index: Int?, expected: String) throws {
    var settings = EventsTool.Settings()
    if let index { settings.selection.place.indexes = [index] }
    settings.selection.limit = limit
    (settings.selection.printsCount, settings.selection.keepsEnds) = (true, true)
    for outcome in outcomes(settings, lines) { #expect(outcome.output == expected) }
  }

  @Test(
    arguments: [
      ([created], 0, .temporary), ([added(0, "x", id: "i")], 0, .completed),
      ([added(0, "x", id: "i")], 1, .negative), ([], 0, .negative), ([created], 1, .temporary),
      ([error], 1, .temporary),
    ] as [([String], Int, Core.ExitStatus)])
  func `nothing selected is status 1 unless the verdict is worse`(
    lines: [String], index: Int, status: Core.ExitStatus
  ) throws {
    var settings = EventsTool.Settings()
    settings.selection.place.indexes = [index]
    settings.selection.needsOne = true
    for outcome in outcomes(settings, lines) { #expect(outcome.status == status) }
  }

  @Test func `a response begins with what comes first, and again behind its end`() throws {
    let queued = #"{"type":"response.queued"}"#
    let progress = #"{"type":"response.in_progress"}"#
    let completed = #"{"type":"response.completed"}"#
    var settings = EventsTool.Settings()
    settings.selection.keepsEnds = true
    settings.selection.limit = 0
    for outcome in outcomes(settings, [queued, progress, completed, progress, queued, completed]) {
      let expected = [queued, completed, progress, completed]
      #expect(outcome.output == expected.map { $0 + "\n" }.joined())
    }
  }

  @Test func `items are told apart by their ids where no index tells them`() throws {
    let lines = [
      #"{"type":"response.output_item.added","item":{"type":"message","id":"m"}}"#,
      #"{"type":"response.output_item.added","item":{"type":"function_call","id":"f"}}"#,
      #"{"type":"response.output_text.delta","item_id":"m","delta":"a"}"#,
      #"{"type":"response.function_call_arguments.delta","item_id":"f","delta":"{"}"#,
      #"{"type":"response.output_text.delta","item_id":"m","delta":"b"}"#,
      #"{"type":"response.in_progress","response":{}}"#,
    ]
    var settings = EventsTool.Settings()
    try settings.selection.place.keep(itemType: "mess*")
    let outcome = feed(pipe(settings), [Array(lines.joined(separator: "\n").utf8)])
    #expect(outcome.output == [lines[0], lines[2], lines[4]].map { $0 + "\n" }.joined())
  }

  @Test func `a broken line is told, and passes all but an exact selection as what it is`() throws {
    let broken = #"{"type":"response.output_text.delta","output_index":1,"delta":"\x"}"#
    let sound = delta(1, 1, id: "b")
    let chunks = [Array("\(sound)\n\(broken)\n\(sound)\n".utf8)]
    var settings = EventsTool.Settings()
    let notice =
      "in: line 2, byte \(sound.utf8.count + 1): not JSON: a backslash starts no escape that JSON knows"
    let kept = EventLine.synthetic(EventLine.unparsed, "data", Array(broken.utf8))
    let line = String(decoding: kept, as: UTF8.self) + "\n"
    let expected = Outcome("\(sound)\n\(line)\(sound)\n", .badInput, [notice])
    #expect(feed(pipe(settings, isExact: false), chunks) == expected)
    settings.selection.place.indexes = [1]
    #expect(feed(pipe(settings, isExact: false), chunks) == expected)
    try settings.selection.types.drop("*.delta")
    #expect(feed(pipe(settings, isExact: false), chunks) == Outcome(line, .badInput, [notice]))
    #expect(feed(pipe(settings), chunks) == Outcome("", .badInput, [notice]))
  }
}
