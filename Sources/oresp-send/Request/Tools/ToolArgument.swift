import Core

/// A tool as the command line gives it, or tells where it is.
enum ToolArgument: Sendable {
  /// One JSON value: a tool, or an array of tools.
  case source(ValueSource)
  /// A short form, read.
  case short(ToolForm)

  /// Reads what stands behind `--tool`: JSON, `@FILE`, or a short form.
  init(_ text: String, _ hints: inout [String]) throws(Failure) {
    guard let first = text.first, "{[@".contains(first) else {
      self = .short(try ToolForm(text, &hints))
      return
    }
    let source = try ValueSource.json(text)
    if case .given(let value) = source {
      for tool in try Self.tools(in: value, "") where tool.opened["authorization"] != nil {
        throw .usage("a secret is not for the command line: put the tool into a file, or use mcp=")
      }
    }
    self = .source(source)
  }

  /// The file that is read for it.
  var files: [String] {
    switch self {
    case .source(let source): [source.file].compactMap(\.self)
    case .short(let form): form.edits.compactMap(\.source?.file)
    }
  }

  /// The tools that it stands for.
  func tools(_ reader: inout ValueReader) throws(Failure) -> [JSONValue] {
    switch self {
    case .short(let form): return [try form.tool(&reader)]
    case .source(let source):
      let value = try reader.value(of: source)
      return try Self.tools(in: value, source.file.map { $0 == "-" ? "stdin: " : "\($0): " } ?? "")
    }
  }

  private static func tools(
    in value: JSONValue, _ place: String
  ) throws(Failure) -> [JSONValue] {
    let tools = value.opened.elements ?? [value]
    for (index, tool) in tools.enumerated() {
      guard let type = tool.opened["type"]?.string, !type.isEmpty else {
        let name = value.opened.elements == nil ? "the tool" : "tool [\(index)]"
        let why = "\(place)\(name) is no object with a type"
        throw place.isEmpty ? .usage(why) : .other(why, .badInput)
      }
    }
    return tools
  }
}

/// What the command line says of tools.
struct ToolSettings: Sendable {
  var arguments: [ToolArgument] = []
  /// Whether the kinds of tools are to be listed, and nothing is to be sent.
  var areListed = false

  /// The files that are read for them.
  var files: [String] { arguments.flatMap(\.files) }
}
