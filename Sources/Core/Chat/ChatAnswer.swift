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
  private let id: String

  /// Messages on what is left out or guessed that the owner has not taken yet.
  var notes: [String] = []

  /// An event that nobody has taken yet: its line, or a piece of a text, which is not copied before
  /// it is taken. Pieces of one text that wait are one.
  private enum PendingEvent {
    case line([UInt8])
    case delta(Delta)
  }

  private struct Delta {
    let number: Int
    let type: String
    let item: Int
    /// The part of the item; `nil` for the arguments of a call.
    let part: Int?
    /// The bytes of the text, and its log probabilities.
    var range: Range<Int>
    var logprobs: Range<Int>
  }

  /// The end of the response, and the next event of it to make.
  private struct Ending {
    let end: ChatEnd
    let usage: JSONValue?
    var item = 0
    var part = 0
    /// Whether the end of the text of the part was made, or of the arguments.
    var hasText = false
    var isOver = false

    var status: String { end.status == "completed" ? "completed" : "incomplete" }
  }

  private var events: [PendingEvent] = []
  /// The number of events in `events` that were taken.
  private var takenCount = 0
  private var ending: Ending?

  /// The members that the response begins with, whatever its state.
  private let head: ChatItem.Members
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
  /// What the server wants back with the next request: on its reasoning, and on the message.
  private var details = ChatDetails()
  private var fields: ChatItem.Members = []
  /// Annotations that came before the first text.
  private var earlyAnnotations: [[UInt8]] = []
  /// The sources that a search consulted, each URL once.
  private var sources: [JSONValue] = []
  private var sourceURLs: Set<[UInt8]> = []
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
    let text = value.extracting(1..<value.count - 1)
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
    let start = items[item].parts[part].text.count
    let former = items[item].parts[part].logprobs.count
    items[item].parts[part].text.append(text)
    items[item].parts[part].logprobs += logprobs
    let range = start..<start + text.count
    send(delta: type, at: item, part, range, logprobs: former..<former + logprobs.count)
    return true
  }

  /// Opens an item. Returns its index.
  private mutating func open(_ type: String, _ members: ChatItem.Members = []) -> Int {
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
    if !details.isEmpty {
      let place = items.firstIndex { $0.type == "reasoning" } ?? open("reasoning")
      items[place].members.append(("reasoning_details", details.json))
    }
    if !fields.isEmpty {
      let place = message ?? items.firstIndex { $0.type == "reasoning" } ?? open("message")
      items[place].members.append(("provider_specific_fields", .object(fields)))
    }
    if !sources.isEmpty {
      let action: JSONValue = ["type": "search", "query": "", "sources": .array(sources)]
      _ = open("web_search_call", [("action", action)])
    }
    if hasAudio, let message { send("response.output_audio.done", at: message, 0, []) }
    sendCall()
    for index in items.indices { items[index].close() }
    for item in items where item.type == "function_call" && end.status == "completed" {
      guard !item.arguments.isEmpty, !item.arguments.isWhole else { continue }
      let name = String(decoding: item.name, as: UTF8.self)
      notes.append("the arguments of the call \(name) are not JSON")
    }
    ending = Ending(end: end, usage: usage)
  }

  /// Whether there is an event to take.
  var hasEvent: Bool { takenCount < events.count || ending?.isOver == false }

  /// Takes the line of the next event; `nil` when there is none.
  mutating func next() -> [UInt8]? {
    guard takenCount < events.count else {
      events.removeAll(keepingCapacity: true)
      takenCount = 0
      return nextOfEnd()
    }
    takenCount += 1
    switch events[takenCount - 1] {
    case .line(let line): return line
    case .delta(let delta): return line(of: delta)
    }
  }

  /// Takes the next event of the end: those of each item, then that of the response.
  private mutating func nextOfEnd() -> [UInt8]? {
    guard var at = ending, !at.isOver else { return nil }
    defer { ending = at }
    guard at.item < items.count else {
      at.isOver = true
      var whole = response(at.end.status)
      whole["error"] = at.end.error
      whole["incomplete_details"] = at.end.details
      whole["output"] = .array(items.map { $0.json(at.status) })
      whole["usage"] = at.usage ?? .null
      whole["moderation"] = moderation
      let size = items.reduce(0) { $0 + $1.size }
      items = []
      return line("response.\(at.end.status)", [("response", whole)], size: size)
    }
    return line(ofEndOf: at.item, &at)
  }

  /// Makes the next event of the end of item number `index`. Its texts move into the line, so that
  /// they are held once.
  private mutating func line(ofEndOf index: Int, _ at: inout Ending) -> [UInt8] {
    let item = items[index]
    if at.part < item.parts.count {
      let number = at.part
      let part = item.parts[number]
      at.hasText.toggle()
      if !at.hasText {
        at.part += 1
        let said: ChatItem.Members = [("part", part.json)]
        let made = line("response.content_part.done", at: index, number, said, size: item.size)
        let place = JSONChildren.value(of: "part", part.member, in: made.span)
        items[index].parts[number].text.move(into: made, at: place?.lowerBound)
        return made
      }
      var said: ChatItem.Members = [(part.member.description, part.text.json)]
      if part.type == "output_text" { said.append(("logprobs", .array(part.logprobs))) }
      let made = line("response.\(part.type).done", at: index, number, said, size: item.size)
      let place = JSONChildren.value(of: part.member, in: made.span)
      items[index].parts[number].text.move(into: made, at: place?.lowerBound)
      return made
    }
    if item.type == "function_call", !at.hasText {
      at.hasText = true
      let said = item.members.filter { $0.name == "name" } + [("arguments", item.arguments.json)]
      let made = line(
        "response.function_call_arguments.done", at: index, nil, said, size: item.size)
      let place = JSONChildren.value(of: "arguments", in: made.span)
      items[index].arguments.move(into: made, at: place?.lowerBound)
      return made
    }
    at.item += 1
    at.part = 0
    at.hasText = false
    let said: ChatItem.Members = [("item", item.json(at.status))]
    let made = line("response.output_item.done", at: index, nil, said, size: item.size)
    items[index].move(into: made)
    return made
  }

  private func response(_ status: String) -> JSONValue {
    .object(
      head + [
        ("status", .text(status)), ("error", .null), ("incomplete_details", .null),
        ("output", []), ("usage", .null),
      ])
  }

  /// Makes an event about item number `item`, or about its part number `part`.
  private mutating func send(
    _ type: String, at item: Int, _ part: Int?, _ members: ChatItem.Members
  ) {
    sendCall()
    events.append(.line(line(type, at: item, part, members)))
  }

  private mutating func send(_ type: String, _ members: ChatItem.Members) {
    events.append(.line(line(type, members)))
  }

  /// Makes the event of a piece of a text, the bytes in `range` of it.
  private mutating func send(
    delta type: String, at item: Int, _ part: Int?, _ range: Range<Int>,
    logprobs: Range<Int> = 0..<0
  ) {
    sendCall()
    if takenCount < events.count, case .delta(var former) = events[events.count - 1],
      (former.item, former.part) == (item, part)
    {
      former.range = former.range.lowerBound..<range.upperBound
      former.logprobs = former.logprobs.lowerBound..<logprobs.upperBound
      events[events.count - 1] = .delta(former)
      return
    }
    let delta = Delta(
      number: sequenceNumber, type: type, item: item, part: part, range: range, logprobs: logprobs)
    sequenceNumber += 1
    events.append(.delta(delta))
  }

  private func line(of delta: Delta) -> [UInt8] {
    let type = "response.\(delta.type).delta"
    let item = items[delta.item]
    guard let part = delta.part else {
      let said = item.arguments.json(delta.range)
      return Self.line(
        type, number: delta.number, about(type, delta.item, nil) + [("delta", said)])
    }
    var said: ChatItem.Members = [("delta", item.parts[part].text.json(delta.range))]
    if delta.type == "output_text" {
      said.append(("logprobs", .array(Array(item.parts[part].logprobs[delta.logprobs]))))
    }
    return Self.line(type, number: delta.number, about(type, delta.item, part) + said)
  }

  /// Makes the line of an event whose texts have `size` bytes.
  private mutating func line(
    _ type: String, at item: Int, _ part: Int?, _ members: ChatItem.Members, size: Int = 0
  ) -> [UInt8] {
    line(type, about(type, item, part) + members, size: size)
  }

  private mutating func line(
    _ type: String, _ members: ChatItem.Members, size: Int = 0
  ) -> [UInt8] {
    defer { sequenceNumber += 1 }
    return Self.line(type, number: sequenceNumber, members, size: size)
  }

  private static func line(
    _ type: String, number: Int, _ members: ChatItem.Members, size: Int = 0
  ) -> [UInt8] {
    let start: ChatItem.Members = [
      ("type", .text(type)), ("sequence_number", .integer(number)),
    ]
    var line: [UInt8] = []
    // A line that grows as it is made would take its memory twice.
    if size > 0 { line.reserveCapacity(size + 4096) }
    JSONValue.object(start + members).write(into: &line)
    return line
  }

  /// The members that say which item and part an event is about.
  private func about(_ type: String, _ item: Int, _ part: Int?) -> ChatItem.Members {
    var about: ChatItem.Members = [("output_index", .integer(item))]
    if !type.hasPrefix("response.output_item") {
      about.insert(("item_id", .text(items[item].id)), at: 0)
    }
    if let part { about.append(("content_index", .integer(part))) }
    return about
  }
}

