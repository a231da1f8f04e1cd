/// An output item, as far as pieces of a message of Chat Completions have made it.
struct ChatItem {
  typealias Members = [(name: String, value: JSONValue)]

  /// A part of its content, or the arguments of a call.
  struct Part {
    /// `output_text`, `refusal`, `reasoning_text` or `function_call_arguments`.
    let type: String
    var text = ChatText()
    var annotations: [JSONValue] = []
    var logprobs: [JSONValue] = []
    /// Whether an event told of its start, and of how many annotations and log probabilities.
    var isTold = false
    var toldAnnotations = 0
    var toldLogprobs = 0

    /// The name of the member with the text.
    var member: StaticString {
      switch type {
      case "refusal": "refusal"
      case "function_call_arguments": "arguments"
      default: "text"
      }
    }

    /// The part of a message or of reasoning, whose text is closed.
    var json: JSONValue {
      var part: JSONValue = ["type": "\(type)", member.description: text.json]
      if type == "output_text" {
        part["annotations"] = .array(annotations)
        part["logprobs"] = .array(logprobs)
      }
      return part
    }

    /// The members of the event of the end of its text, which is closed.
    var end: Members {
      let said: Members = [(member.description, text.json)]
      return type == "output_text" ? said + [("logprobs", .array(logprobs))] : said
    }

    /// Takes the first thing of it that no event told of: the type of its event, and the members of
    /// that; `nil` when all was told.
    mutating func takeChange() -> (type: String, said: Members)? {
      if !isTold {
        isTold = true
        var start = Part(type: type)
        start.text.close()
        return ("content_part.added", [("part", start.json)])
      }
      if !text.isTold {
        var said: Members = [("delta", text.take())]
        if type == "output_text" {
          said.append(("logprobs", .array(Array(logprobs[toldLogprobs...]))))
          toldLogprobs = logprobs.count
        }
        return ("\(type).delta", said)
      }
      let index = toldAnnotations
      guard index < annotations.count else { return nil }
      toldAnnotations += 1
      let said: Members = [
        ("annotation_index", .integer(index)), ("annotation", annotations[index]),
      ]
      return ("output_text.annotation.added", said)
    }
  }

  /// `message`, `reasoning` or `function_call`.
  let type: String
  let id: String
  /// Members beside the content, such as the name of a call or encrypted reasoning.
  var members: JSONValue
  var parts: [Part] = []
  /// Whether an event told of its start.
  var isTold = false
  /// Whether something of it was not told yet.
  var isChanged = false

  var isCall: Bool { type == "function_call" }
  /// The id and the name of a call; empty for another item.
  var callID: [UInt8] { members["call_id"]?.string ?? [] }
  var name: [UInt8] { members["name"]?.string ?? [] }
  /// The arguments of a call.
  var arguments: ChatText { parts.first?.text ?? ChatText() }
  var hasText: Bool { parts.contains { !$0.text.isEmpty } }
  /// Whether more of a call's name may come.
  var mayLackName: Bool { isCall && !isTold && !hasText }

  init(_ type: String, id: String, _ members: JSONValue) {
    self.type = type
    self.id = id
    self.members = members
    if isCall { parts = [Part(type: "function_call_arguments", isTold: true)] }
  }

  /// Appends a piece of the arguments of a call. One that begins with all that came takes its place.
  mutating func append(arguments piece: Span<UInt8>) {
    // Its opening quote is counted, too.
    let known = arguments.isRepeated(by: piece) ? arguments.count - 1 : 0
    for index in parts.indices { parts[index].text.append(piece.extracting(known...)) }
  }

  /// Joins `piece` to the name of a call. Some servers send the name in pieces, others repeat it,
  /// whole, with each piece of the arguments.
  mutating func join(name piece: [UInt8]) {
    guard !piece.isEmpty, !hasText else { return }
    members["name"] = .string(piece.starts(with: name) ? piece : name + piece)
  }

  /// The number of bytes of its texts.
  var size: Int { parts.reduce(0) { $0 + $1.text.count } }

  /// The members that say that an event is about part number `part` of it; it is item `index`.
  func about(_ index: Int, _ part: Int) -> Members {
    let about: Members = [("item_id", .text(id)), ("output_index", .integer(index))]
    return isCall ? about : about + [("content_index", .integer(part))]
  }

