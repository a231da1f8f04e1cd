import Core

/// A row of `-t`: the short names of a tool's members. Any other name is a path of the API's own.
struct ToolKind: Sendable {
  let type: String
  /// The type and the value behind `=` as help shows them.
  let form: String
  let help: String
  /// What the value behind `=` sets: nothing; one member, whose list goes on behind commas; or two
  /// with `@` between.
  var values: [Member] = []
  var members: [Member] = []
  /// Members that an object gets which is there and lacks them, by the object's path in the tool.
  var defaults: [(path: String, members: JSONValue)] = []
  /// A value behind `=` as messages show it; `nil` where the tool can be without the first of
  /// `values`.
  var neededExample: String?

  /// A short name of a member of a tool.
  struct Member: Sendable {
    let name: String
    /// The path of the member, by default the name; empty for the tool itself, or for none.
    let path: String
    let kind: ArgumentKind
    let help: String
    /// Further members that it sets, such as the `type` of the object around its own.
    let words: [(path: String, word: String)]
    /// The value of `include` that it needs.
    let included: String?

    init(
      _ name: String, at path: String? = nil, _ kind: ArgumentKind, _ help: String,
      with words: (path: String, word: String)..., including included: String? = nil
    ) {
      self.name = name
      self.path = path ?? name
      self.kind = kind
      self.help = help
      self.words = words
      self.included = included
    }

    /// Whether it can stand without a value.
    var standsAlone: Bool {
      switch kind.form {
      case .tag, .flag: true
      case .single, .member: false
      }
    }

    /// The member as help shows it.
    var typed: String {
      switch kind.form {
      case .tag: name
      case .flag: "\(name)[=false]"
      case .single, .member: "\(name)=\(kind.placeholder)"
      }
    }
  }
}

extension ToolKind {
  /// All short names.
  private var allMembers: [Member] { values + members }

  /// The tools and their options, as `--tool=help` lists them.
  static func list(_ layout: TextLayout) -> String {
    table.map { kind in
      layout.entry(kind.form, kind.help)
        + kind.members.map { layout.entry("  " + $0.typed, $0.help) }.joined()
    }.joined()
  }

  /// The kinds, each with its options, for completions.
  static var words: [(word: String, members: [String])] {
    table.map { kind in
      (kind.type, kind.allMembers.map { $0.standsAlone ? $0.name : $0.name + "=" })
    }
  }
}

extension ToolKind {
  private static let option = "--tool"

  /// The edits by the value `text` of `-t`: JSON of a tool or of an array of them, `@FILE` or `-`
  /// with such JSON, or the short form of a tool.
  static func edits(_ text: String) throws(Failure) -> [Edit] {
    let isJSON = text.first.map { "{[@".contains($0) } == true
    guard Descriptor.isStdin(text) || isJSON else { return try edits(ofForm: text) }
    let source =
      Descriptor.isStdin(text)
      ? Source.file("-", tools) : try Source.json(text) { file throws(Failure) in try tools(file) }
    return [Edit(option, "tools", source, .append)]
  }

  /// The tools in `file`, an array.
  private static func tools(_ file: FileText) throws(Failure) -> JSONValue {
    try file.checkJSON()
    return .array(
      try FileObject.all(in: file).map { object throws(Failure) in
        let tool = JSONValue.raw(object.text)
        guard tool.opened["type"]?.text?.isEmpty == false else {
          throw object.fault("a tool has a type")
        }
        return tool
      })
  }

