import Core

/// When one response and its items came, and how it ended: what a timeline is drawn from. It grows
/// with the items, not with the events.
struct Timeline: ResponseRecord {
  private(set) var times = EventTimes()
  /// When the response was taken from the queue; `nil` when it was in none.
  private(set) var queuedUntil: Int?
  private var isQueued = false
  private var router = ItemRouter()
  /// By their numbers in the router.
  private var items: [TimelineItem] = []

  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) {
    guard let time = Stamp.microseconds(of: event, line) else { return }
    times.note(time, of: event, line)
    if event.type?.row.name.description == "response.queued" { isQueued = true }
    if isQueued {
      queuedUntil = time
      isQueued = ["response.created", "response.queued"]
        .contains(event.type?.row.name.description)
    }
    guard let type = event.type, type.isAboutItem else { return }
    let members = EventMembers(event, line)
    let number = router.item(of: type, members, line)
    while items.count <= number { items.append(TimelineItem()) }
    if items[number].type.isEmpty || members.item != nil {
      items[number].type = router.type(of: number)
    }
    if let item = members.item { items[number].note(at: item, of: event, line) }
    items[number].isDone = router.items[number].isDone
    items[number].times.note(time, of: event, line)
  }

  /// The items in the order of the output.
  var inOrder: [TimelineItem] { router.inOrder.map { items[$0] } }
}

/// One output item of a response.
struct TimelineItem {
  var type = ""
  var times = EventTimes()
  var isDone = false
  private(set) var hasFailed = false
  private var name = ""
  private var query = ""

  /// No more of a name or query is kept, in characters.
  private static let longest = 200

  /// Notes the item at `place` in the line of `event`.
  mutating func note(at place: Range<Int>, of event: borrowing Event, _ line: Span<UInt8>) {
    let told = StatusItem(at: place, of: event, line)
    if !told.name.isEmpty { name = String(told.name.prefix(Self.longest)) }
    if !told.query.isEmpty { query = String(told.query.prefix(Self.longest)) }
    let status = event.members.value(of: "status", inside: place, of: line)
    let spelled = line.extracting(status ?? 0..<0)
    hasFailed = spelled.equals("\"failed\"") || spelled.equals("\"incomplete\"")
  }

  /// What people call it: its type in words, and what is called or searched for.
  var label: String {
    let words = StatusItem.words(ItemCatalogue.kin(of: type))
    let short = words.hasSuffix(" call") ? String(words.dropLast(5)) : words
    var label = short.isEmpty ? "item" : String(short.prefix(Self.longest))
    if !name.isEmpty, name != words { label += " " + name }
    if !query.isEmpty { label += " \"\(query)\"" }
    return label
  }

  /// What it is, as far as colours tell.
  var kind: WaterfallKind {
    let type = ItemCatalogue.kin(of: type)
    if type == "reasoning" { return .reasoning }
    if type.contains("search") { return .search }
    return ["message", "transcription"].contains(type) ? .text : .tool
  }
}

extension EventType {
  /// Whether such events are about an output item, or about what another endpoint makes.
  fileprivate var isAboutItem: Bool {
    switch family {
    case .lifecycle, .error, .keepalive, .metadata, .websocket, .websocketClient: false
    default: true
    }
  }
}