/// Readers of the members that messages, and pieces of messages, have.
extension ChatAnswer {
  /// Adds the piece, or the whole message, in `object`, which was read as `chunk`. With
  /// `isRepeated` its message repeats the pieces that came before, which count.
  mutating func add(
    _ chunk: ChatChunk, isRepeated: Bool, citing cited: [Range<Int>], _ object: Span<UInt8>
  ) {
    for place in cited { add(source: object.extracting(place)) }
    if let message = chunk.message, let choice = chunk.choice {
      let message = object.extracting(message)
      if isRepeated {
        add(repeated: message, of: object.extracting(choice))
      } else {
        add(message: message, of: object.extracting(choice))
      }
    } else if let text = chunk.text {
      add(object.extracting(text), as: "output_text")
    }
  }

  /// Adds the members of `message`, which repeats what came in pieces, that no piece had.
  private mutating func add(repeated message: Span<UInt8>, of choice: Span<UInt8>) {
    let types = Set(items.flatMap { [$0.type] + $0.parts.map(\.type) })
    var known: Set<String> = []
    if types.contains("output_text") { known.formUnion(["content", "annotations", "audio"]) }
    if types.contains("refusal") { known.insert("refusal") }
    if types.contains("reasoning") {
      known.formUnion(["reasoning", "reasoning_content", "reasoning_details"])
    }
    if types.contains("function_call") { known.formUnion(["tool_calls", "function_call"]) }
    if types.contains("image_generation_call") { known.insert("images") }
    guard case .object(var members)? = JSONValue(object: message) else { return }
    members.removeAll { known.contains($0.name) }
    add(message: JSONValue.object(members).line.span, of: choice)
    // Calls that no piece had: an id tells them from the others.
    let ids = Set(callIDs.keys)
    for place in JSONChildren.elements(of: "tool_calls", in: message)
    where known.contains("tool_calls") {
      let call = message.extracting(place)
      if let id = JSONChildren.string(of: "id", in: call), !ids.contains(id) { add(call: call) }
    }
  }

