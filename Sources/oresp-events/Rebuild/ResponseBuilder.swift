package import Core

/// Rebuilds Response objects from their events, as tolerantly as servers demand (accumulating: the
/// events that every kind of server was seen to send).
///
/// Events are tied to items by `output_index`; where that is missing, by the item's id, or else they
/// belong to the last item of their kind that is open. What a `done` event brings stands for the sum
/// of its deltas; what the terminal event brings, for all, but for an output that is shorter than
/// what was streamed. It holds one response's items, not its events.
package struct ResponseBuilder {
  /// An item that has ended.
  package struct Item {
    package var outputIndex: Int
    /// The item's JSON, on one line.
    package var json: [UInt8]
  }

  /// A response that has ended.
  package struct Response {
    /// The object's JSON, on one line.
    package var json: [UInt8]
    /// Whether its own end was missing, so that it is what was streamed so far.
    package var isTruncated: Bool
  }

  /// The items that ended since they were taken last, each once, in the order in which they did.
  private var finishedItems: [Item] = []
  /// The responses that ended since they were taken last.
  private var finishedResponses: [Response] = []

  /// The response as it was sent last, before its end.
  private var snapshot: JSONValue?
  private var items = Indexed<ItemBuilder>()
  /// The indexes of items by their ids, as those are spelled.
  private var indexes: [[UInt8]: Int] = [:]
  /// The indexes of items that are in `finishedItems` or were taken from it.
  private var told: Set<Int> = []
  /// An error event's own error, until the response ends.
  private var error: JSONValue?
  /// Whether anything of a response came that has not ended.
  private var isOpen = false

  package init() {}

  /// Gives away the items that have ended.
  package mutating func takeItems() -> [Item] {
    defer { finishedItems = [] }
    return finishedItems
  }

  /// Gives away the responses that have ended.
  package mutating func takeResponses() -> [Response] {
    defer { finishedResponses = [] }
    return finishedResponses
  }

  /// Takes an event, whose line is `line`; false when the line is broken JSON, which changes
  /// nothing.
  package mutating func handle(_ type: EventType, _ line: Span<UInt8>) -> Bool {
    let row = type.row
    guard Self.matters(row), let members = EventMembers(line, row) else {
      return !Self.matters(row)
    }
    switch row.family {
    case .lifecycle: takeLifecycle(row, members, line)
    case .error:
      isOpen = true
      error = JSONValue(object: line)
    default:
      isOpen = true
      takeItemEvent(row, members, line)
    }
    return true
  }

  /// Takes the end of the input: what is left of a response has no end of its own.
  package mutating func finish() {
    guard isOpen else { return }
    tellItems()
    var response = snapshot ?? .object([("object", .text("response"))])
    if let error {
      response["status"] = .text("failed")
      response["error"] = Self.describe(error)
    } else {
      response["status"] = .text("incomplete")
      response["incomplete_details"] = .object([("reason", .text("truncated_stream"))])
    }
    response["output"] = streamedOutput
    finishedResponses.append(Response(json: response.line, isTruncated: error == nil))
    clear()
  }

  /// Whether an event of this kind changes a response.
  private static func matters(_ row: EventCatalogue.Row) -> Bool {
    switch row.family {
    case .keepalive, .metadata, .websocket, .websocketClient, .audio, .audioTranscript: false
    default: true
    }
  }

  private mutating func takeLifecycle(
    _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>
  ) {
    switch row.phase {
    case .terminal: end(row.name.description, members, line)
    case .start:
      finish()
      fallthrough
    default:
      isOpen = true
      if let place = members.response {
        snapshot = JSONValue(object: line.extracting(place)) ?? snapshot
      }
    }
  }

  private mutating func end(_ name: String, _ members: EventMembers, _ line: Span<UInt8>) {
    var json: [UInt8]
    var outputCount = 0
    if let place = members.response, let response = JSONValue(object: line.extracting(place)) {
      json = [UInt8](copying: line.extracting(place))
      outputCount = takeOutput(of: json)
      if outputCount < items.count {
        var patched = response
        patched["output"] = streamedOutput
        json = patched.line
      }
    } else {
      var response = snapshot ?? .object([("object", .text("response"))])
      response["status"] = .text(String(name.dropFirst("response.".count)))
      response["output"] = streamedOutput
      json = response.line
    }
    tellItems()
    finishedResponses.append(Response(json: json, isTruncated: false))
    clear()
  }

  /// Takes the items of a whole response that its events did not end. Returns how many it has.
  private mutating func takeOutput(of response: [UInt8]) -> Int {
    guard let output = JSONChildren.value(of: "output", in: response.span) else { return 0 }
    var children = JSONChildren(at: output.lowerBound)
    var count = 0
    while let child = children.next(in: response.span) {
      if !told.contains(count) {
        told.insert(count)
        finishedItems.append(Item(outputIndex: count, json: Array(response[child.value])))
      }
      count += 1
    }
    return count
  }

  /// Tells of the items that no event ended, now that their response has.
  private mutating func tellItems() {
    for (index, item) in items.sorted where !told.contains(index) {
      told.insert(index)
      finishedItems.append(Item(outputIndex: index, json: item.value.line))
    }
  }

  private var streamedOutput: JSONValue { .array(items.sorted.map(\.value.value)) }

  private mutating func clear() {
    let (items, responses) = (finishedItems, finishedResponses)
    self = ResponseBuilder()
    (finishedItems, finishedResponses) = (items, responses)
  }

  /// The `error` of a response that an error event ended.
  private static func describe(_ event: JSONValue) -> JSONValue {
    if case .raw(let nested)? = event["error"], nested.first == ASCII.openBrace {
      return .raw(nested)
    }
    let told = APIError(in: event.line.span)
    return .object([
      ("code", told.code.isEmpty ? .null : .text(told.code)), ("message", .text(told.message)),
    ])
  }

  private mutating func takeItemEvent(
    _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>
  ) {
    let kind = Self.itemType(row.family)
    let index = place(of: members, kind: kind, line)
    items.update(index, with: ItemBuilder(type: kind ?? "message")) { item in
      item.take(row, members, line)
    }
    guard row.family == .outputItem, let place = members.item else { return }
    if let id = items[index]?.id, !id.isEmpty { indexes[id] = index }
    guard row.phase == .done else { return }
    if told.insert(index).inserted {
      finishedItems.append(
        Item(outputIndex: index, json: [UInt8](copying: line.extracting(place))))
    }
  }

  /// The index of the item that an event belongs to.
  private func place(
    of members: EventMembers, kind: String?, _ line: Span<UInt8>
  ) -> Int {
    if let index = members.outputIndex { return index }
    if let place = members.itemID, let known = indexes[[UInt8](copying: line.extracting(place))] {
      return known
    }
    let open = kind.flatMap { kind in items.lastIndex { !$0.isDone && $0.type == kind } }
    return open ?? (items.last ?? -1) + 1
  }

  /// The type of the items that events of `family` are about; `nil` when they may be about any, and
  /// open one where they name none.
  private static func itemType(_ family: EventFamily) -> String? {
    switch family {
    case .outputItem: nil
    case .contentPart: "message"
    default: family.itemType ?? family.rawValue
    }
  }
}
