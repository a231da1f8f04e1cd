import Core

/// One answer of Chat Completions on its way to become a response.
struct ChatAnswer {
  let id: String
  /// How it ended, once that was said.
  var end: ChatEnd?
  var usage: JSONValue?

  private let head: ChatItem.Members
  private var sequenceNumber = 0
  private var items: [ChatItem] = []
  /// The places of the items that go on: the message, the reasoning, and the call that came last.
  private var message: Int?
  private var reasoning: Int?
  private var lastCall: Int?
  /// The places of the calls by the server's index.
  private var calls: [Int: Int] = [:]
  /// How many items are done.
  private var doneCount = 0
  private var notes: [String] = []

  /// Begins the response that `object`, a chunk or a whole answer, is of.
  init(_ object: Span<UInt8>, id: String, into events: inout [[UInt8]]) {
    self.id = id
    let known: [(name: String, value: JSONValue?)] = [
      ("created_at", JSONChildren.raw(of: "created", in: object)),
      ("model", JSONChildren.raw(of: "model", in: object)),
      ("service_tier", JSONChildren.raw(of: "service_tier", in: object)),
    ]
    head =
      [("id", .text(id)), ("object", "response")]
      + known.compactMap { member in member.value.map { (member.name, $0) } }
    for type in ["created", "in_progress"] {
      send("response.\(type)", [("response", response("in_progress"))], to: &events)
    }
  }

  /// Takes away what is to be told.
  mutating func takeNotes() -> [String] {
    defer { notes = [] }
    return notes
  }

  /// Takes a choice: what it adds, or the whole message, and why it ended, if it did.
  mutating func take(_ choice: Span<UInt8>, into events: inout [[UInt8]]) {
    for name in ["delta", "message"] as [StaticString] {
      guard let place = JSONChildren.value(of: name, in: choice) else { continue }
      take(message: choice.extracting(place), of: choice, into: &events)
    }
    // What there was before messages.
    if let place = JSONChildren.value(of: "text", in: choice) {
      add(choice.extracting(place), as: "output_text", into: &events)
    }
    guard let reason = JSONChildren.string(of: "finish_reason", in: choice) else { return }
    let name = String(decoding: reason, as: UTF8.self)
    end = ChatEnd(reason: name)
    if end == nil {
      notes.append("finish_reason \(name) is not known, and taken for stop")
      end = ChatEnd(reason: "stop")
    }
    if let place = JSONChildren.value(of: "error", in: choice) {
      let error = APIError(value: choice.extracting(place))
      end = ChatEnd(failure: error.message, code: error.code.isEmpty ? error.type : error.code)
    }
  }

  private mutating func take(
    message object: Span<UInt8>, of choice: Span<UInt8>, into events: inout [[UInt8]]
  ) {
    func place(_ name: StaticString) -> Range<Int>? { JSONChildren.value(of: name, in: object) }
    func elements(_ name: StaticString) -> [Range<Int>] {
      JSONChildren.elements(at: place(name), in: object)
    }
    // A model thinks before it speaks, whatever the order of the members. Some servers send both of
    // the first two, and mean the same; and once more in the details.
    let isReasoned = [place("reasoning_content"), place("reasoning")].contains { place in
      guard let place else { return false }
      return add(object.extracting(place), as: "reasoning_text", into: &events)
    }
    for place in elements("reasoning_details") {
      take(detail: object.extracting(place), isReasoned: isReasoned, into: &events)
    }
    if let place = place("content") {
      take(content: object.extracting(place), choice, into: &events)
    }
    if let place = place("refusal") {
      add(object.extracting(place), as: "refusal", into: &events)
    }
    for place in elements("annotations") {
      take(annotation: object.extracting(place), into: &events)
    }
    for place in elements("images") { take(image: object.extracting(place), into: &events) }
    for place in elements("tool_calls") { take(call: object.extracting(place), into: &events) }
    if let place = place("function_call"), object[place.lowerBound] == ASCII.openBrace {
      let function = object.extracting(place)
      take(function: function, of: function, into: &events)
    }
    if let place = place("audio"), object[place.lowerBound] == ASCII.openBrace {
      notes.append("audio is left out")
    }
  }