  private mutating func add(message object: Span<UInt8>, of choice: Span<UInt8>) {
    func place(_ name: StaticString) -> Range<Int>? { JSONChildren.value(of: name, in: object) }
    func elements(_ name: StaticString) -> [Range<Int>] {
      JSONChildren.elements(at: place(name), in: object)
    }
    // Reasoning comes before the text, whatever the order of the members. Some servers send it in
    // both of the first two members, and in the details once more.
    let isReasoned = [place("reasoning_content"), place("reasoning")].contains { place in
      guard let place else { return false }
      return add(object.extracting(place), as: "reasoning_text")
    }
    let found = elements("reasoning_details")
    for place in found { add(detail: object.extracting(place), isReasoned: isReasoned) }
    details.add(found, in: object)
    if let place = place("provider_specific_fields"),
      case .object(let members)? = JSONValue(object: object.extracting(place))
    {
      for member in members where !member.value.isNull {
        fields.removeAll { $0.name == member.name }
        fields.append(member)
      }
    }
    if let place = place("content") { add(content: object.extracting(place), choice) }
    if let place = place("refusal") { add(object.extracting(place), as: "refusal") }
    for place in elements("annotations") { add(annotation: object.extracting(place)) }
    for place in elements("images") { add(image: object.extracting(place)) }
    for place in elements("tool_calls") { add(call: object.extracting(place)) }
    if let place = place("function_call"), object[place.lowerBound] == ASCII.openBrace {
      // The old form, of which an answer has one.
      let function = object.extracting(place)
      add(function: function, of: function) { answer, _, _ in answer.lastCall }
    }
    // Groq: "executed_tools":[{"search_results":{"results":[{"url":"https://…"}]}}]
    for place in elements("executed_tools") {
      let tool = object.extracting(place)
      for place in JSONChildren.elements(of: "search_results", "results", in: tool) {
        add(source: tool.extracting(place))
      }
    }
    if let place = place("audio"), object[place.lowerBound] == ASCII.openBrace {
      add(audio: object.extracting(place))
    }
  }

