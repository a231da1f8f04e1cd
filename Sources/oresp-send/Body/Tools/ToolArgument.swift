import Core

/// The value of one `--tool`.
enum ToolArgument: Sendable {
  case given([JSONValue])
  /// A file with a tool, or with an array of tools.
  case file(String)
  case short(ToolForm)

  /// Reads JSON, `@FILE`, or a short form.
  init(_ text: String) throws(Failure) {
    if Descriptor.isStdin(text) {
      self = .file("-")
      return
    }
    guard let first = text.first, "{[@".contains(first) else {
      self = .short(try ToolForm(text))
      return
    }
    if let path = try ValueSource.json(text).file {
      self = .file(path)
      return
    }
    let tools = try asUsage(Self.tools(in: FileText(Array(text.utf8), name: "")))
    try RequestBody.refuseSecrets(in: .array(tools), at: BodyPath(members: "tools"))
    self = .given(tools)
  }

  /// The files that it is read from.
  var files: [String] {
    switch self {
    case .given: []
    case .file(let path): [path]
    case .short(let form): form.files
    }
  }

  /// Warnings of values that the API does not document.
  var hints: [String] {
    if case .short(let form) = self { form.hints.map { "--tool: \($0)" } } else { [] }
  }

  /// The values of `include` that the tools need.
  var includes: [String] { if case .short(let form) = self { form.includes } else { [] } }

  func tools(_ reader: inout ValueReader) throws(Failure) -> [JSONValue] {
    switch self {
    case .given(let tools): tools
    case .file(let path): try Self.tools(in: try reader.sources.text(path))
    case .short(let form): [try form.tool(&reader)]
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

/// Values of `--tool-choice`.
enum ToolChoice {
  private static let modes = ["none", "auto", "required"]

  /// Types that may be chosen, of tools that have no row.
  private static let others = [
    "computer_use", "computer_use_preview", "programmatic_tool_calling", "web_search_preview",
    "web_search_preview_2025_03_11",
  ]

  static let names =
    modes + ["function=", "custom=", "mcp=", "allowed="] + ToolKind.types(chosen: .alone) + others

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
    let types = ToolKind.types(chosen: .alone, .amongOthers) + others + ["tool_search"]
    var tools: [JSONValue] = []
    for word in Typed.words(of: list, at: ";") {
      let isNamed = word.contains("=") || types.contains(word)
      tools.append(try tool(isNamed ? word : "function=\(word)"))
    }
    return ["type": "allowed_tools", "mode": "\(mode ?? "auto")", "tools": .array(tools)]
  }
}
