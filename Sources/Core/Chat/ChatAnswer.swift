/// Makes the events of one response out of the pieces of one answer of Chat Completions. Of
///
///     {"id":"c1","choices":[{"index":0,"delta":{"content":"Hi"}}]}
///     {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}
///
/// the first becomes `response.created`, `response.in_progress`, `response.output_item.added`,
/// `response.content_part.added` and
///
///     {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_c1_0",
///      "output_index":0,"content_index":0,"delta":"Hi","logprobs":[]}
///
/// and the second `response.output_text.done`, `response.content_part.done`,
/// `response.output_item.done` and `response.completed`, which has the whole response `c1`.
struct ChatAnswer {
  let id: String

  /// The lines of events that the owner has not taken yet.
  var events: [[UInt8]] = []
  /// Messages on what is left out or guessed that the owner has not taken yet.
  var notes: [String] = []

  /// The members that the response begins with, whatever its state.
  let head: ChatItem.Members
  var sequenceNumber = 0
  var items: [ChatItem] = []
  /// The indices in `items` of the open message, the open reasoning and the last call.
  var message: Int?
  var reasoning: Int?
  var lastCall: Int?
  /// The index in `items` of a call whose start was not sent yet, since more of its name may come.
  private var unsentCall: Int?
  /// The index in `items` of each call that the server gave an `index`.
  var calls: [Int: Int] = [:]
  /// Annotations that came before the first text.
  var earlyAnnotations: [[UInt8]] = []
  /// The sources that a search consulted, each URL once.
  var sources: [JSONValue] = []
  var sourceURLs: Set<[UInt8]> = []
  /// The results of the moderation that the request asked for; `nil` when none came.
  var moderation: JSONValue?
  /// Whether audio came, and whether the text is its transcript.
  var (hasAudio, isSpoken) = (false, false)

  /// Begins the response to which `object`, a chunk or a whole answer, belongs.
  init(_ object: Span<UInt8>, id: String) {
    self.id = id
    var head: ChatItem.Members = [("id", .text(id)), ("object", "response")]
    for name in ["created", "model", "service_tier", "system_fingerprint"] as [StaticString] {
      guard let value = JSONChildren.raw(of: name, in: object) else { continue }
      head.append(("\(name)" == "created" ? "created_at" : "\(name)", value))
    }
    self.head = head
    for type in ["created", "in_progress"] {
      send("response.\(type)", [("response", response("in_progress"))])
    }
  }

  /// Appends a piece of text to the open part of `type`, or to a new one. False when it is no text,
  /// or empty.
  @discardableResult
  mutating func add(_ value: Span<UInt8>, as type: String, logprobs: [JSONValue] = []) -> Bool {
    guard value.count > 2, value[0] == ASCII.quote else { return false }
    let text = [UInt8](copying: value.extracting(1..<value.count - 1))
    let isReasoning = type == "reasoning_text"
    let item = (isReasoning ? reasoning : message) ?? open(isReasoning ? "reasoning" : "message")
    if !isReasoning { message = item }
    reasoning = isReasoning ? item : nil
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
    let more: ChatItem.Members = type == "output_text" ? [("logprobs", .array(logprobs))] : []
    send("response.\(type).delta", at: item, part, [("delta", ChatItem.string(text))] + more)
    return true
  }

  /// Opens an item. Returns its index.
  mutating func open(_ type: String, _ members: ChatItem.Members = []) -> Int {
    let prefixes = [
      "message": "msg", "reasoning": "rs", "function_call": "fc", "web_search_call": "ws",
    ]
    let index = items.count
    let id = "\(prefixes[type] ?? "ig")_\(self.id)_\(index)"
    let item = ChatItem(type: type, id: id, members: members)
    sendCall()
    items.append(item)
    if type == "function_call" { unsentCall = index } else { sendStart(of: index) }
    return index
  }

  /// Sends the start of the last call, if it was not sent yet: its name is whole.
  mutating func sendCall() {
    guard let call = unsentCall else { return }
    unsentCall = nil
    sendStart(of: call)
  }

  private mutating func sendStart(of item: Int) {
    let start = items[item].json("in_progress")
    send("response.output_item.added", at: item, nil, [("item", start)])
  }

  /// Ends the items and the response.
  mutating func finish(_ end: ChatEnd, _ usage: JSONValue?) {
    if !earlyAnnotations.isEmpty { notes.append("an annotation without a text is left out") }
    let status = end.status == "completed" ? "completed" : "incomplete"
    if !sources.isEmpty {
      let action: JSONValue = ["type": "search", "query": "", "sources": .array(sources)]
      _ = open("web_search_call", [("action", action)])
    }
    if hasAudio, let message { send("response.output_audio.done", at: message, 0, []) }
    for (index, item) in items.enumerated() {
      for (place, part) in item.parts.enumerated() {
        var said: ChatItem.Members = [(part.member, ChatItem.string(part.text))]
        if part.type == "output_text" { said.append(("logprobs", .array(part.logprobs))) }
        send("response.\(part.type).done", at: index, place, said)
        send("response.content_part.done", at: index, place, [("part", part.json)])
      }
      if item.type == "function_call" {
        let name = item.members.filter { $0.name == "name" }
        let said = name + [("arguments", ChatItem.string(item.arguments))]
        send("response.function_call_arguments.done", at: index, nil, said)
      }
      send("response.output_item.done", at: index, nil, [("item", item.json(status))])
    }
    var whole = response(end.status)
    whole["error"] = end.error
    whole["incomplete_details"] = end.details
    whole["output"] = .array(items.map { $0.json(status) })
    whole["usage"] = usage ?? .null
    whole["moderation"] = moderation
    send("response.\(end.status)", [("response", whole)])
  }

  func response(_ status: String) -> JSONValue {
    .object(
      head + [
        ("status", .text(status)), ("error", .null), ("incomplete_details", .null),
        ("output", []), ("usage", .null),
      ])
  }

  /// Makes an event about item number `item`, or about its part number `part`.
  mutating func send(_ type: String, at item: Int, _ part: Int?, _ members: ChatItem.Members) {
    sendCall()
    var about: ChatItem.Members = [("output_index", .integer(item))]
    if !type.hasPrefix("response.output_item") {
      about.insert(("item_id", .text(items[item].id)), at: 0)
    }
    if let part { about.append(("content_index", .integer(part))) }
    send(type, about + members)
  }

  mutating func send(_ type: String, _ members: ChatItem.Members) {
    let number = JSONValue.integer(sequenceNumber)
    let start: ChatItem.Members = [("type", .text(type)), ("sequence_number", number)]
    sequenceNumber += 1
    events.append(JSONValue.object(start + members).line)
  }
}