  /// Adds a source: a URL, or an object with `url`.
  private mutating func add(source: Span<UInt8>) {
    let url =
      source[0] == ASCII.quote
      ? JSONString.decoded(source) : JSONChildren.string(of: "url", in: source) ?? []
    guard !url.isEmpty, sourceURLs.insert(url).inserted else { return }
    var made: JSONValue = ["type": "url", "url": .string(url)]
    made["title"] = JSONChildren.raw(of: "title", in: source)
    sources.append(made)
  }

  /// Adds a piece of audio: its data, and its transcript, which is the text where no other comes.
  private mutating func add(audio: Span<UInt8>) {
    if let text = JSONChildren.value(of: "transcript", in: audio), isSpoken || message == nil {
      isSpoken = true
      add(audio.extracting(text), as: "output_text")
    }
    guard let data = JSONChildren.raw(of: "data", in: audio) else { return }
    hasAudio = true
    let item = message ?? open("message")
    message = item
    send("response.output_audio.delta", at: item, 0, [("delta", data)])
  }

  /// Adds content: a string, an array of parts, or the JSON object that a schema asked for.
  private mutating func add(content: Span<UInt8>, _ choice: Span<UInt8>) {
    // Workers AI: "content":{"name":"Ada"}
    if content[0] == ASCII.openBrace {
      add(JSONValue.string([UInt8](copying: content)).line.span, as: "output_text")
    } else if content[0] != ASCII.openBracket {
      let logprobs = JSONChildren.value(of: "logprobs", "content", in: choice)
      let tokens = JSONChildren.elements(at: logprobs, in: choice).map {
        JSONValue.raw([UInt8](copying: choice.extracting($0)))
      }
      add(content, as: "output_text", logprobs: tokens)
    }
    // Mistral: "content":[{"type":"thinking","thinking":[{"type":"text","text":"…"}]}]
    for place in JSONChildren.elements(at: 0..<content.count, in: content) {
      let part = content.extracting(place)
      if let text = JSONChildren.value(of: "text", in: part) {
        add(part.extracting(text), as: "output_text")
      }
      for place in JSONChildren.elements(of: "thinking", in: part) {
        let thought = part.extracting(place)
        guard let text = JSONChildren.value(of: "text", in: thought) else { continue }
        add(thought.extracting(text), as: "reasoning_text")
      }
      if JSONChildren.value(of: "image_url", in: part) != nil { add(image: part) }
    }
  }

  /// Adds a detail of the reasoning, as OpenRouter sends it: text, unless it came as such already
  /// (`isReasoned`), and encrypted data that the next request sends back.
  private mutating func add(detail: Span<UInt8>, isReasoned: Bool) {
    if !isReasoned {
      for name in ["text", "summary"] as [StaticString] {
        guard let text = JSONChildren.value(of: name, in: detail) else { continue }
        add(detail.extracting(text), as: "reasoning_text")
      }
    }
    guard let data = JSONChildren.string(of: "data", in: detail) else { return }
    let place = reasoning ?? open("reasoning")
    reasoning = place
    items[place].members.removeAll { $0.name == "encrypted_content" }
    items[place].members.append(("encrypted_content", .string(data)))
  }

