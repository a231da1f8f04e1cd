import Core

/// An output item that is made of pieces of a message of Chat Completions.
///
/// Texts are kept as they were spelled, between their quotes: pieces of JSON strings that follow
/// each other are one JSON string, even where a surrogate pair was cut.
struct ChatItem {
  /// Names and values of an object's members, in their order.
  typealias Members = [(name: String, value: JSONValue)]

  /// A part of its content.
  struct Part {
    /// `output_text`, `refusal` or `reasoning_text`.
    let type: String
    var text: [UInt8] = []
    var annotations: [JSONValue] = []
    var logprobs: [JSONValue] = []

    /// The member of the part that has its text.
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

  /// `message`, `reasoning`, `function_call` or `image_generation_call`.
  let type: String
  let id: String
  /// What it has beside its content: the name and the id of a call, reasoning that is encrypted.
  var members: Members = []
  var parts: [Part] = []
  /// The arguments of a call.
  var arguments: [UInt8] = []

  /// A JSON string of `text`, which is spelled as in one.
  static func string(_ text: [UInt8]) -> JSONValue { .raw([ASCII.quote] + text + [ASCII.quote]) }

  /// The item as it is with `status`; without content as long as it is in progress.
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
