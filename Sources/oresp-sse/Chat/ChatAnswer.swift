import Core

/// One answer of Chat Completions on its way to become a response.
struct ChatAnswer {
  let id: String

  /// The lines of the events that were made; whoever gives them on takes them away.
  var events: [[UInt8]] = []
  /// What is left out or guessed; the same.
  var notes: [String] = []

  let head: ChatItem.Members
  var sequenceNumber = 0
  var items: [ChatItem] = []
  /// The places of the items that go on: the message, the reasoning, and the call that came last.
  var message: Int?
  var reasoning: Int?
  var lastCall: Int?
  /// The places of the calls by the server's index.
  var calls: [Int: Int] = [:]
  /// Annotations that came before the text that they are of.
  var earlyAnnotations: [[UInt8]] = []
  /// What a search consulted, each address once.
  var sources: [JSONValue] = []
  var sourceURLs: Set<[UInt8]> = []
  /// Whether sound came, and whether the text is what it says.
  var (hasAudio, isSpoken) = (false, false)

  /// Begins the response that `object`, a chunk or a whole answer, is of.
  init(_ object: Span<UInt8>, id: String) {
    self.id = id
    let known: [(name: String, value: JSONValue?)] = [
      ("created_at", JSONChildren.raw(of: "created", in: object)),
      ("model", JSONChildren.raw(of: "model", in: object)),
      ("service_tier", JSONChildren.raw(of: "service_tier", in: object)),
      ("system_fingerprint", JSONChildren.raw(of: "system_fingerprint", in: object)),
    ]
    head =
      [("id", .text(id)), ("object", "response")]
      + known.compactMap { member in member.value.map { (member.name, $0) } }
    for type in ["created", "in_progress"] {
      send("response.\(type)", [("response", response("in_progress"))])
    }
  }

  /// Adds a piece of text to the part of `type` that goes on, or to a new one. False when it is no
  /// text, or empty.
  @discardableResult
  mutating func add(
    _ value: Span<UInt8>, as type: String, logprobs: [JSONValue] = []
  ) -> Bool {
    guard value.count > 2, value[0] == ASCII.quote else { return false }
    let text = [UInt8](copying: value.extracting(1..<value.count - 1))
    let isReasoning = type == "reasoning_text"
    let item =
      (isReasoning ? reasoning : message)
      ?? open(isReasoning ? "reasoning" : "message")
    if isReasoning {
      reasoning = item
    } else {
      message = item
      reasoning = nil
    }
    var part = items[item].parts.lastIndex { $0.type == type }
    if part == nil {
      part = items[item].parts.count
      let made = ChatItem.Part(type: type)
      items[item].parts.append(made)
      send("response.content_part.added", at: item, part, [("part", made.json)])
      if type == "output_text" { sendEarlyAnnotations() }
    }
    guard let part else { return false }
    items[item].parts[part].text += text
    items[item].parts[part].logprobs += logprobs
    let told: ChatItem.Members = type == "output_text" ? [("logprobs", .array(logprobs))] : []
    send(
      "response.\(type).delta", at: item, part, [("delta", ChatItem.string(text))] + told)
    return true
  }

  /// Opens an item; returns its place.
  mutating func open(
    _ type: String, _ members: ChatItem.Members = []
  ) -> Int {
    let prefixes = [
      "message": "msg", "reasoning": "rs", "function_call": "fc", "web_search_call": "ws",
    ]
    let place = items.count
    let item = ChatItem(
      type: type, id: "\(prefixes[type] ?? "ig")_\(id)_\(place)", members: members)
    items.append(item)
    send(
      "response.output_item.added", at: place, nil, [("item", item.json("in_progress"))])
    return place
  }

  /// Ends the items and the response.
  mutating func finish(_ end: ChatEnd, _ usage: JSONValue?) {
    if !earlyAnnotations.isEmpty { notes.append("an annotation without a text is left out") }
    let status = end.status == "completed" ? "completed" : "incomplete"
    if !sources.isEmpty {
      let action: JSONValue = ["type": "search", "query": "", "sources": .array(sources)]
      _ = open("web_search_call", [("action", action)])
    }
    if hasAudio, let message {
      send("response.output_audio.done", at: message, 0, [])
    }
    for (place, item) in items.enumerated() {
      for (index, part) in item.parts.enumerated() {
        let isText = part.type == "output_text"
        send(
          "response.\(part.type).done", at: place, index,
          [(part.member, ChatItem.string(part.text))]
            + (isText ? [("logprobs", .array(part.logprobs))] : []))
        send("response.content_part.done", at: place, index, [("part", part.json)])
      }
      if item.type == "function_call" {
        let name = item.members.filter { $0.name == "name" }
        send(
          "response.function_call_arguments.done", at: place, nil,
          name + [("arguments", ChatItem.string(item.arguments))])
      }
      send(
        "response.output_item.done", at: place, nil, [("item", item.json(status))])
    }
    var whole = response(end.status)
    whole["error"] = end.error
    whole["incomplete_details"] = end.details
    whole["output"] = .array(items.map { $0.json(status) })
    whole["usage"] = usage ?? .null
    send("response.\(end.status)", [("response", whole)])
  }

  func response(_ status: String) -> JSONValue {
    .object(
      head + [
        ("status", .text(status)), ("error", .null), ("incomplete_details", .null),
        ("output", []), ("usage", .null),
      ])
  }

  /// Sends an event about the item at `place`, and the part of it at `index`, if one is meant.
  mutating func send(
    _ type: String, at place: Int, _ index: Int?, _ members: ChatItem.Members
  ) {
    var about: ChatItem.Members = [("output_index", .integer(place))]
    if !type.hasPrefix("response.output_item") {
      about.insert(("item_id", .text(items[place].id)), at: 0)
    }
    if let index { about.append(("content_index", .integer(index))) }
    send(type, about + members)
  }

  mutating func send(
    _ type: String, _ members: ChatItem.Members
  ) {
    let start: ChatItem.Members = [
      ("type", .text(type)), ("sequence_number", .integer(sequenceNumber)),
    ]
    sequenceNumber += 1
    events.append(JSONValue.object(start + members).line)
  }
}
