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
  /// Messages on what is left out that the owner has not taken yet.
  var notes: [String] = []
  /// The results of the moderation that the request asked for; `nil` when none came.
  var moderation: JSONValue?

  /// An event that nobody has taken yet. Its line is made when it is taken, so that a text is not
  /// copied before.
  private enum Waiting {
    case made(type: String, ChatItem.Members)
    /// Pieces of one text that wait are one.
    case delta(Delta)
    /// The ends of a text, its part, the arguments of a call, an item, and the response.
    case text(item: Int, part: Int)
    case part(item: Int, part: Int)
    case arguments(item: Int)
    case item(Int)
    case response
  }

  private struct Delta {
    let item: Int
    /// The part of the item; `nil` for the arguments of a call.
    let part: Int?
    /// The bytes of the text, and its log probabilities.
    var range: Range<Int>
    var logprobs: Range<Int>
  }

  private let id: String
  /// The members that the response begins with, whatever its state.
  private let head: ChatItem.Members
  private var events: [Waiting] = []
  /// The number of events in `events` that were taken.
  private var takenCount = 0
  private var sequenceNumber = 0
  private var items: [ChatItem] = []
  /// The indices in `items` of the open message, the open reasoning and the last call.
  private var message: Int?
  private var reasoning: Int?
  private var lastCall: Int?
  /// The index in `items` of a call whose start was not sent yet, since more of its name may come.
  private var unsentCall: Int?
  /// The index in `items` of each call that the server gave an `index`.
  private var calls: [Int: Int] = [:]
  /// The index in `items` of the last call with each id.
  private var callIDs: [[UInt8]: Int] = [:]
  /// What the server wants back, on its reasoning, with the next request.
  private var details = ChatDetails()
  /// The end of the response, and its token counts.
  private var end = ChatEnd()
  private var usage: JSONValue?

  /// Begins the response to which `object`, a chunk or a whole answer, belongs.
  init(_ object: Span<UInt8>, id: String) {
    self.id = id
    var head: ChatItem.Members = [("id", .text(id)), ("object", "response")]
    for name in ["created", "model", "service_tier", "system_fingerprint"] as [StaticString] {
      guard let value = JSONChildren.raw(of: name, in: object) else { continue }
      head.append((name.description == "created" ? "created_at" : name.description, value))
    }
    self.head = head
    for type in ["created", "in_progress"] {
      events.append(.made(type: type, [("response", response("in_progress"))]))
    }
  }

  // MARK: Events

  /// Whether there is an event to take.
  var hasEvent: Bool { takenCount < events.count }

  /// Takes the line of the next event; `nil` when there is none.
  mutating func next() -> [UInt8]? {
    guard hasEvent else {
      events.removeAll(keepingCapacity: true)
      takenCount = 0
      return nil
    }
    takenCount += 1
    switch events[takenCount - 1] {
    case .made(let type, let members): return line(type, members)
    case .delta(let delta): return line(of: delta)
    case .text(let item, let part): return line(ofEndOf: part, of: item, isPart: false)
    case .part(let item, let part): return line(ofEndOf: part, of: item, isPart: true)
    case .arguments(let item): return line(ofArgumentsOf: item)
    case .item(let item): return line(ofItem: item)
    case .response: return lineOfEnd()
    }
  }

  private mutating func line(of delta: Delta) -> [UInt8] {
    let item = items[delta.item]
    var said = about(delta.item, delta.part)
    guard let part = delta.part else {
      said.append(("delta", item.arguments.json(delta.range)))
      return line("function_call_arguments.delta", said)
    }
    said.append(("delta", item.parts[part].text.json(delta.range)))
    if item.parts[part].type == "output_text" {
      said.append(("logprobs", .array(Array(item.parts[part].logprobs[delta.logprobs]))))
    }
    return line("\(item.parts[part].type).delta", said)
  }

  // The texts of an end move into its line, so that they are held once.

  private mutating func line(ofEndOf number: Int, of item: Int, isPart: Bool) -> [UInt8] {
    let part = items[item].parts[number]
    var said: ChatItem.Members = [("part", part.json)]
    if !isPart {
      said = [(part.member.description, part.text.json)]
      if part.type == "output_text" { said.append(("logprobs", .array(part.logprobs))) }
    }
    let type = isPart ? "content_part.done" : "\(part.type).done"
    let made = line(type, about(item, number) + said, size: items[item].size)
    let path = (isPart ? ["part"] : []) + [part.member]
    let place = JSONChildren.value(at: path[...], in: made.span)
    items[item].parts[number].text.move(into: made, at: place)
    return made
  }

  private mutating func line(ofArgumentsOf item: Int) -> [UInt8] {
    let call = items[item]
    let said = about(item) + [("name", .string(call.name)), ("arguments", call.arguments.json)]
    let made = line("function_call_arguments.done", said, size: call.size)
    let place = JSONChildren.value(of: "arguments", in: made.span)
    items[item].arguments.move(into: made, at: place)
    return made
  }

  private mutating func line(ofItem number: Int) -> [UInt8] {
    let item = items[number]
    let said: ChatItem.Members = [
      ("output_index", .integer(number)), ("item", item.json(end.itemStatus)),
    ]
    let made = line("output_item.done", said, size: item.size)
    items[number].move(into: made)
    return made
  }

  private mutating func lineOfEnd() -> [UInt8] {
    var whole = response(end.status)
    whole["error"] = end.error
    whole["incomplete_details"] = end.details
    whole["output"] = .array(items.map { $0.json(end.itemStatus) })
    whole["usage"] = usage ?? .null
    whole["moderation"] = moderation
    let size = items.reduce(0) { $0 + $1.size }
    items = []
    return line(end.status, [("response", whole)], size: size)
  }

  private func response(_ status: String) -> JSONValue {
    .object(
      head + [
        ("status", .text(status)), ("error", .null), ("incomplete_details", .null),
        ("output", []), ("usage", .null),
      ])
  }

  /// Makes the line of an event whose texts have `size` bytes.
  private mutating func line(
    _ type: String, _ members: ChatItem.Members, size: Int = 0
  ) -> [UInt8] {
    let start: ChatItem.Members = [
      ("type", .text("response.\(type)")), ("sequence_number", .integer(sequenceNumber)),
    ]
    sequenceNumber += 1
    var line: [UInt8] = []
    // A line that grows as it is made would take its memory twice.
    if size > 0 { line.reserveCapacity(size + 4096) }
    JSONValue.object(start + members).write(into: &line)
    return line
  }

  /// The members that say which item and part an event is about.
  private func about(_ item: Int, _ part: Int? = nil) -> ChatItem.Members {
    let about: ChatItem.Members = [
      ("item_id", .text(items[item].id)), ("output_index", .integer(item)),
    ]
    return about + (part.map { [("content_index", .integer($0))] } ?? [])
  }

  /// Sends an event; a call that waits for more of its name starts before it.
  private mutating func send(_ event: Waiting) {
    sendCall()
    events.append(event)
  }

  /// Sends the start of the last call, if it was not sent yet: its name is whole.
  mutating func sendCall() {
    guard let call = unsentCall else { return }
    unsentCall = nil
    sendStart(of: call)
  }

  private mutating func sendStart(of item: Int) {
    let start = items[item].json("in_progress")
    send(.made(type: "output_item.added", [("output_index", .integer(item)), ("item", start)]))
  }

  /// Sends a piece of a text, the bytes in `range` of it.
  private mutating func sendDelta(
    of item: Int, _ part: Int?, _ range: Range<Int>, logprobs: Range<Int> = 0..<0
  ) {
    sendCall()
    if hasEvent, case .delta(var former) = events[events.count - 1],
      (former.item, former.part) == (item, part)
    {
      former.range = former.range.lowerBound..<range.upperBound
      former.logprobs = former.logprobs.lowerBound..<logprobs.upperBound
      events[events.count - 1] = .delta(former)
      return
    }
    events.append(.delta(Delta(item: item, part: part, range: range, logprobs: logprobs)))
  }

  // MARK: Content

  /// Adds the piece, or the whole message, in `object`, which was read as `chunk`. With
  /// `isRepeated` its message repeats the pieces that came before, which count: only what none of
  /// them had is added.
  mutating func add(_ chunk: ChatChunk, isRepeated: Bool, _ object: Span<UInt8>) {
    guard let place = chunk.message, let choice = chunk.choice else {
      if let text = chunk.text { add(object.extracting(text), as: "output_text") }
      return
    }
    let message = object.extracting(place)
    let types = isRepeated ? Set(items.flatMap { [$0.type] + $0.parts.map(\.type) }) : []
    func value(_ name: StaticString) -> Range<Int>? { JSONChildren.value(of: name, in: message) }
    func elements(_ name: StaticString) -> [Range<Int>] {
      JSONChildren.elements(of: name, in: message)
    }
    // Reasoning comes before the text, whatever the order of the members.
    if !types.contains("reasoning") {
      // Some servers send it in both members, and in the details once more.
      let isReasoned = [value("reasoning_content"), value("reasoning")].contains { place in
        place.map { add(message.extracting($0), as: "reasoning_text") } ?? false
      }
      let found = elements("reasoning_details")
      for place in found { add(detail: message.extracting(place), isReasoned: isReasoned) }
      details.add(found, in: message)
    }
    if !types.contains("output_text") {
      if let content = value("content") {
        add(content: message.extracting(content), object.extracting(choice))
      }
      for place in elements("annotations") { add(annotation: message.extracting(place)) }
    }
    if !types.contains("refusal"), let place = value("refusal") {
      add(message.extracting(place), as: "refusal")
    }
    for place in elements("tool_calls") {
      let call = message.extracting(place)
      // Of calls that no piece had an id tells them from the others.
      let isKnown = JSONChildren.string(of: "id", in: call).map { callIDs[$0] != nil } ?? true
      if !types.contains("function_call") || !isKnown { add(call: call) }
    }
    for name in ["audio", "images", "function_call"] as [StaticString] {
      guard let place = value(name), place.count > 2, message[place.lowerBound] != UInt8(ascii: "n")
      else { continue }
      notes.append("\(name) of a message of Chat Completions is left out")
    }
  }

  /// Adds content: a string, or an array of parts.
  private mutating func add(content: Span<UInt8>, _ choice: Span<UInt8>) {
    let logprobs = JSONChildren.elements(of: "logprobs", "content", in: choice).map {
      JSONValue.raw([UInt8](copying: choice.extracting($0)))
    }
    add(content, as: "output_text", logprobs: logprobs)
    // "content":[{"type":"text","text":"…"}]
    for place in JSONChildren.elements(at: 0..<content.count, in: content) {
      let part = content.extracting(place)
      if let text = JSONChildren.value(of: "text", in: part) {
        add(part.extracting(text), as: "output_text")
      } else {
        notes.append("a part of a message that is no text is left out")
      }
    }
  }

  /// Adds a detail of the reasoning, as OpenRouter sends it: text, unless it came as such already
  /// (`isReasoned`), and encrypted data that the next request sends back.
  private mutating func add(detail: Span<UInt8>, isReasoned: Bool) {
    for name in ["text", "summary"] as [StaticString] where !isReasoned {
      guard let text = JSONChildren.value(of: name, in: detail) else { continue }
      add(detail.extracting(text), as: "reasoning_text")
    }
    guard let data = JSONChildren.raw(of: "data", in: detail), data.string != nil else { return }
    let place = reasoning ?? open("reasoning")
    reasoning = place
    items[place].members["encrypted_content"] = data
  }

  /// Appends a piece of text to the open part of `type`, or to a new one. False when it is no text,
  /// or empty.
  @discardableResult
  private mutating func add(
    _ value: Span<UInt8>, as type: String, logprobs: [JSONValue] = []
  ) -> Bool {
    guard value.count > 2, value[0] == ASCII.quote else { return false }
    let text = value.extracting(1..<value.count - 1)
    let (item, part) = place(ofPart: type)
    let start = items[item].parts[part].text.count
    let former = items[item].parts[part].logprobs.count
    items[item].parts[part].text.append(text)
    items[item].parts[part].logprobs += logprobs
    sendDelta(
      of: item, part, start..<start + text.count, logprobs: former..<former + logprobs.count)
    return true
  }

  /// The open part of `type` and its item, which are opened if there is none.
  private mutating func place(ofPart type: String) -> (item: Int, part: Int) {
    let isReasoning = type == "reasoning_text"
    let item = (isReasoning ? reasoning : message) ?? open(isReasoning ? "reasoning" : "message")
    if !isReasoning { message = item }
    reasoning = isReasoning ? item : nil
    if let part = items[item].parts.lastIndex(where: { $0.type == type }) { return (item, part) }
    let (part, made) = (items[item].parts.count, ChatItem.Part(type: type))
    items[item].parts.append(made)
    send(.made(type: "content_part.added", about(item, part) + [("part", made.json)]))
    return (item, part)
  }

  private mutating func add(annotation: Span<UInt8>) {
    guard annotation[0] == ASCII.openBrace else { return }
    let made = JSONValue.raw([UInt8](copying: annotation))
    // Some come before the text.
    let (item, part) = place(ofPart: "output_text")
    let index = items[item].parts[part].annotations.count
    items[item].parts[part].annotations.append(made)
    let said: ChatItem.Members = [("annotation_index", .integer(index)), ("annotation", made)]
    send(.made(type: "output_text.annotation.added", about(item, part) + said))
  }

  /// Opens an item. Returns its index.
  private mutating func open(_ type: String, _ members: JSONValue = [:]) -> Int {
    let prefixes = ["message": "msg", "reasoning": "rs"]
    let index = items.count
    let id = "\(prefixes[type] ?? "fc")_\(self.id)_\(index)"
    sendCall()
    items.append(ChatItem(type: type, id: id, members: members))
    if type == "function_call" { unsentCall = index } else { sendStart(of: index) }
    return index
  }

  // MARK: Calls

  /// Adds a piece of a call.
  private mutating func add(call: Span<UInt8>) {
    guard let place = JSONChildren.value(of: "function", in: call) else { return }
    let function = call.extracting(place)
    let index = JSONChildren.integer(of: "index", in: call)
    let id = JSONChildren.string(of: "id", in: call) ?? []
    let name = JSONChildren.string(of: "name", in: function) ?? []
    let piece = Self.arguments(of: function)
    let item: Int
    if let known = known(index, id, name, piece.span) {
      item = known
      join(name: name, to: item)
    } else {
      let callID = id.isEmpty ? Array("call_\(self.id)_\(items.count)".utf8) : id
      item = open("function_call", ["call_id": .string(callID), "name": .string(name)])
      callIDs[callID] = item
      reasoning = nil
    }
    lastCall = item
    if let index { calls[index] = item }
    // Gemini expects its signature back with the call.
    for name in ["extra_content", "provider_specific_fields"] as [StaticString] {
      guard let extra = JSONChildren.raw(of: name, in: call), !extra.isNull else { continue }
      items[item].members[name.description] = extra
    }
    let start = items[item].arguments.count
    let known = items[item].arguments.isRepeated(by: piece.span) ? start : 0
    guard piece.count > known else { return }
    items[item].arguments.append(piece.span.extracting(known...))
    sendDelta(of: item, nil, start..<items[item].arguments.count)
  }

  /// The index in `items` of the call that a piece with these members goes on with; `nil` when it
  /// begins one.
  private func known(
    _ index: Int?, _ id: [UInt8], _ name: [UInt8], _ arguments: Span<UInt8>
  ) -> Int? {
    let ofIndex = index.flatMap { calls[$0] }
    // Gemini sends neither ids nor numbers, and each call whole.
    let ofLast = index == nil && id.isEmpty && name.isEmpty ? lastCall : nil
    guard let place = ofIndex ?? (id.isEmpty ? ofLast : callIDs[id]) else { return nil }
    // {"index":0,"id":"call_b","function":{"arguments":"…"}} goes on with call_a
    guard !name.isEmpty else { return place }
    let call = items[place]
    if call.callID == id || id.isEmpty {
      let isOther = ofIndex == nil && !call.name.isEmpty && call.name != name
      let isNext = ofIndex == nil || arguments.byte(at: 0) == ASCII.openBrace
      let isSame = ofIndex != nil || index == nil && call.name == name
      let isAgain = isSame && call.arguments.isRepeated(by: arguments)
      return !isAgain && (isOther || isNext && call.arguments.isWhole) ? nil : place
    }
    // Some servers repeat the name with each piece, with another id each time.
    return call.name == name && !call.arguments.isEmpty && !call.arguments.isWhole ? place : nil
  }

  /// The arguments in `function`, as they are spelled between their quotes.
  private static func arguments(of function: Span<UInt8>) -> [UInt8] {
    guard let value = JSONChildren.value(of: "arguments", in: function) else { return [] }
    var text = [UInt8](copying: function.extracting(value))
    // Some servers: "arguments":{"city":"Rome"}, the JSON itself and no string of it
    if text.first == ASCII.openBrace { text = JSONValue.string(text).line }
    guard text.count > 2, text.first == ASCII.quote else { return [] }
    return Array(text[1..<text.count - 1])
  }

  /// Joins `piece` to the name of call number `item`. Some servers send the name in pieces, others
  /// repeat it, whole, with each piece of the arguments.
  private mutating func join(name piece: [UInt8], to item: Int) {
    guard !piece.isEmpty, items[item].arguments.isEmpty else { return }
    let known = items[item].name
    items[item].members["name"] = .string(piece.starts(with: known) ? piece : known + piece)
  }

  // MARK: End

  /// Ends the items and the response.
  mutating func finish(_ end: ChatEnd, _ usage: JSONValue?) {
    self.end = end
    self.usage = usage
    if !details.isEmpty {
      let place = items.firstIndex { $0.type == "reasoning" } ?? open("reasoning")
      items[place].members["reasoning_details"] = details.json
    }
    sendCall()
    for index in items.indices {
      items[index].close()
      for part in items[index].parts.indices {
        events += [.text(item: index, part: part), .part(item: index, part: part)]
      }
      if items[index].type == "function_call" { events.append(.arguments(item: index)) }
      events.append(.item(index))
    }
    events.append(.response)
  }
}
