import Core

/// An output item that is made of pieces of a message of Chat Completions.
///
/// Texts are kept as they were spelled, between their quotes: pieces of JSON strings that follow each
/// other are one JSON string, even where a surrogate pair was cut.
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

/// How an answer of Chat Completions ended.
struct ChatEnd {
  /// `completed`, `incomplete` or `failed`.
  let status: String
  var details = JSONValue.null
  var error = JSONValue.null

  /// What the reason that servers give comes to; `nil` for one that is not known.
  init?(reason: String) {
    switch reason.lowercased() {
    case "stop", "tool_calls", "function_call", "end_turn", "stop_sequence", "eos", "tool_use":
      status = "completed"
    case "length", "max_tokens", "model_length":
      status = "incomplete"
      details = ["reason": "max_output_tokens"]
    case "content_filter", "safety", "recitation", "prohibited_content", "blocklist", "sensitive":
      status = "incomplete"
      details = ["reason": "content_filter"]
    case "error", "insufficient_system_resource", "abort", "network_error":
      status = "failed"
      let message = "the server ended it with finish_reason \(reason)"
      error = ["code": "server_error", "message": "\(message)"]
    default: return nil
    }
  }

  init(failure message: String, code: String) {
    status = "failed"
    error = ["code": "\(code)", "message": "\(message)"]
  }
}

/// The tokens that an answer of Chat Completions took, as a Response has them.
enum ChatUsage {
  /// `nil` when `usage` is no object, or has no counts.
  static func json(_ usage: Span<UInt8>) -> JSONValue? {
    guard LineShape.isObject(usage) else { return nil }
    guard let input = JSONChildren.integer(of: "prompt_tokens", in: usage),
      let output = JSONChildren.integer(of: "completion_tokens", in: usage)
    else { return nil }
    let cached =
      JSONChildren.integer(of: "prompt_tokens_details", "cached_tokens", in: usage)
      // DeepSeek
      ?? JSONChildren.integer(of: "prompt_cache_hit_tokens", in: usage)
    let reasoning = JSONChildren.integer(
      of: "completion_tokens_details", "reasoning_tokens", in: usage)
    let (sum, overflows) = input.addingReportingOverflow(output)
    let total = JSONChildren.integer(of: "total_tokens", in: usage) ?? (overflows ? nil : sum)
    var whole: JSONValue = [
      "input_tokens": .integer(input),
      "input_tokens_details": ["cached_tokens": .integer(cached ?? 0)],
      "output_tokens": .integer(output),
      "output_tokens_details": ["reasoning_tokens": .integer(reasoning ?? 0)],
    ]
    whole["total_tokens"] = total.map(JSONValue.integer)
    return whole
  }
}