  /// Takes content: a string, or as Mistral has it parts of text and of thinking.
  private mutating func take(
    content: Span<UInt8>, _ choice: Span<UInt8>, into events: inout [[UInt8]]
  ) {
    let logprobs = JSONChildren.value(of: "logprobs", "content", in: choice)
    let tokens = JSONChildren.elements(at: logprobs, in: choice).map {
      JSONValue.raw([UInt8](copying: choice.extracting($0)))
    }
    guard !content.isEmpty, content[0] == ASCII.openBracket else {
      add(content, as: "output_text", logprobs: tokens, into: &events)
      return
    }
    for place in JSONChildren.elements(at: 0..<content.count, in: content) {
      let part = content.extracting(place)
      if let text = JSONChildren.value(of: "text", in: part) {
        add(part.extracting(text), as: "output_text", into: &events)
      }
      for place in JSONChildren.elements(of: "thinking", in: part) {
        let thought = part.extracting(place)
        guard let text = JSONChildren.value(of: "text", in: thought) else { continue }
        add(thought.extracting(text), as: "reasoning_text", into: &events)
      }
      if JSONChildren.value(of: "image_url", in: part) != nil { take(image: part, into: &events) }
    }
  }

  /// Takes a detail of the reasoning, as OpenRouter has them: text that came as such already, or a
  /// thing to hand back.
  private mutating func take(
    detail: Span<UInt8>, isReasoned: Bool, into events: inout [[UInt8]]
  ) {
    if !isReasoned {
      for name in ["text", "summary"] as [StaticString] {
        guard let text = JSONChildren.value(of: name, in: detail) else { continue }
        add(detail.extracting(text), as: "reasoning_text", into: &events)
      }
    }
    guard let data = JSONChildren.string(of: "data", in: detail) else { return }
    let place = reasoning ?? open("reasoning", into: &events)
    reasoning = place
    items[place].members.removeAll { $0.name == "encrypted_content" }
    items[place].members.append(("encrypted_content", .string(data)))
  }

