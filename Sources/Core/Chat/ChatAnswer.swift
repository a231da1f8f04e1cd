/// Makes the events of one response out of the pieces of one answer of Chat Completions, those of
/// one choice. Of
///
///     {"id":"c1","choices":[{"index":0,"delta":{"content":"Hi"}}]}
///     {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}
///     {"id":"u7","choices":[],"usage":{…}}               its own all the same
///     {"id":"c2","choices":[{"delta":{"content":"Yes"}}]}          another answer's
///
/// the first becomes `response.created`, `response.in_progress`, `response.output_item.added`,
/// `response.content_part.added` and
///
///     {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_c1_0",
///      "output_index":0,"content_index":0,"delta":"Hi","logprobs":[]}
///
/// and the end `response.output_text.done`, `response.content_part.done`,
/// `response.output_item.done` and `response.completed`, which has the whole response `c1`. The
/// line of an event is made when it is taken, so that a text is not copied before.
struct ChatAnswer {
  /// The number of its choice.
  let number: Int
  /// Whether its choice came first: it has the id and the token counts of the answer.
  let isFirst: Bool
  /// Whether more of it may come.
  private(set) var isOpen = true
  /// The end that the server sent last; `nil` until one came.
  private(set) var end: ChatEnd?
  /// The `finish_reason` that `end` stands for, if it is not known. An answer with neither text nor
  /// call is incomplete for that reason when it closes.
  private var unknownReason: String?

  /// The id of the response; at first the one that it has if the answer has none.
  private var id: String
  /// The members that the response begins with, whatever its state; none before it begins.
  private var head: ChatItem.Members = []
  private var items: [ChatItem] = []
  /// The indices in `items` of those with something that no event has, and the number of these that
  /// were taken.
  private var changes: [Int] = []
  private var takenChanges = 0
  /// The number of items whose last event was taken, and whether that of all was.
  private var endedItems = 0
  private var isEnded = false
  private var sequenceNumber = 0

  /// The id of its last chunk that has one, the number of chunks with it in a row, and whether one
  /// before had another.
  private var lastID = ""
  private var lastIDCount = 0
  private var hasOtherIDs = false
  /// Whether a piece of its message came in a `delta`.
  private var hasDeltas = false

  /// The indices in `items` of the open message and the open reasoning.
  private var message: Int?
  private var reasoning: Int?
  /// The index in `items` of each call that the server gave an `index`.
  private var calls: [Int: Int] = [:]
  /// The index in `items` of the call that the last piece was of.
  private var lastCall: Int?
  /// The index in `items` of the last call with each id.
  private var callIDs: [[UInt8]: Int] = [:]
  /// What the server wants back, on its reasoning, with the next request.
  private var details = ChatDetails()
  /// The token counts, and the results of the moderation that the request asked for.
  private var usage: JSONValue?
  private var moderation: JSONValue?

  /// Opens the answer of choice `number`. Its response is called `name` if the server has no id.
  init(_ number: Int, isFirst: Bool, name: String) {
    self.number = number
    self.isFirst = isFirst
    id = name
  }

  /// Whether its end came, and is no failure: no error changes it.
  var isComplete: Bool { end.map { $0.status != "failed" } ?? false }

  // MARK: Chunks

  /// Whether `chunk` repeats its message, whole, behind its pieces:
  ///
  ///     {"id":"c1","object":"chat.completion","choices":[{"message":{"content":"Hi"},…}]}
  private func isRepeated(in chunk: ChatChunk) -> Bool {
    hasDeltas && chunk.message != nil && !chunk.hasDelta
      && (hasOtherIDs || ["", lastID].contains(chunk.whole.id))
  }

  /// Whether `chunk` begins another answer.
  func isOver(at chunk: ChatChunk) -> Bool {
    if isRepeated(in: chunk) { return false }
    if chunk.isWhole { return true }
    if end != nil { return chunk.hasContent }
    // A stream that was cut, and the next: the server does not name each chunk anew.
    guard lastIDCount > 1, !["", lastID].contains(chunk.whole.id), chunk.failure == nil else {
      return false
    }
    return chunk.hasContent || chunk.choice != nil && (!chunk.hasDelta || chunk.endReason.isEmpty)
  }