  private mutating func add(annotation: Span<UInt8>) {
    guard let type = JSONChildren.raw(of: "type", in: annotation) else {
      return notes.append("an annotation without a type is left out")
    }
    guard let item = message,
      let part = items[item].parts.lastIndex(where: { $0.type == "output_text" })
    else { return earlyAnnotations.append([UInt8](copying: annotation)) }
    // {"type":"url_citation","url_citation":{"url":"https://…","title":"…"}}
    let inner = JSONChildren.value(of: "url_citation", in: annotation)
    let said = JSONValue(object: annotation.extracting(inner ?? 0..<annotation.count))
    var made: JSONValue = ["type": type]
    if case .object(let members)? = said {
      for (name, value) in members where name != "type" { made[name] = value }
    }
    let index = items[item].parts[part].annotations.count
    items[item].parts[part].annotations.append(made)
    send(
      "response.output_text.annotation.added", at: item, part,
      [("annotation_index", .integer(index)), ("annotation", made)])
  }

  /// Makes the events of annotations that came before the first text, as OpenRouter sends them.
  private mutating func sendEarlyAnnotations() {
    let annotations = earlyAnnotations
    earlyAnnotations = []
    for annotation in annotations { add(annotation: annotation.span) }
  }

  /// Adds a piece of a call.
  private mutating func add(call: Span<UInt8>) {
    guard let function = JSONChildren.value(of: "function", in: call) else { return }
    let index = JSONChildren.integer(of: "index", in: call)
    let id = JSONChildren.string(of: "id", in: call) ?? []
    add(function: call.extracting(function), of: call, id: id) { answer, name, arguments in
      answer.known(index, id, name, arguments.span)
    }
    if let index { calls[index] = lastCall }
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

  /// Adds a piece of a call of a function to the item that `known` finds by its name and arguments,
  /// or opens an item for it.
  private mutating func add(
    function: Span<UInt8>, of call: Span<UInt8>, id: [UInt8] = [],
    to known: (Self, _ name: [UInt8], _ arguments: [UInt8]) -> Int?
  ) {
    let name = JSONChildren.string(of: "name", in: function) ?? []
    let piece = Self.arguments(of: function)
    let item: Int
    if let known = known(self, name, piece) {
      item = known
      join(name: name, to: item)
    } else {
      let callID = id.isEmpty ? Array("call_\(self.id)_\(items.count)".utf8) : id
      let members: ChatItem.Members = [("call_id", .string(callID)), ("name", .string(name))]
      item = open("function_call", members)
      callIDs[callID] = item
      reasoning = nil
    }
    lastCall = item
    // Gemini expects its signature back with the call.
    for name in ["extra_content", "provider_specific_fields"] as [StaticString] {
      guard let extra = JSONChildren.raw(of: name, in: call), !extra.isNull else { continue }
      items[item].members.removeAll { $0.name == name.description }
      items[item].members.append((name.description, extra))
    }
    let start = items[item].arguments.count
    let known = items[item].arguments.isRepeated(by: piece.span) ? start : 0
    guard piece.count > known else { return }
    items[item].arguments.append(piece.span.extracting(known...))
    let end = items[item].arguments.count
    send(delta: "function_call_arguments", at: item, nil, start..<end)
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
    guard !piece.isEmpty, items[item].arguments.isEmpty,
      let place = items[item].members.firstIndex(where: { $0.name == "name" })
    else { return }
    let known = items[item].name
    let name = piece.starts(with: known) ? piece : known + piece
    items[item].members[place].value = .string(name)
  }

  /// Adds an image whose URL has its data.
  private mutating func add(image: Span<UInt8>) {
    let url =
      JSONChildren.string(of: "image_url", "url", in: image)
      ?? JSONChildren.string(of: "image_url", in: image) ?? []
    guard url.starts(with: "data:".utf8), let comma = url.firstIndex(of: ASCII.comma),
      url[..<comma].suffix(7).elementsEqual(";base64".utf8)
    else { return notes.append("an image that is not in the answer itself is left out") }
    let data = JSONValue.string(Array(url[(comma + 1)...]))
    let item = open("image_generation_call")
    items[item].members.append(("result", data))
  }
}