  /// Takes the first thing of it, item `index`, that no event told of; `nil` when all was told.
  mutating func takeChange(_ index: Int) -> (type: String, said: Members)? {
    if !isTold {
      isTold = true
      let start = json("in_progress")
      return ("output_item.added", [("output_index", .integer(index)), ("item", start)])
    }
    for part in parts.indices {
      if let (type, said) = parts[part].takeChange() { return (type, about(index, part) + said) }
    }
    return nil
  }

  /// Moves its texts into `line`, the event of its end.
  mutating func move(into line: [UInt8]) {
    let content = JSONChildren.elements(of: "item", "content", in: line.span)
    let item = JSONChildren.value(of: "item", in: line.span).map { [$0] } ?? []
    for (index, object) in zip(parts.indices, isCall ? item : content) {
      let name = parts[index].member
      let place = JSONChildren.value(of: name, in: line.span, at: object.lowerBound)
      parts[index].text.move(into: line, at: place)
    }
  }

  /// The item with `status`; in progress, it has no content yet.
  func json(_ status: String) -> JSONValue {
    let isOpen = status == "in_progress"
    var item: JSONValue = ["id": "\(id)", "type": "\(type)", "status": "\(status)"]
    let content = JSONValue.array(isOpen ? [] : parts.map(\.json))
    switch type {
    case "message":
      item["role"] = "assistant"
      item["content"] = content
    case "reasoning":
      item["summary"] = []
      item["content"] = content
    default: break
    }
    for (name, value) in members.members where isCall || !isOpen { item[name] = value }
    if isCall { item["arguments"] = isOpen ? "" : parts.first?.text.json }
    return item
  }
}

/// The text of a part, or the arguments of a call, as it is spelled between its quotes: `a\ud83d` of
/// one chunk and `\ude86b` of the next are together one valid JSON string.
struct ChatText {
  /// The JSON string without its closing quote, as long as pieces may follow.
  private var open = [ASCII.quote]
  /// The number of its bytes that events told of.
  private var toldCount = 1
  /// The JSON string behind its last piece. It stands in the last line that repeats it, whose memory
  /// it shares.
  private var closed: ArraySlice<UInt8> = []

  /// The number of its bytes, and of its quotes.
  var count: Int { open.count + closed.count }
  var isEmpty: Bool { count < 2 }
  var isTold: Bool { toldCount == open.count }

  /// The JSON string, once it is closed.
  var json: JSONValue { .slice(closed) }

  mutating func append(_ piece: Span<UInt8>) { open.append(copying: piece) }

  /// Takes what was not told yet, as a JSON string.
  mutating func take() -> JSONValue {
    let piece = open[toldCount...]
    toldCount = open.count
    return .raw([ASCII.quote] + piece + [ASCII.quote])
  }

  /// Closes it: all was told, and no piece follows.
  mutating func close() {
    open.append(ASCII.quote)
    closed = open[...]
    open = []
  }

  /// Moves it, once it is closed, into `line`, in which its JSON string stands at `place`.
  mutating func move(into line: [UInt8], at place: Range<Int>?) {
    if let place, place.count == closed.count { closed = line[place] }
  }

  /// Whether it is a whole JSON value.
  var isWhole: Bool { Self.isWhole(open.span.extracting(min(1, open.count)...)) }

  private static func isWhole(_ text: Span<UInt8>) -> Bool {
    // Most pieces end within a value: an object is looked at only where it may end.
    let end = text.extracting(max(0, text.count - 8)...)
    if text.byte(at: 0) == ASCII.openBrace, end.firstIndex(of: ASCII.closeBrace) == nil {
      return false
    }
    return !text.isEmpty && JSONScan.accepts(JSONString.decoded(inside: text).span)
  }

  /// Whether `piece` begins with all of it, and is longer or whole: it takes its place. No JSON
  /// object goes on as it begins.
  func isRepeated(by piece: Span<UInt8>) -> Bool {
    let inside = open.span.extracting(min(1, open.count)...)
    guard inside.byte(at: 0) == ASCII.openBrace, piece.starts(with: inside, at: 0) else {
      return false
    }
    return piece.count > inside.count || Self.isWhole(piece)
  }
}