  /// Appends `chunk`, which stands in `object`. Messages on what is guessed or left out go to
  /// `notes`.
  mutating func append(_ chunk: ChatChunk, _ object: Span<UInt8>, _ notes: inout [String]) {
    let isRepeated = isRepeated(in: chunk)
    let whole = chunk.whole
    // Azure's first chunk, the results of its filters, begins no response, since it has no id.
    if !whole.choices.isEmpty { begin(object, whole.id) }
    add(chunk, isRepeated: isRepeated, object, &notes)
    if !whole.id.isEmpty {
      hasOtherIDs = hasOtherIDs || !["", whole.id].contains(lastID)
      lastIDCount = whole.id == lastID ? lastIDCount + 1 : 1
      lastID = whole.id
    }
    hasDeltas = hasDeltas || chunk.hasDelta
    moderation = whole.moderation ?? moderation
    if isFirst { usage = whole.usage ?? usage }
    note(endOf: chunk, &notes)
    if chunk.isWhole, !isRepeated { close() }
  }

  private mutating func note(endOf chunk: ChatChunk, _ notes: inout [String]) {
    let reason = chunk.endReason
    if let error = chunk.failure {
      if isComplete {
        notes.append(ChatTranslator.behindEnd(error))
      } else {
        end = ChatEnd(error)
      }
    } else if !reason.isEmpty, end?.status ?? "completed" == "completed" {
      let known = ChatEnd(reason: reason)
      end = known ?? ChatEnd()
      unknownReason = known == nil ? reason : nil
      guard known == nil else { return }
      let way = "behind a text or a call it counts as stop"
      notes.append("finish_reason \(reason) is not known; \(way)")
    } else if chunk.isWhole {
      end = end ?? ChatEnd()
    }
  }

  private var hasText: Bool { items.contains { $0.type == "message" && $0.hasText } }
  private var hasCall: Bool { items.contains(where: \.isCall) }

  /// Has it fail by `error`, which came in place of its rest.
  mutating func fail(_ error: APIError) {
    begin(Span(), "")
    end = ChatEnd(error)
  }

  /// Takes the mark `[DONE]` for its end, if none came: its text counts as whole, but a call may
  /// lack a part.
  mutating func endAtMark(_ notes: inout [String]) {
    guard end == nil else { return }
    if hasText, !hasCall {
      notes.append("[DONE] came without a finish_reason, and counts as stop")
      end = ChatEnd()
    } else {
      end = ChatEnd(failure: "it has no finish_reason", code: "")
    }
  }

  /// Closes it: no chunk follows. Without an end it was cut, and its response stays open.
  mutating func close() {
    isOpen = false
    begin(Span(), "")
    if let unknownReason, end?.status == "completed", !hasText, !hasCall {
      end = ChatEnd(incomplete: unknownReason)
    }
    guard end != nil, !details.isEmpty else { return }
    let place = items.firstIndex { $0.type == "reasoning" } ?? open("reasoning")
    items[place].members["reasoning_details"] = details.json
  }

  /// Begins its response, unless that has begun, with the id and the members of `object`.
  private mutating func begin(_ object: Span<UInt8>, _ id: String) {
    guard head.isEmpty else { return }
    if !id.isEmpty { self.id = id }
    if !isFirst { self.id += "_\(number)" }
    head = [("id", .text(self.id)), ("object", "response")]
    for name in ["created", "model", "service_tier", "system_fingerprint"] as [StaticString] {
      guard let value = JSONChildren.raw(of: name, in: object) else { continue }
      head.append((name.description == "created" ? "created_at" : name.description, value))
    }
  }

  // MARK: Events

