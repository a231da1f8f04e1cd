import Core

/// What comes of an answer: choices, messages and pieces of such.
extension ChatAnswer {
  /// Takes `chunk`, which `object` is: what it adds, or the whole message.
  mutating func add(_ chunk: ChatChunk, _ object: Span<UInt8>) {
    // Perplexity and xAI list what they read beside the choices, in each chunk all of it.
    let found = JSONChildren.elements(of: "search_results", in: object)
    let cited = found.isEmpty ? JSONChildren.elements(of: "citations", in: object) : found
    for place in cited { add(source: object.extracting(place)) }
    if let message = chunk.message, let choice = chunk.choice {
      add(message: object.extracting(message), of: object.extracting(choice))
    } else if let text = chunk.text {
      add(object.extracting(text), as: "output_text")
    }
  }

  private mutating func add(
    message object: Span<UInt8>, of choice: Span<UInt8>
  ) {
    func place(_ name: StaticString) -> Range<Int>? { JSONChildren.value(of: name, in: object) }
    func elements(_ name: StaticString) -> [Range<Int>] {
      JSONChildren.elements(at: place(name), in: object)
    }
    // A model thinks before it speaks, whatever the order of the members. Some servers send both of
    // the first two, and mean the same; and once more in the details.
    let isReasoned = [place("reasoning_content"), place("reasoning")].contains { place in
      guard let place else { return false }
      return add(object.extracting(place), as: "reasoning_text")
    }
    for place in elements("reasoning_details") {
      add(detail: object.extracting(place), isReasoned: isReasoned)
    }
    if let place = place("content") {
      add(content: object.extracting(place), choice)
    }
    if let place = place("refusal") {
      add(object.extracting(place), as: "refusal")
    }
    for place in elements("annotations") {
      add(annotation: object.extracting(place))
    }
    for place in elements("images") { add(image: object.extracting(place)) }
    for place in elements("tool_calls") { add(call: object.extracting(place)) }
    if let place = place("function_call"), object[place.lowerBound] == ASCII.openBrace {
      let function = object.extracting(place)
      add(function: function, of: function)
    }
    // Groq
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

  /// Takes a source: an address, or an object with one.
  private mutating func add(source: Span<UInt8>) {
    let url =
      source[0] == ASCII.quote
      ? JSONString.decoded(source) : JSONChildren.string(of: "url", in: source) ?? []
    guard !url.isEmpty, sourceURLs.insert(url).inserted else { return }
    var made: JSONValue = ["type": "url", "url": .string(url)]
    made["title"] = JSONChildren.raw(of: "title", in: source)
    sources.append(made)
  }

  /// Takes a piece of sound: its bytes, and the words in it, which are the text where there is no
  /// other.
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

  /// Takes content: a string, as Mistral has it parts of text and of thinking, or as Workers AI has
  /// it the JSON object that a schema asked for.
  private mutating func add(
    content: Span<UInt8>, _ choice: Span<UInt8>
  ) {
    let logprobs = JSONChildren.value(of: "logprobs", "content", in: choice)
    let tokens = JSONChildren.elements(at: logprobs, in: choice).map {
      JSONValue.raw([UInt8](copying: choice.extracting($0)))
    }
    if content[0] == ASCII.openBrace {
      add(JSONValue.string([UInt8](copying: content)).line.span, as: "output_text")
      return
    }
    guard content[0] == ASCII.openBracket else {
      add(content, as: "output_text", logprobs: tokens)
      return
    }
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

  /// Takes a detail of the reasoning, as OpenRouter has them: text that came as such already, or a
  /// thing to hand back.
  private mutating func add(
    detail: Span<UInt8>, isReasoned: Bool
  ) {
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
      [("annotation_index", .integer(index)), ("annotation", made)])
  }

  /// Sends the annotations that came before the first word, as OpenRouter sends what it found.
  mutating func sendEarlyAnnotations() {
    let annotations = earlyAnnotations
    earlyAnnotations = []
    for annotation in annotations { add(annotation: annotation.span) }
  }

  /// Takes a piece of a call. One with an id of its own, or with a name where neither id nor index
  /// tells calls apart (Gemini), is another call.
  private mutating func add(call: Span<UInt8>) {
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
    add(function: call.extracting(function), of: call, id: id, known)
    if let index { calls[index] = lastCall }
  }

  /// Takes a piece of a call of a function; `known` is the place of the call that it goes on with.
  private mutating func add(
    function: Span<UInt8>, of call: Span<UInt8>, id: String = "", _ known: Int? = nil
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
      place = open("function_call", members)
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
      [("delta", ChatItem.string(piece))])
  }

  /// Takes an image, whose URL has its data.
  private mutating func add(image: Span<UInt8>) {
    let url =
      JSONChildren.string(of: "image_url", "url", in: image)
      ?? JSONChildren.string(of: "image_url", in: image) ?? []
    guard url.starts(with: "data:".utf8), let comma = url.firstIndex(of: ASCII.comma),
      url[..<comma].suffix(7).elementsEqual(";base64".utf8)
    else { return notes.append("an image that is not in the answer itself is left out") }
    let data = JSONValue.string(Array(url[(comma + 1)...]))
    let place = open("image_generation_call")
    items[place].members.append(("result", data))
  }
}
