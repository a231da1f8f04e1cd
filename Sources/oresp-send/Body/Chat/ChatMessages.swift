import Core

/// Makes messages of Chat Completions out of input items. A call joins the message of the assistant
/// before it, with the reasoning before that message; other reasoning is left out. Of
///
///     {"type":"reasoning","content":[{"type":"reasoning_text","text":"Look."}]}
///     {"type":"function_call","call_id":"c1","name":"get","arguments":"{}"}
///
/// it makes
///
///     {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",
///      "function":{"name":"get","arguments":"{}"}}],"reasoning_content":"Look."}
struct ChatMessages {
  private(set) var messages: [JSONValue]
  private var reasoning: [UInt8] = []
  /// The `reasoning_details` of OpenRouter, which go back in place of the reasoning.
  private var details: JSONValue?

  init(_ messages: [JSONValue]) { self.messages = messages }

  /// Adds `item`. A message of Chat Completions is added as it is.
  mutating func append(_ item: JSONValue) throws(Failure) {
    let item = item.opened
    let type = item["type"]?.text ?? (item["role"] == nil ? "" : "message")
    switch type {
    case "message":
      var message = item["type"] == nil ? item : ["role": item["role"] ?? "user"]
      message["content"] = try item["content"].map { content throws(Failure) in
        try Self.content(content, isAnswer: item["role"]?.text == "assistant")
      }
      if item["role"]?.text != "assistant" { forgetReasoning() }
      if item["type"] != nil {
        message["provider_specific_fields"] = item["provider_specific_fields"]
        message["reasoning_details"] = details
      }
      messages.append(message)
    case "reasoning":
      let texts = item["content"]?.opened.elements?.compactMap { $0.opened["text"]?.string }
      reasoning = texts?.flatMap(\.self) ?? []
      details = item["reasoning_details"]
    case "function_call": append(call: item, "function", holds: "arguments")
    case "custom_tool_call": append(call: item, "custom", holds: "input")
    case "function_call_output", "custom_tool_call_output":
      forgetReasoning()
      messages.append([
        "role": "tool", "tool_call_id": item["call_id"] ?? "",
        "content": try Self.content(item["output"] ?? "", isAnswer: false),
      ])
    default:
      throw .usage("--items: Chat Completions has no item of type \(type)")
    }
  }

  private mutating func forgetReasoning() {
    reasoning = []
    details = nil
  }

  private mutating func append(call item: JSONValue, _ type: String, holds member: String) {
    if messages.last?.opened["role"]?.text != "assistant" {
      messages.append(["role": "assistant", "content": .null])
    }
    var message = (messages.popLast() ?? [:]).opened
    let inner: JSONValue = ["name": item["name"] ?? "", member: item[member] ?? ""]
    var call = JSONValue.object([
      ("id", item["call_id"] ?? ""), ("type", .text(type)), (type, inner),
    ])
    // Gemini expects its signature back with the call.
    call["extra_content"] = item["extra_content"]
    call["provider_specific_fields"] = item["provider_specific_fields"]
    message["tool_calls"] = .array((message["tool_calls"]?.opened.elements ?? []) + [call])
    if let details {
      message["reasoning_details"] = details
    } else if !reasoning.isEmpty {
      message["reasoning_content"] = .string(reasoning)
    }
    messages.append(message)
  }

  /// The content of a message. Texts alone become one string, since some servers take nothing else:
  /// in an answer without anything between them, elsewhere each on lines of its own.
  private static func content(_ content: JSONValue, isAnswer: Bool) throws(Failure) -> JSONValue {
    guard let elements = content.opened.elements else { return content }
    let parts = try elements.map { part throws(Failure) in try Self.part(part) }
    let texts = parts.compactMap { $0.opened["type"]?.text == "text" ? $0.opened["text"] : nil }
    guard texts.count == parts.count, let first = texts.first else { return .array(parts) }
    guard texts.count > 1 else { return first }
    var whole: [UInt8] = []
    for text in texts.compactMap(\.string) {
      if !isAnswer, !whole.isEmpty, whole.last != ASCII.lf { whole.append(ASCII.lf) }
      whole += text
    }
    return .string(whole)
  }

  private static func part(_ value: JSONValue) throws(Failure) -> JSONValue {
    let part = value.opened
    let type = part["type"]?.text ?? ""
    switch type {
    case "input_text", "output_text", "text": return ["type": "text", "text": part["text"] ?? ""]
    case "input_image":
      guard let url = part["image_url"], !url.isNull else {
        throw .usage("-f or --items: Chat Completions takes an image or its URL, not its id")
      }
      var image: JSONValue = ["url": url]
      if part["detail"]?.text != "auto" { image["detail"] = part["detail"] }
      return ["type": "image_url", "image_url": image]
    case "input_file":
      guard part["file_url"] == nil else {
        throw .usage("-f or --items: Chat Completions takes a file or its id, not its URL")
      }
      let members = (part.members ?? []).filter { !["type", "detail"].contains($0.name) }
      return ["type": "file", "file": .object(members)]
    case "input_audio", "image_url", "file", "refusal": return value
    default: throw .usage("--items: Chat Completions has no content of type \(type)")
    }
  }
}