  /// Adds a piece of text to the part of `type` that goes on, or to a new one. False when it is no
  /// text, or empty.
  @discardableResult
  private mutating func add(
    _ value: Span<UInt8>, as type: String, logprobs: [JSONValue] = [],
    into events: inout [[UInt8]]
  ) -> Bool {
    guard value.count > 2, value[0] == ASCII.quote else { return false }
    let text = [UInt8](copying: value.extracting(1..<value.count - 1))
    let isReasoning = type == "reasoning_text"
    let item =
      (isReasoning ? reasoning : message)
      ?? open(isReasoning ? "reasoning" : "message", into: &events)
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
      send("response.content_part.added", at: item, part, [("part", made.json)], to: &events)
    }
    guard let part else { return false }
    items[item].parts[part].text += text
    items[item].parts[part].logprobs += logprobs
    let told: ChatItem.Members = type == "output_text" ? [("logprobs", .array(logprobs))] : []
    send(
      "response.\(type).delta", at: item, part, [("delta", ChatItem.string(text))] + told,
      to: &events)
    return true
  }

  private mutating func take(annotation: Span<UInt8>, into events: inout [[UInt8]]) {
    guard let item = message,
      let part = items[item].parts.lastIndex(where: { $0.type == "output_text" }),
      let type = JSONChildren.raw(of: "type", in: annotation)
    else { return notes.append("an annotation without a text is left out") }
    // What it says stands in a member that is called as its type is.
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
      [("annotation_index", .integer(index)), ("annotation", made)], to: &events)
  }

  /// Takes a piece of a call. One with an id of its own, or with a name where neither id nor index
  /// tells calls apart (Gemini), is another call.
  private mutating func take(call: Span<UInt8>, into events: inout [[UInt8]]) {
    let index = JSONChildren.integer(of: "index", in: call)
    let id = JSONChildren.text(of: "id", in: call)
    guard let function = JSONChildren.value(of: "function", in: call) else { return }
    let isNamed = JSONChildren.string(of: "name", in: call.extracting(function))?.isEmpty == false
    var known = index.map { calls[$0] } ?? lastCall
    if let place = known {
      let knownID = items[place].members.first { $0.name == "call_id" }?.value.string
      let differs = !id.isEmpty && knownID.map { $0 != Array(id.utf8) } ?? false
      if differs || index == nil && id.isEmpty && isNamed { known = nil }
    }
    take(function: call.extracting(function), of: call, id: id, known, into: &events)
    if let index { calls[index] = lastCall }
  }

  /// Takes a piece of a call of a function; `known` is the place of the call that it goes on with.
  private mutating func take(
    function: Span<UInt8>, of call: Span<UInt8>, id: String = "", _ known: Int? = nil,
    into events: inout [[UInt8]]
  ) {
    let place: Int
    if let known = known ?? (id.isEmpty && function.count == call.count ? lastCall : nil) {
      place = known
    } else {
      let name = JSONChildren.raw(of: "name", in: function) ?? ""
      let callID = id.isEmpty ? "call_\(self.id)_\(items.count)" : id
      var members: ChatItem.Members = [("call_id", .text(callID)), ("name", name)]
      // Gemini wants it back.
      if let extra = JSONChildren.raw(of: "extra_content", in: call) {
        members.append(("extra_content", extra))
      }
      place = open("function_call", members, into: &events)
      reasoning = nil
    }
    lastCall = place
    guard let value = JSONChildren.value(of: "arguments", in: function) else { return }
    var text = [UInt8](copying: function.extracting(value))
    // Some send not a text with JSON in it, but the JSON itself.
    if text.first == ASCII.openBrace { text = JSONValue.string(text).line }
    guard text.count > 2, text.first == ASCII.quote else { return }
    let piece = Array(text[1..<text.count - 1])
    items[place].arguments += piece
    send(
      "response.function_call_arguments.delta", at: place, nil,
      [("delta", ChatItem.string(piece))], to: &events)
  }

  /// Takes an image, whose URL has its data.
  private mutating func take(image: Span<UInt8>, into events: inout [[UInt8]]) {
    let url =
      JSONChildren.string(of: "image_url", "url", in: image)
      ?? JSONChildren.string(of: "image_url", in: image) ?? []
    guard url.starts(with: "data:".utf8), let comma = url.firstIndex(of: ASCII.comma),
      url[..<comma].suffix(7).elementsEqual(";base64".utf8)
    else { return notes.append("an image that is not in the answer itself is left out") }
    let data = JSONValue.string(Array(url[(comma + 1)...]))
    let place = open("image_generation_call", into: &events)
    items[place].members.append(("result", data))
  }

  /// Opens an item; returns its place.
  private mutating func open(
    _ type: String, _ members: ChatItem.Members = [], into events: inout [[UInt8]]
  ) -> Int {
    let prefixes = ["message": "msg", "reasoning": "rs", "function_call": "fc"]
    let place = items.count
    let item = ChatItem(
      type: type, id: "\(prefixes[type] ?? "ig")_\(id)_\(place)", members: members)
    items.append(item)
    send(
      "response.output_item.added", at: place, nil, [("item", item.json("in_progress"))],
      to: &events)
    return place
  }

  /// Ends the items and the response.
  mutating func finish(into events: inout [[UInt8]]) {
    let end = end ?? ChatEnd(failure: "the answer has no end", code: "server_error")
    let status = end.status == "completed" ? "completed" : "incomplete"
    for (place, item) in items.enumerated() {
      for (index, part) in item.parts.enumerated() {
        let isText = part.type == "output_text"
        send(
          "response.\(part.type).done", at: place, index,
          [(part.member, ChatItem.string(part.text))]
            + (isText ? [("logprobs", .array(part.logprobs))] : []), to: &events)
        send("response.content_part.done", at: place, index, [("part", part.json)], to: &events)
      }
      if item.type == "function_call" {
        let name = item.members.filter { $0.name == "name" }
        send(
          "response.function_call_arguments.done", at: place, nil,
          name + [("arguments", ChatItem.string(item.arguments))], to: &events)
      }
      send(
        "response.output_item.done", at: place, nil, [("item", item.json(status))], to: &events)
    }
    var whole = response(end.status)
    whole["error"] = end.error
    whole["incomplete_details"] = end.details
    whole["output"] = .array(items.map { $0.json(status) })
    whole["usage"] = usage ?? .null
    send("response.\(end.status)", [("response", whole)], to: &events)
  }

  private func response(_ status: String) -> JSONValue {
    .object(
      head + [
        ("status", .text(status)), ("error", .null), ("incomplete_details", .null),
        ("output", []), ("usage", .null),
      ])
  }

  /// Sends an event about the item at `place`, and the part of it at `index`, if one is meant.
  private mutating func send(
    _ type: String, at place: Int, _ index: Int?, _ members: ChatItem.Members,
    to events: inout [[UInt8]]
  ) {
    var about: ChatItem.Members = [("output_index", .integer(place))]
    if !type.hasPrefix("response.output_item") {
      about.insert(("item_id", .text(items[place].id)), at: 0)
    }
    if let index { about.append(("content_index", .integer(index))) }
    send(type, about + members, to: &events)
  }

  private mutating func send(
    _ type: String, _ members: ChatItem.Members, to events: inout [[UInt8]]
  ) {
    let start: ChatItem.Members = [
      ("type", .text(type)), ("sequence_number", .integer(sequenceNumber)),
    ]
    sequenceNumber += 1
    events.append(JSONValue.object(start + members).line)
  }
}
