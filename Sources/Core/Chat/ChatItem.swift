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
