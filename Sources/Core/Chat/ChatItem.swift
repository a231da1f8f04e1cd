/// An output item, as far as pieces of a message of Chat Completions have made it.
///
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
    var member: String { type == "refusal" ? "refusal" : "text" }

    var json: JSONValue {
      var part: JSONValue = ["type": "\(type)", member: text.json]
      if type == "output_text" {
        part["annotations"] = .array(annotations)
        part["logprobs"] = .array(logprobs)
      }
      return part
    }
  }

  /// `message`, `reasoning`, `function_call`, `image_generation_call` or `web_search_call`.
  let type: String
  let id: String
  /// Members beside the content, such as the name of a call or encrypted reasoning.
  var members: Members = []
  var parts: [Part] = []
  /// The arguments of a call.
  var arguments = ChatText()

  /// The id and the name of a call; empty for another item.
  var callID: [UInt8] { members.first { $0.name == "call_id" }?.value.string ?? [] }
  var name: [UInt8] { members.first { $0.name == "name" }?.value.string ?? [] }

  /// The number of bytes of its texts.
  var size: Int { parts.reduce(arguments.count) { $0 + $1.text.count } }

  /// Closes its texts: no piece follows.
  mutating func close() {
    arguments.close()
    for index in parts.indices { parts[index].text.close() }
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
    for (name, value) in members { item[name] = value }
    if type == "function_call" { item["arguments"] = isOpen ? "" : arguments.json }
    return item
  }
}

/// The text of a part, or the arguments of a call, as it is spelled between its quotes: `a\ud83d` of
/// one chunk and `\ude86b` of the next are together one valid JSON string.
///
/// It stands behind its opening quote, so that events which have all of it share its memory.
struct ChatText {
  private var bytes = [ASCII.quote]
  private var isClosed = false

  /// The number of its bytes.
  var count: Int { bytes.count - (isClosed ? 2 : 1) }
  var isEmpty: Bool { count == 0 }
  var first: UInt8? { isEmpty ? nil : bytes[1] }

  /// The JSON string.
  var json: JSONValue { .raw(isClosed ? bytes : bytes + [ASCII.quote]) }

  /// The JSON string that has the bytes in `range`.
  func json(_ range: Range<Int>) -> JSONValue {
    .raw([ASCII.quote] + bytes[range.lowerBound + 1..<range.upperBound + 1] + [ASCII.quote])
  }

  mutating func append(_ piece: Span<UInt8>) { bytes.append(copying: piece) }

  /// Closes it: no piece follows.
  mutating func close() {
    if !isClosed { bytes.append(ASCII.quote) }
    isClosed = true
  }

  /// Whether it is a whole JSON value.
  var isWhole: Bool { Self.isWhole(bytes.span.extracting(1..<count + 1)) }

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
      piece.starts(with: bytes.span.extracting(1..<count + 1), at: 0)
    else { return false }
    return piece.count > count || Self.isWhole(piece)
  }
}
