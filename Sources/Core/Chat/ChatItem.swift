/// An output item, as far as pieces of a message of Chat Completions have made it.
///
/// Texts keep their spelling between the quotes: `a\ud83d` of one chunk and `\ude86b` of the next
/// are together one valid JSON string.
struct ChatItem {
  typealias Members = [(name: String, value: JSONValue)]

  /// A part of its content.
  struct Part {
    /// `output_text`, `refusal` or `reasoning_text`.
    let type: String
    var text: [UInt8] = []
    var annotations: [JSONValue] = []
    var logprobs: [JSONValue] = []

    /// The name of the member with the text.
    var member: String { type == "refusal" ? "refusal" : "text" }

    var json: JSONValue {
      var part: JSONValue = ["type": "\(type)", member: ChatItem.string(text)]
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
  var arguments: [UInt8] = []

  /// The id and the name of a call; empty for another item.
  var callID: [UInt8] { members.first { $0.name == "call_id" }?.value.string ?? [] }
  var name: [UInt8] { members.first { $0.name == "name" }?.value.string ?? [] }

  /// Whether the arguments of a call are a whole JSON value.
  var isWhole: Bool { Self.isWhole(arguments) }

  private static func isWhole(_ text: [UInt8]) -> Bool {
    // Most pieces end within a value: an object is looked at only where it may end.
    if text.first == ASCII.openBrace, text.suffix(8).lastIndex(of: ASCII.closeBrace) == nil {
      return false
    }
    return !text.isEmpty && JSONScan.accepts(JSONString.decoded(inside: text.span).span)
  }

  /// Whether `piece` begins with all the arguments so far, and is longer or whole: it takes their
  /// place. No JSON object goes on as it begins.
  func isRepeated(by piece: [UInt8]) -> Bool {
    guard arguments.first == ASCII.openBrace, piece.first == ASCII.openBrace,
      piece.count >= arguments.count, piece.starts(with: arguments)
    else { return false }
    return piece.count > arguments.count || Self.isWhole(piece)
  }

  /// Adds `piece` to the arguments of a call. Returns what it adds to them.
  mutating func add(arguments piece: [UInt8]) -> [UInt8] {
    let delta = isRepeated(by: piece) ? Array(piece[arguments.count...]) : piece
    arguments += delta
    return delta
  }

  /// The JSON string that has `text` between its quotes.
  static func string(_ text: [UInt8]) -> JSONValue { .raw([ASCII.quote] + text + [ASCII.quote]) }

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
    if type == "function_call" { item["arguments"] = isOpen ? "" : Self.string(arguments) }
    return item
  }
}