  /// The edits by the short form `text`. A backslash makes a comma or semicolon plain.
  private static func edits(ofForm text: String) throws(Failure) -> [Edit] {
    var words = Typed.words(of: text, at: ",")[...]
    let (type, value) = Typed.parts(of: words.removeFirst(), at: "=")
    guard let kind = table.first(where: { $0.type == type }) else {
      let near = Core.hint(for: type, among: table.map(\.type))
      let own = near.isEmpty && !type.isEmpty ? " a function of yours is function=\(type);" : ""
      throw .usage(
        "unknown tool \(type)\(near) (-t help lists them;\(own) others go as JSON or @FILE)")
    }
    var edits = [Edit(option, "tools", .given(.array([["type": "\(type)"]])), .append)]
    if let value { edits += try within(type, kind.edits(ofValue: value, &words)) }
    for word in words { edits += try within(type, kind.edits(of: word)) }
    if let example = kind.neededExample, let value = kind.values.first,
      !edits.contains(where: { $0.path.text == inTool(value.path).text })
    {
      throw .usage("\(type): needs \(value.name), \(value.help): -t \(type)=\(example)")
    }
    return edits
      + kind.defaults.map { Edit(option, inTool($0.path), .given($0.members), .fill) }
  }

  /// The edits by `value`, which stands behind the type and `=`. A list in it takes the `words` that
  /// follow and name nothing.
  private func edits(
    ofValue value: String, _ words: inout ArraySlice<String>
  ) throws(Failure) -> [Edit] {
    guard let first = values.first else {
      throw .usage("takes no value after =; its options follow a comma")
    }
    var value = value
    if let second = values.dropFirst().first {
      let (name, rest) = Typed.parts(of: value, at: "@")
      let named = try name.isEmpty ? [] : Self.edits(first, name)
      return try named + (rest.map { rest throws(Failure) in try Self.edits(second, rest) } ?? [])
    }
    while first.kind.way == .append, let word = words.first, !word.contains("=") {
      value += ";" + words.removeFirst()
    }
    return value.isEmpty ? [] : try Self.edits(first, value)
  }

  /// The edits by `word`, one of the options `NAME`, `NAME=VALUE` and `NAME:=JSON`.
  private func edits(of word: String) throws(Failure) -> [Edit] {
    var (name, text) = Typed.parts(of: word, at: "=")
    let isJSON = text != nil && name.hasSuffix(":")
    if isJSON { name.removeLast() }
    let member = allMembers.first { $0.name == name }
    if let member, !isJSON, let text = text ?? (member.standsAlone ? "true" : nil) {
      return try Self.edits(member, text)
    }
    guard let text else { throw .usage("expected \(member?.typed ?? "NAME=VALUE"), got \(name)") }
    let path =
      if let member { BodyPath(members: member.path) } else {
        try BodyPathParser.split(name).path
      }
    let kind = isJSON ? ArgumentKind.json : .literal("VALUE")
    return [try within(name, kind.edit(Self.option, text, at: Self.inTool(path)))]
  }

  /// The edits by the short name of `member` and its value.
  private static func edits(_ member: Member, _ text: String) throws(Failure) -> [Edit] {
    var edits = member.words.map { Edit(option, inTool($0.path), .given(.text($0.word))) }
    if let included = member.included {
      edits.append(Edit(option, "include", .given([.text(included)]), .join))
    }
    if case .tag = member.kind.form {
      guard text == "true" else { throw .usage("\(member.name) takes no value") }
      return edits
    }
    let path = inTool(member.path)
    return edits + [try within(member.name, member.kind.edit(option, text, at: path))]
  }

  /// The path of the member at `path` of the last tool.
  private static func inTool(_ path: String) -> BodyPath { inTool(BodyPath(members: path)) }

  private static func inTool(_ path: BodyPath) -> BodyPath {
    BodyPath([.member("tools"), .element(-1)] + path.steps)
  }

  /// The members of the function that `value` defines: a tool of the Responses API or of Chat
  /// Completions, the object inside one, or the schema of its parameters alone.
  static func definition(_ value: JSONValue) -> JSONValue {
    var tool = value.opened
    if let inner = tool["function"]?.opened, inner.members != nil { tool = inner }
    let isTool =
      tool["type"].map { $0.text == "function" }
      ?? (tool["name"]?.text != nil || tool["parameters"] != nil)
    return isTool ? tool : ["parameters": value]
  }
}
