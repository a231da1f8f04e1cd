import Core

/// Turns the body of a request for a response into one for Chat Completions. Of
///
///     {"model":"m","instructions":"Be brief.","input":"Hi","max_output_tokens":9,"stream":true}
///
/// it makes
///
///     {"model":"m","messages":[{"role":"system","content":"Be brief."},
///      {"role":"user","content":"Hi"}],"max_completion_tokens":9,"stream":true,
///      "stream_options":{"include_usage":true}}
struct ChatRequest {
  /// The changes of the body by options.
  let edits: [Edit]
  /// The server's name for the limit of output tokens.
  let limitName: String

  /// Members that have another name in Chat Completions.
  private static let names = [
    "reasoning.effort": "reasoning_effort", "text.verbosity": "verbosity",
    "text.format": "response_format",
  ]

  /// Members that Chat Completions lacks.
  private static let unknown: Set<String> = [
    "background", "context_management", "conversation", "include", "max_tool_calls",
    "previous_response_id", "prompt", "prompt_cache_options", "truncation",
  ]

  /// The members of `body`, which has messages, that no option sets: they are sent as they came.
  func untouched(of body: RequestBody) -> Set<String> {
    Set(body.members.map(\.name)).subtracting(edits.compactMap(\.path.names.first))
  }

  /// Turns `body` into one for Chat Completions, but for the members `untouched`.
  func change(
    _ body: inout RequestBody, but untouched: Set<String> = []
  ) throws(Failure) {
    try setMessages(of: &body)
    for (name, value) in body.members where !untouched.contains(name) {
      body.replace(name, with: try members(name, value))
    }
    if !untouched.contains("stream"), body.hasValue("stream"), !body.isFalse("stream") {
      let path = BodyPath(members: "stream_options.include_usage")
      if body.root.value(at: path) == nil { try body.set(.bool(true), at: path) }
    }
  }

  /// Makes messages of the instructions and the input. Instructions replace the system's messages
  /// at the start of those in the body, and an input replaces the others.
  private func setMessages(of body: inout RequestBody) throws(Failure) {
    let held = body.root.value(at: BodyPath(members: "messages"))?.opened.elements ?? []
    let isSystems = { (message: JSONValue) in
      ["system", "developer"].contains(message.opened["role"]?.text ?? "")
    }
    func said(_ name: String) -> JSONValue? {
      body.hasValue(name) ? body.root.value(at: BodyPath(members: name)) : nil
    }
    let instructions = said("instructions")
    let input = said("input")
    guard instructions != nil || input != nil else { return }
    var made = ChatMessages(Array(held.prefix(while: isSystems)))
    if let instructions { made = ChatMessages([["role": "system", "content": instructions]]) }
    if let input {
      for item in input.opened.elements ?? [["role": "user", "content": input]] {
        try made.append(item)
      }
    } else {
      made = ChatMessages(made.messages + held.drop(while: isSystems))
    }
    let isNew = !body.has("messages")
    body.replace("instructions", with: [])
    body.replace("input", with: isNew && input != nil ? [("messages", .null)] : [])
    body.set("messages", .array(made.messages))
  }

  /// The members of Chat Completions for the member `name`.
  private func members(_ name: String, _ value: JSONValue) throws(Failure) -> JSONValue.Members {
    switch name {
    case _ where value.isNull: return [(name, value)]
    case "max_output_tokens": return [(limitName, value)]
    case "reasoning", "text":
      return try (value.opened.members ?? []).map { inner, value throws(Failure) in
        let path = name + "." + inner
        guard let known = Self.names[path] else { throw lacking(path) }
        return (known, path == "text.format" ? Self.format(value) : value)
      }
    case "tools":
      let tools = value.opened.elements ?? []
      return [(name, .array(try tools.map { tool throws(Failure) in try self.tool(tool) }))]
    case "tool_choice": return [(name, try choice(value.opened))]
    case "top_logprobs": return [("logprobs", true), (name, value)]
    case "include":
      let wanted = value.opened.elements?.map(\.text)
      guard wanted == ["message.output_text.logprobs"] else { throw lacking(name) }
      return [("logprobs", true)]
    case "background" where value.line == JSONValue.bool(false).line: return []
    default:
      guard !Self.unknown.contains(name) else { throw lacking(name) }
      return [(name, value)]
    }
  }

  private static func format(_ value: JSONValue) -> JSONValue {
    let format = value.opened
    guard format["type"]?.text == "json_schema", format["json_schema"] == nil else { return value }
    return ["type": "json_schema", "json_schema": rest(of: format)]
  }

  private func tool(_ value: JSONValue) throws(Failure) -> JSONValue {
    let tool = value.opened
    let type = tool["type"]?.text ?? ""
    let known = [
      "function": ["name", "description", "parameters", "strict"],
      "custom": ["name", "description", "format"],
    ]
    guard let known = known[type] else {
      throw .usage("-t \(type): Chat Completions has no tool but functions and custom ones")
    }
    guard tool[type] == nil else { return value }
    var inner = Self.rest(of: tool)
    for (name, _) in inner.members ?? [] where !known.contains(name) {
      throw .usage("-t \(type): Chat Completions has nothing like \(name)")
    }
    if let format = inner["format"]?.opened, format["type"]?.text == "grammar" {
      inner["format"] = ["type": "grammar", "grammar": Self.rest(of: format)]
    }
    return .object([("type", .text(type)), (type, inner)])
  }

  /// The members of `object` without its type and without nulls.
  private static func rest(of object: JSONValue) -> JSONValue {
    .object((object.members ?? []).filter { $0.name != "type" && !$0.value.isNull })
  }

  private func choice(_ choice: JSONValue) throws(Failure) -> JSONValue {
    guard choice.members != nil, let type = choice["type"]?.text, choice[type] == nil else {
      return choice
    }
    switch type {
    case "function", "custom": break
    case "allowed_tools":
      let tools = choice["tools"]?.opened.elements ?? []
      var inner = Self.rest(of: choice)
      inner["tools"] = .array(
        try tools.map { tool throws(Failure) in try self.choice(tool.opened) })
      return ["type": "allowed_tools", "allowed_tools": inner]
    default: throw lacking("tool_choice")
    }
    return .object([("type", .text(type)), (type, Self.rest(of: choice))])
  }

  private func lacking(_ path: String) -> Failure {
    // No edit has the response that the request continues.
    if path == "previous_response_id" {
      return .usage(
        "--previous: Chat Completions keeps no responses; --items FILE sends the turns so far, and"
          + " oresp-events --items makes lines of the answers")
    }
    let option = edits.first { $0.path.text == path }?.option
    return .usage("\(option ?? path): Chat Completions has nothing like it")
  }
}
