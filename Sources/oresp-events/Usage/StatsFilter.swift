package import Core

/// Prints a line of figures for each response: what came, and how fast.
package struct StatsFilter: EventFilter {
  private var records = ResponseRecords<Tally>()

  package init() {}

  package var hasOther: Bool { records.hasLogged }

  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    for closed in records.handle(event, line, into: &output) { print(closed, into: &output) }
  }

  package mutating func finish(into output: inout Output) {
    for closed in records.finish() { print(closed, into: &output) }
  }

  private func print(_ closed: ResponseRecords<Tally>.Closed, into output: inout Output) {
    let (facts, tally) = (closed.facts, closed.record)
    let line = JSONValue.object(
      [("response_id", facts.id), ("model", facts.model), ("status", facts.status)]
        + tally.members + tally.times.members(outputTokens: facts.tokens[.output])
    ).line
    output.append(line: line.span)
  }
}

/// The events of one response, counted.
struct Tally: ResponseRecord {
  private var events = 0
  private(set) var times = EventTimes()
  private var bytes = 0
  /// For each type of the catalogue, its events and their bytes.
  private var known = [Count](repeating: Count(), count: EventCatalogue.rows.count)
  /// The same for other types, by their names.
  private var others: [String: Count] = [:]
  /// The items, and from when to when each was made.
  private var router = ItemRouter()
  private var spans: [ItemSpan] = []

  private struct Count {
    var events = 0
    var bytes = 0

    mutating func add(_ line: Span<UInt8>) {
      events += 1
      bytes += line.count
    }
  }

  init() {}

  /// A log tells how long the run took, but nothing of its events.
  init(logged line: Span<UInt8>) {
    let elapsed = JSONChildren.value(of: "elapsed_seconds", in: line)
    times = EventTimes(microseconds: Stamp.microseconds(elapsed, in: line))
  }

  /// More names than this are counted together, so that memory has a bound.
  private static let mostOthers = 1000

  var isEmpty: Bool { events == 0 }

  mutating func handle(_ event: Event, _ members: EventMembers?, _ line: Span<UInt8>) {
    events += 1
    bytes += line.count
    if let type = event.type { known[type.index].add(line) } else { countOther(event, line) }
    let time = members == nil ? nil : Stamp.microseconds(of: line)
    if let time {
      let isText = [.outputText, .transcription].contains(event.type?.family)
      times.note(time, number: members?.sequenceNumber, isText: isText)
    }
    guard let type = event.type, type.family == .outputItem, let members else { return }
    let number = router.item(of: type, members, line)
    if number == spans.count { spans.append(ItemSpan()) }
    spans[number].note(members, line, time, isEnd: type.phase == .done)
  }

  /// The counts as members of a JSON object.
  var members: [(name: String, value: JSONValue)] {
    let items = router.inOrder.map { number in
      JSONValue.object(spans[number].members(index: router.items[number].place))
    }
    return [
      ("events", .integer(events)), ("bytes", .integer(bytes)), ("types", .object(types)),
      ("family_bytes", .object(families)), ("items", .array(items)),
    ]
  }

  private mutating func countOther(_ event: Event, _ line: Span<UInt8>) {
    var name = ""
    if let place = event.typeName {
      name = JSONString.text(inside: line.extracting(place))
    }
    if others[name] == nil, others.count >= Self.mostOthers { name = "oresp.other" }
    others[name, default: Count()].add(line)
  }

  private var types: [(name: String, value: JSONValue)] {
    let counted = zip(EventCatalogue.rows, known).filter { $0.1.events > 0 }
      .map { ($0.0.name.description, JSONValue.integer($0.1.events)) }
    return counted
      + others.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.integer($0.value.events)) }
  }

  private var families: [(name: String, value: JSONValue)] {
    var families: [(name: String, bytes: Int)] = []
    let other = others.values.reduce(0) { $0 + $1.bytes }
    let counted = zip(EventCatalogue.rows, known).map { ($0.0.family.rawValue, $0.1.bytes) }
    for (name, bytes) in counted + [("other", other)] where bytes > 0 {
      if let place = families.firstIndex(where: { $0.name == name }) {
        families[place].bytes += bytes
      } else {
        families.append((name, bytes))
      }
    }
    return families.map { ($0.name, .integer($0.bytes)) }
  }
}

/// From when to when an item was made.
struct ItemSpan {
  private var type = JSONValue.null
  private var start: Int?
  private var end: Int?

  mutating func note(_ members: EventMembers, _ line: Span<UInt8>, _ time: Int?, isEnd: Bool) {
    if let item = members.item {
      type = JSONChildren.raw(of: "type", in: line.extracting(item)) ?? type
    }
    if isEnd { end = time } else { start = start ?? time }
  }

  func members(index: Int) -> [(name: String, value: JSONValue)] {
    [
      ("output_index", .integer(index)), ("type", type),
      ("seconds", EventTimes.seconds(from: start, to: end)),
    ]
  }
}
