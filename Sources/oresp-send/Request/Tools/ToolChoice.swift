import Core

/// Which tool the model is to call, as people type it.
enum ToolChoice {
  private static let modes = ["none", "auto", "required"]

  /// Tools of the server that may be chosen by their type alone.
  private static let types = [
    "file_search", "web_search_preview", "web_search_preview_2025_03_11", "computer",
    "computer_use_preview", "computer_use", "image_generation", "code_interpreter",
    "apply_patch", "shell", "programmatic_tool_calling",
  ]

  /// Tools that are chosen among by their type, though not alone.
  private static let listed = ["web_search", "web_search_2025_08_26", "custom", "tool_search"]

  static let names = modes + ["function=", "custom=", "mcp=", "allowed="] + types

  /// The `tool_choice` that `text` means: a mode, a type, `function=NAME`, `custom=NAME`,
  /// `mcp=LABEL[/NAME]`, `allowed=TOOL;TOOL...[,required]`, or JSON.
  static func value(_ text: String) throws(Failure) -> JSONValue {
    if text.hasPrefix("{") { return try json(text) }
    if modes.contains(text) { return .text(text) }
    let (kind, rest) = Typed.parts(of: text, at: "=")
    if kind == "allowed", let rest { return try allowed(rest) }
    guard rest != nil || types.contains(text) else { throw unknown(text) }
    return try tool(text)
  }

  private static func json(_ text: String) throws(Failure) -> JSONValue {
    guard case .given(let value) = try ValueSource.json(text) else { return .null }
    return value
  }

  /// One tool: its type, or what names it.
  private static func tool(_ text: String) throws(Failure) -> JSONValue {
    let (type, name) = Typed.parts(of: text, at: "=")
    guard let name else { return .object([("type", .text(type))]) }
    guard !name.isEmpty else { throw .usage("expected a name behind \(type)=") }
    switch type {
    case "function", "custom": return .object([("type", .text(type)), ("name", .text(name))])
    case "mcp":
      let (label, tool) = Typed.parts(of: name, at: "/")
      let server: [(name: String, value: JSONValue)] = [
        ("type", .text(type)), ("server_label", .text(label)),
      ]
      return .object(server + (tool.map { [("name", .text($0))] } ?? []))
    default: throw unknown(text)
    }
  }

  /// Several tools of which the model may, or must, call one; a bare name is a function's.
  private static func allowed(_ text: String) throws(Failure) -> JSONValue {
    let (list, mode) = Typed.parts(of: text, at: ",")
    guard ["auto", "required"].contains(mode ?? "auto") else {
      throw .usage("expected auto or required behind the list, got \(mode ?? "")")
    }
    var tools: [JSONValue] = []
    for word in Typed.words(of: list, at: ";") {
      let isNamed = word.contains("=") || (types + listed).contains(word)
      tools.append(try tool(isNamed ? word : "function=\(word)"))
    }
    return .object([
      ("type", .text("allowed_tools")), ("mode", .text(mode ?? "auto")), ("tools", .array(tools)),
    ])
  }

  private static func unknown(_ text: String) -> Failure {
    let near = Typed.nearest(text, among: modes + types)
    let forms = "none, auto, required, function=NAME, custom=NAME, mcp=LABEL[/NAME], allowed=..."
    return .usage("expected \(forms), or a tool of the server, got \(text)\(near)")
  }
}
