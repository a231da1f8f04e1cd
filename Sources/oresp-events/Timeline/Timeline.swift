import Core

/// The times of one response and its items, from which a timeline is drawn. It grows with the
/// items, not with the events.
struct Timeline {
  private(set) var times = EventTimes()
  /// The time at which the response left the queue; `nil` when it was in none.
  private(set) var queuedUntil: Int?
  private var isQueued = false
  /// The items by their numbers.
  private var items: [TimelineItem] = []

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) {
    guard let time = Stamp.microseconds(of: event, line) else { return }
    times.note(time, of: event, line)
    let name = event.type?.row.name.description
    if name == "response.queued" { isQueued = true }
    if isQueued {
      queuedUntil = time
      isQueued = name == "response.created" || name == "response.queued"
    }
    let number = event.item
    guard number >= 0 else { return }
    while items.count <= number { items.append(TimelineItem()) }
    if let item = event.object(of: "item", in: line) {
      items[number].note(at: item, of: event, line)
    }
    items[number].times.note(time, of: event, line)
  }

  /// The items in the order of the output.
  private(set) var inOrder: [TimelineItem] = []

  /// Ends the response, of which the items `known` came.
  mutating func close(_ known: ItemRouter) {
    let numbers = known.inOrder.filter { $0 < items.count && items[$0].times.first != nil }
    inOrder = numbers.map { number in
      var item = items[number]
      item.type = known.type(of: number)
      item.isDone = known.items[number].isDone
      return item
    }
  }
}

/// One output item of a response.
struct TimelineItem {
  var type = ""
  var times = EventTimes()
  var isDone = false
  private(set) var hasFailed = false
  private var name = ""
  private var query = ""

  /// The most characters of a name or query that are kept.
  private static let longest = 200

  /// Notes the item at `place` in the line of `event`.
  mutating func note(at place: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>) {
    let item = StatusItem(at: place, of: event, line)
    if !item.name.isEmpty { name = String(item.name.prefix(Self.longest)) }
    if !item.query.isEmpty { query = String(item.query.prefix(Self.longest)) }
    let status = event.text(of: "status", inside: place, in: line)
    hasFailed = status == "failed" || status == "incomplete"
  }

  /// Its type in words, and the name of the tool that is called or the text that is searched for.
  var label: String {
    let words = StatusItem.words(ItemCatalogue.kin(of: type))
    let short = words.hasSuffix(" call") ? String(words.dropLast(5)) : words
    var label = short.isEmpty ? "item" : String(short.prefix(Self.longest))
    if !name.isEmpty, name != words { label += " " + name }
    if !query.isEmpty { label += " \"\(query)\"" }
    return label
  }

  /// Its kind, which has a colour.
  var kind: WaterfallKind {
    let type = ItemCatalogue.kin(of: type)
    if type == "reasoning" { return .reasoning }
    if type.contains("search") { return .search }
    return ["message", "transcription"].contains(type) ? .text : .tool
  }
}
