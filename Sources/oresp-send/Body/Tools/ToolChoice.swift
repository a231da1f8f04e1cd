import Core

/// Values of `--tool-choice`.
enum ToolChoice {
  private static let modes = ["none", "auto", "required"]
  /// The types of tools that are chosen by a name, too.
  private static let named = ["function", "custom", "mcp"]
  /// The types of tools that are chosen by their type alone.
  private static let types = ToolKind.table.map(\.type).filter { !named.contains($0) }

  static let names = modes + named.map { $0 + "=" } + ["allowed="] + types

  /// The `tool_choice` that `text` means: a mode, a type, `function=NAME`, `custom=NAME`,
  /// `mcp=LABEL[/NAME]`, `allowed=TOOL;TOOL...[,required]`, or JSON.
  static func value(_ text: String) throws(Failure) -> JSONValue {
    if text.hasPrefix("{"), let value = try Source.json(text).given { return value }
    if modes.contains(text) { return .text(text) }
    let (kind, rest) = Typed.parts(of: text, at: "=")
    if kind == "allowed", let rest { return try allowed(rest) }
    guard !text.isEmpty else { throw .usage("expected a value") }
    return try tool(text)
  }

  /// The choice of one tool, by its type, or by its type and name.
  private static func tool(_ text: String) throws(Failure) -> JSONValue {
    let (type, name) = Typed.parts(of: text, at: "=")
    guard let name else { return ["type": "\(type)"] }
    guard !name.isEmpty else { throw .usage("expected a name after \(type)=") }
    switch type {
    case "function", "custom": return ["type": "\(type)", "name": "\(name)"]
    case "mcp":
      let (label, tool) = Typed.parts(of: name, at: "/")
      var server: JSONValue = ["type": "\(type)", "server_label": "\(label)"]
      server["name"] = tool.map(JSONValue.text)
      return server
    default:
      let forms = "function=NAME, custom=NAME, mcp=LABEL[/NAME], allowed=..."
      throw .usage("expected \(forms), got \(text)")
    }
  }

  /// The choice among several tools. A word that is no type is the name of a function.
  private static func allowed(_ text: String) throws(Failure) -> JSONValue {
    let (list, mode) = Typed.parts(of: text, at: ",")
    guard ["auto", "required"].contains(mode ?? "auto") else {
      throw .usage("expected auto or required after the list, got \(mode ?? "")")
    }
    var tools: [JSONValue] = []
    for word in Typed.words(of: list, at: ";") {
      let isNamed = word.contains("=") || types.contains(word)
      tools.append(try tool(isNamed ? word : "function=\(word)"))
    }
    return ["type": "allowed_tools", "mode": "\(mode ?? "auto")", "tools": .array(tools)]
  }
}