  /// Takes the line of the next event; `nil` when there is none.
  mutating func next() -> [UInt8]? {
    guard !head.isEmpty else { return nil }
    if sequenceNumber < 2 {
      let type = sequenceNumber == 0 ? "created" : "in_progress"
      return line(type, [("response", response("in_progress"))])
    }
    while takenChanges < changes.count {
      let index = changes[takenChanges]
      // A call waits for more of its name.
      if isOpen, end == nil, takenChanges == changes.count - 1, items[index].mayLackName {
        return nil
      }
      if let (type, said) = items[index].take(index) { return line(type, said) }
      items[index].isChanged = false
      takenChanges += 1
    }
    changes.removeAll(keepingCapacity: true)
    takenChanges = 0
    guard !isOpen, !isEnded, let end else { return nil }
    while endedItems < items.count {
      let index = endedItems
      if let (type, said) = items[index].take(index, end: end.itemStatus) {
        let made = line(type, said, size: items[index].size)
        items[index].move(into: made, type)
        return made
      }
      endedItems += 1
    }
    isEnded = true
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

  /// Notes that an item has something that no event has.
  private mutating func noteChange(of item: Int) {
    if !items[item].isChanged { changes.append(item) }
    items[item].isChanged = true
  }

  // MARK: Content

  /// Adds the piece, or the whole message, in `object`, which was read as `chunk`. With
  /// `isRepeated` its message repeats the pieces that came before, which count: only what none of
  /// them had is added.
  private mutating func add(
    _ chunk: ChatChunk, isRepeated: Bool, _ object: Span<UInt8>, _ notes: inout [String]
  ) {
    guard let range = chunk.message, let choice = chunk.choice else {
      if let text = chunk.text { add(object.extracting(text), as: "output_text") }
      return
    }
    let message = object.extracting(range)
    let types = isRepeated ? Set(items.flatMap { [$0.type] + $0.parts.map(\.type) }) : []
    func value(_ name: StaticString) -> Range<Int>? { JSONChildren.value(of: name, in: message) }
    func elements(_ name: StaticString) -> [Range<Int>] {
      JSONChildren.elements(at: [name], in: message)
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
        add(content: message.extracting(content), object.extracting(choice), &notes)
      }
      for annotation in elements("annotations")
      where message[annotation.lowerBound] == ASCII.openBrace {
        // Some come before the text.
        let (item, part) = place(ofPart: "output_text")
        let made = JSONValue.raw([UInt8](copying: message.extracting(annotation)))
        items[item].parts[part].annotations.append(made)
        noteChange(of: item)
      }
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
  private mutating func add(
    content: Span<UInt8>, _ choice: Span<UInt8>, _ notes: inout [String]
  ) {
    let logprobs = JSONChildren.elements(at: ["logprobs", "content"], in: choice).map {
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
    items[item].parts[part].append(text)
    items[item].parts[part].logprobs += logprobs
    noteChange(of: item)
    return true
  }

  /// The open part of `type` and its item, which are opened if there is none.
  private mutating func place(ofPart type: String) -> (item: Int, part: Int) {
    let isReasoning = type == "reasoning_text"
    let item = (isReasoning ? reasoning : message) ?? open(isReasoning ? "reasoning" : "message")
    if !isReasoning { message = item }
    reasoning = isReasoning ? item : nil
    if let part = items[item].parts.lastIndex(where: { $0.type == type }) { return (item, part) }
    items[item].parts.append(ChatPart(type: type))
    return (item, items[item].parts.count - 1)
  }

  /// Opens an item. Returns its index.
  private mutating func open(_ type: String, _ members: JSONValue = [:]) -> Int {
    let prefixes = ["message": "msg", "reasoning": "rs"]
    let index = items.count
    let id = "\(prefixes[type] ?? "fc")_\(self.id)_\(index)"
    items.append(ChatItem(type, id: id, members))
    noteChange(of: index)
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
    var piece: [UInt8] = []
    if let place = JSONChildren.value(of: "arguments", in: function) {
      piece = [UInt8](copying: function.extracting(place))
      // Some servers: "arguments":{"city":"Rome"}, the JSON itself and no string of it
      if piece.first == ASCII.openBrace { piece = JSONValue.string(piece).line }
      piece = piece.first == ASCII.quote ? Array(piece.dropFirst().dropLast()) : []
    }
    let item: Int
    if let known = known(index, id, name, piece.span) {
      item = known
      items[item].join(name: name)
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
    for part in items[item].parts.indices {
      items[item].parts[part].append(arguments: piece.span)
    }
    noteChange(of: item)
  }

  /// The index in `items` of the call that a piece with these members goes on with; `nil` when it
  /// begins one.
  private func known(
    _ index: Int?, _ id: [UInt8], _ name: [UInt8], _ arguments: Span<UInt8>
  ) -> Int? {
    let ofIndex = index.flatMap { calls[$0] }
    // Gemini sends neither ids nor numbers, and each call whole.
    let isNameless = index == nil && name.isEmpty
    let ofLast = isNameless ? lastCall : nil
    guard let place = ofIndex ?? (id.isEmpty ? ofLast : callIDs[id]) else { return nil }
    // {"index":0,"id":"call_b","function":{"arguments":"…"}} goes on with call_a
    guard !name.isEmpty, let known = items[place].parts.first else { return place }
    let isSameName = items[place].name == name
    guard id.isEmpty || items[place].callID == id else {
      // Some servers repeat the name with each piece, with another id each time.
      return isSameName && !known.isEmpty && !known.isWhole ? place : nil
    }
    let isSame = ofIndex != nil || index == nil && isSameName
    if isSame, known.isRepeated(by: arguments) { return place }
    if arguments.byte(at: 0) == ASCII.openBrace, known.isWhole { return nil }
    return ofIndex != nil || isSameName || items[place].name.isEmpty ? place : nil
  }
}
