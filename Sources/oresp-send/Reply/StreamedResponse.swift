import Core

/// The response of a stream that came where a document was asked for. Some servers list no output at
/// its end, and then it has the items that the stream brought:
///
///     {"type":"response.output_item.done","output_index":0,"item":{"type":"message",…}}
///     {"type":"response.completed","response":{"id":"resp_1","output":[],…}}
struct StreamedResponse {
  /// An item, as far as it came.
  private struct Item {
    var index: Int
    /// The item's JSON, of its end or else of its start; empty for none.
    var json: [UInt8] = []
    var isDone = false
    /// The family of the events with its text, and the text of each part, spelled as in JSON.
    var family: EventFamily?
    var parts: [Int: [UInt8]] = [:]
  }

  /// The JSON of the response as it was sent last; empty for none.
  private var response: [UInt8] = []
  /// The items by their numbers.
  private var items: [Int: Item] = [:]

  /// The last response in `stream`, which may be of Chat Completions; `nil` when it has none.
  static func last(in stream: [UInt8]) -> JSONValue? {
    var settings = EventReader.Settings()
    settings.acceptsAnything = true
    var feed = EventFeed(settings, sorting: .handlingAll)
    feed.needsItems = true
    var input = InputBuffer()
    var unused = Output()
    var last = StreamedResponse()
    input.append(stream.span)
    feed.each(in: &input, isEnd: true, into: &unused) { event, line, _ in last.note(event, line) }
    return last.json
  }

  private mutating func note(_ event: borrowing Event, _ line: Span<UInt8>) {
    guard let type = event.type else { return }
    if type.family == .lifecycle, let place = event.object(of: "response", in: line) {
      if event.step == .begins { items = [:] }
      response = line.extracting(place).withoutLineEnds
    }
    guard event.item >= 0 else { return }
    let index = event.integer(of: "output_index", in: line) ?? event.item
    switch type.family {
    case .outputItem:
      guard let place = event.object(of: "item", in: line) else { return }
      let json = line.extracting(place).withoutLineEnds
      items[event.item, default: Item(index: index)].json = json
      items[event.item]?.isDone = type.phase == .done
    case .outputText, .functionCallArguments:
      let piece = event.piece(in: line)
      guard let place = piece ?? event.whole(in: line), line[place.lowerBound] == ASCII.quote else {
        return
      }
      let text = line.extracting(place.lowerBound + 1..<place.upperBound - 1)
      let part = event.partIndex(in: line)
      items[event.item, default: Item(index: index)].family = type.family
      if piece == nil { items[event.item]?.parts[part] = [] }
      items[event.item]?.parts[part, default: []].append(copying: text)
    default: break
    }
  }

  private var json: JSONValue? {
    guard var whole = JSONValue(object: response.span) else { return nil }
    // An empty output is filled; any other is the server's word.
    let output = JSONChildren.elements(at: ["output"], in: response.span)
    let came = items.sorted { ($0.value.index, $0.key) < ($1.value.index, $1.key) }
      .compactMap { Self.json(of: $0.value) }
    guard output.isEmpty, !came.isEmpty else { return .raw(response) }
    whole["output"] = .array(came)
    return whole
  }

  /// The JSON of `item`: of one that has no end, with the text that came.
  private static func json(of item: Item) -> JSONValue? {
    let start = JSONValue(object: item.json.span)
    guard !item.isDone, let family = item.family else { return start.map { _ in .raw(item.json) } }
    let parts = item.parts.sorted { $0.key < $1.key }.map {
      [ASCII.quote] + $0.value + [ASCII.quote]
    }
    switch family {
    case .outputText:
      var message = start ?? ["type": "message", "role": "assistant"]
      message["status"] = "completed"
      message["content"] = .array(
        parts.map { ["type": "output_text", "text": .raw($0), "annotations": .array([])] })
      return message
    default:
      guard var call = start else { return nil }
      call["arguments"] = parts.first.map(JSONValue.raw)
      return call
    }
  }
}
