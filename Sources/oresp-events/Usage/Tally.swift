import Core

/// The events of one response, counted.
struct Tally {
  private(set) var events = 0
  private(set) var times = EventTimes()
  private var bytes = 0
  /// For each type of the catalogue, its events and their bytes.
  private var known = [Count](repeating: Count(), count: EventCatalogue.rows.count)
  /// The same for other types, by their names.
  private var others: [String: Count] = [:]
  private var items = Indexed<ItemSpan>()

  private struct Count {
    var events = 0
    var bytes = 0

    mutating func take(_ line: Span<UInt8>) {
      events += 1
      bytes += line.count
    }
  }

  /// More names than this are counted together, so that memory has a bound.
  private static let mostOthers = 1000

  /// Takes an event; `members` is `nil` when it is broken.
  mutating func handle(_ event: Event, _ members: EventMembers?, _ line: Span<UInt8>) {
    events += 1
    bytes += line.count
    if let type = event.type { known[type.index].take(line) } else { countOther(event, line) }
    let time = members == nil ? nil : EventTimes.stamp(of: line)
    if let time {
      let isText = event.type?.family == .outputText
      times.take(time, number: members?.sequenceNumber, isText: isText)
    }
    guard event.type?.family == .outputItem, let members, let index = members.outputIndex else {
      return
    }
    let isEnd = event.type?.phase == .done
    items.update(index, with: ItemSpan()) { $0.take(members, line, time, isEnd: isEnd) }
  }

  /// The counts as members of a JSON object.
  var members: [(name: String, value: JSONValue)] {
    let items = items.sorted.map { JSONValue.object($0.value.members(index: $0.index)) }
    return [
      ("events", .integer(events)), ("bytes", .integer(bytes)), ("types", .object(types)),
      ("family_bytes", .object(families)), ("items", .array(items)),
    ]
  }

  private mutating func countOther(_ event: Event, _ line: Span<UInt8>) {
    var name = ""
    if let place = event.typeName {
      name = String(
        decoding: JSONString.decoded(inside: line.extracting(place)), as: UTF8.self)
    }
    if others[name] == nil, others.count >= Self.mostOthers { name = "oresp.other" }
    others[name, default: Count()].take(line)
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

  mutating func take(_ members: EventMembers, _ line: Span<UInt8>, _ time: Int?, isEnd: Bool) {
    if let item = members.item,
      let place = JSONChildren.value(of: "type", in: line.extracting(item))
    {
      type = .raw([UInt8](copying: line.extracting(item).extracting(place)))
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
