import Core

/// A tool as the command line gives it, or tells where it is.
enum ToolArgument: Sendable {
  /// One JSON value: a tool, or an array of tools.
  case source(ValueSource)
  /// A short form, read.
  case short(ToolForm)

  /// Reads what stands behind `--tool`: JSON, `@FILE`, or a short form.
  init(_ text: String) throws(Failure) {
    guard let first = text.first, "{[@".contains(first) else {
      self = .short(try ToolForm(text))
      return
    }
    let source = try ValueSource.json(text)
    if source.file == nil {
      let file = FileText(Array(text.utf8), name: "")
      try Self.refuseSecrets(in: try inPlace(Self.tools(in: file)))
    }
    self = .source(source)
  }

  /// Refuses tools of a command line that have a secret.
  static func refuseSecrets(in tools: [JSONValue]) throws(Failure) {
    for tool in tools where tool.opened["authorization"] != nil {
      throw .usage("a secret is not for the command line: put the tool into a file, or use mcp=")
    }
  }

  /// What is told of it: values that the API does not document.
  var hints: [String] {
    if case .short(let form) = self { form.hints.map { "--tool: \($0)" } } else { [] }
  }

  /// What the request is to include in the answer.
  var includes: [String] { if case .short(let form) = self { form.includes } else { [] } }

  /// The tools that it stands for.
  func tools(_ reader: inout ValueReader) throws(Failure) -> [JSONValue] {
    switch self {
    case .short(let form): return [try form.tool(&reader)]
    case .source(let source):
      guard let path = source.file else {
        return try Self.tools(in: FileText(try reader.value(of: source).line, name: ""))
      }
      return try Self.tools(in: try reader.text(path))
    }
  }

  private static func tools(in file: FileText) throws(Failure) -> [JSONValue] {
    try file.checkJSON()
    var tools: [JSONValue] = []
    for object in try FileObject.all(in: file) {
      let tool = JSONValue.raw(object.text)
      guard tool.opened["type"]?.text?.isEmpty == false else {
        throw object.fault("a tool has a type")
      }
      tools.append(tool)
    }
    return tools
  }
}

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
    if text.hasPrefix("{"), case .given(let value) = try ValueSource.json(text) { return value }
    if modes.contains(text) { return .text(text) }
    let (kind, rest) = Typed.parts(of: text, at: "=")
    if kind == "allowed", let rest { return try allowed(rest) }
    guard rest != nil || !text.isEmpty else { throw .usage("expected a value") }
    return try tool(text)
  }

  /// One tool: its type, or what names it.
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

  /// Several tools of which the model may, or must, call one; a bare name is a function's.
  private static func allowed(_ text: String) throws(Failure) -> JSONValue {
    let (list, mode) = Typed.parts(of: text, at: ",")
    guard ["auto", "required"].contains(mode ?? "auto") else {
      throw .usage("expected auto or required after the list, got \(mode ?? "")")
    }
    var tools: [JSONValue] = []
    for word in Typed.words(of: list, at: ";") {
      let isNamed = word.contains("=") || (types + listed).contains(word)
      tools.append(try tool(isNamed ? word : "function=\(word)"))
    }
    return ["type": "allowed_tools", "mode": "\(mode ?? "auto")", "tools": .array(tools)]
  }
}
