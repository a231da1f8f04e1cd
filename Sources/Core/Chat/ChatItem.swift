/// An output item, as far as pieces of a message of Chat Completions have made it.
struct ChatItem {
  typealias Members = [(name: String, value: JSONValue)]

  /// A part of its content.
  struct Part {
    /// `output_text`, `refusal` or `reasoning_text`.
    let type: String
    var text = ChatText()
    var annotations: [JSONValue] = []
    var logprobs: [JSONValue] = []

    /// The name of the member with the text.
    var member: StaticString { type == "refusal" ? "refusal" : "text" }

    var json: JSONValue {
      var part: JSONValue = ["type": "\(type)", member.description: text.json]
      if type == "output_text" {
        part["annotations"] = .array(annotations)
        part["logprobs"] = .array(logprobs)
      }
      return part
    }
  }

  /// `message`, `reasoning` or `function_call`.
  let type: String
  let id: String
  /// Members beside the content, such as the name of a call or encrypted reasoning.
  var members: JSONValue
  var parts: [Part] = []
  /// The arguments of a call.
  var arguments = ChatText()

  /// The id and the name of a call; empty for another item.
  var callID: [UInt8] { members["call_id"]?.string ?? [] }
  var name: [UInt8] { members["name"]?.string ?? [] }

  /// The number of bytes of its texts.
  var size: Int { parts.reduce(arguments.count) { $0 + $1.text.count } }

  /// Closes its texts: no piece follows.
  mutating func close() {
    arguments.close()
    for index in parts.indices { parts[index].text.close() }
  }

  /// Moves its texts into `line`, the event of its end.
  mutating func move(into line: [UInt8]) {
    let content = JSONChildren.elements(of: "item", "content", in: line.span)
    for (index, place) in zip(parts.indices, content) {
      let text = JSONChildren.value(of: parts[index].member, in: line.span, at: place.lowerBound)
      parts[index].text.move(into: line, at: text)
    }
    let place = JSONChildren.value(of: "item", "arguments", in: line.span)
    arguments.move(into: line, at: place)
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
    for (name, value) in members.members { item[name] = value }
    if type == "function_call" { item["arguments"] = isOpen ? "" : arguments.json }
    return item
  }
}

/// The text of a part, or the arguments of a call, as it is spelled between its quotes: `a\ud83d` of
/// one chunk and `\ude86b` of the next are together one valid JSON string.
///
/// Once it is closed it stands in the last line that repeats it, whose memory it shares.
struct ChatText {
  /// The bytes that it stands in, and the place of its JSON string in them, which has no closing
  /// quote as long as it is open.
  private var bytes = [ASCII.quote]
  private var place = 0..<1
  private var isClosed = false

  /// The number of its bytes.
  var count: Int { place.count - (isClosed ? 2 : 1) }
  var isEmpty: Bool { count == 0 }
  var first: UInt8? { isEmpty ? nil : bytes[inside.lowerBound] }

  /// The place of the bytes between its quotes.
  private var inside: Range<Int> { place.lowerBound + 1..<place.lowerBound + 1 + count }

  /// The JSON string.
  var json: JSONValue { isClosed ? .slice(bytes[place]) : json(0..<count) }

  /// The JSON string that has the bytes in `range`.
  func json(_ range: Range<Int>) -> JSONValue {
    let start = inside.lowerBound
    let text = bytes[start + range.lowerBound..<start + range.upperBound]
    return .raw([ASCII.quote] + text + [ASCII.quote])
  }

  mutating func append(_ piece: Span<UInt8>) {
    bytes.append(copying: piece)
    place = 0..<bytes.count
  }

  /// Closes it: no piece follows.
  mutating func close() {
    guard !isClosed else { return }
    isClosed = true
    bytes.append(ASCII.quote)
    place = 0..<bytes.count
  }

  /// Moves it, once it is closed, into `line`, in which its JSON string stands at `place`.
  mutating func move(into line: [UInt8], at place: Range<Int>?) {
    guard isClosed, let place, place.count == self.place.count else { return }
    bytes = line
    self.place = place
  }

  /// Whether it is a whole JSON value.
  var isWhole: Bool { Self.isWhole(bytes.span.extracting(inside)) }

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
    guard first == ASCII.openBrace, piece.byte(at: 0) == ASCII.openBrace, piece.count >= count,
      piece.starts(with: bytes.span.extracting(inside), at: 0)
    else { return false }
    return piece.count > count || Self.isWhole(piece)
  }
}
