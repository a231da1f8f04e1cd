import Core

/// The short form of a tool, read by the row of its kind. `mcp=docs@https://a.example,allow=x;y` is
///
///     {"type":"mcp","server_label":"docs","server_url":"https://a.example",
///      "allowed_tools":["x","y"]}
///
/// and `web_search,country=DE,user_id=7`, with a member that the row lacks,
///
///     {"type":"web_search","user_location":{"type":"approximate","country":"DE"},"user_id":7}
struct ToolForm: Sendable {
  private let type: String
  private let kind: ToolKind
  /// The changes by the options, in the order of the row; members that it lacks stand last.
  private var edits: [BodyEdit<ValueSource>] = []
  /// The values of `include` that the options need.
  private(set) var includes: [String] = []
  /// Warnings of values that the API does not document.
  private(set) var hints: [String] = []

  /// The files that the options name.
  var files: [String] { edits.compactMap { $0.value?.file } }

  /// Reads `text`. A backslash makes a comma or semicolon plain.
  init(_ text: String) throws(Failure) {
    var words = Typed.words(of: text, at: ",")
    let (type, value) = Typed.parts(of: words.removeFirst(), at: "=")
    guard let kind = ToolKind.named(type) else {
      let near = Core.hint(for: type, among: ToolKind.table.flatMap { [$0.name] + $0.others })
      throw .usage("unknown tool \(type)\(near) (-t help lists them; others go as JSON or @FILE)")
    }
    self.type = type
    self.kind = kind
    let given = try within(type, kind.given(value, words))
    let names = kind.allOptions.map(\.name)
    let known = names.flatMap { name in given.filter { $0.option.name == name } }
    let unknown = given.filter { !names.contains($0.option.name) }
    for (option, text) in known + unknown {
      try within("\(type): \(option.name)", set(option, text))
      let hint =
        names.contains(option.name)
        ? option.kind.hint(text).map { "\(option.name): \($0)" }
        : ArgumentKind.hint(option.name, names)
      if let hint { hints.append("\(type): \(hint)") }
    }
    try within(type, kind.check(Set(given.map(\.option.name))))
    try within(type, refuseSecrets())
  }

  /// Refuses a secret on the command line.
  private func refuseSecrets() throws(Failure) {
    for edit in edits {
      guard case .given(let value)? = edit.value else { continue }
      let path = BodyPath([.member("tools"), .append] + edit.path.steps)
      try RequestBody.refuseSecrets(in: value, at: path)
    }
  }

  /// The tool, with values from files and variables.
  func tool(_ reader: inout ValueReader) throws(Failure) -> JSONValue {
    var tool = ["type": "\(type)"] as JSONValue
    for edit in edits {
      guard let source = edit.value else { continue }
      let value = try within("\(type): \(edit.option)", reader.value(of: source))
      if kind.isDefined(by: edit.option), let members = Self.definition(in: value) {
        let others = edits.filter { $0.option != edit.option }.map(\.path.text)
        for (name, value) in members where !others.contains(name) { tool[name] = value }
      } else {
        try within(type, tool.set(value, at: edit.path))
      }
    }
    for option in kind.allOptions where option.isRequired && tool[option.path] == nil {
      throw .usage("\(type): \(kind.need(of: option))")
    }
    if kind.isDefined(by: "parameters"), let name = tool["name"]?.text, !SchemaName.isValid(name) {
      let expected = "a name of at most 64 letters, digits, _ and -"
      throw .usage("\(type): expected \(expected), got \(name)")
    }
    for (path, value) in kind.defaults where tool[path] == nil { tool[path] = value }
    return tool
  }

  /// The members of the function that `value` defines: a tool of the Responses API or of Chat
  /// Completions, or the object inside one. `nil` if `value` is a schema alone.
  private static func definition(in value: JSONValue) -> JSONValue.Members? {
    var tool = value.opened
    let type = tool["type"]
    guard type?.line ?? JSONValue.text("function").line == JSONValue.text("function").line else {
      return nil
    }
    if let inner = tool["function"]?.opened, inner.members != nil { tool = inner }
    let isTool = type != nil || tool["name"]?.text != nil
    guard isTool || tool["parameters"] != nil || tool["schema"] != nil else { return nil }
    return tool.members?.compactMap { name, value in
      name == "type" ? nil : (name == "schema" ? "parameters" : name, value)
    }
  }

  /// Adds the changes by `option`.
  private mutating func set(_ option: ToolOption, _ text: String) throws(Failure) {
    for (path, word) in option.impliedMembers {
      guard let held = edits.first(where: { $0.path.text == path }) else {
        edits.append(BodyEdit(option.name, path, .given(.text(word))))
        continue
      }
      if case .given(let value)? = held.value, value.string != Array(word.utf8) {
        throw .usage("does not go together with \(held.option)")
      }
    }
    if let included = option.included { includes.append(included) }
    if case .tag = option.kind.form { return }
    let (path, source) = try option.kind.setting(text, at: BodyPath(members: option.path))
    if let held = edits.first(where: { $0.path.text == path.text }) {
      let isTwice = held.option == option.name
      throw .usage(
        isTwice ? "\(path.text) is given twice" : "does not go together with \(held.option)")
    }
    edits.append(BodyEdit(option.name, path, source))
  }
}

extension ToolKind {
  /// The short form in help, without options: `function=NAME[@FILE]`.
  var form: String {
    guard let first = values.first else { return name }
    let value = "=\(first.valuePlaceholder)"
    if values.count > 1 { return "\(name)\(value)[@\(values[1].valuePlaceholder)]" }
    return first.isRequired ? name + value : "\(name)[\(value)]"
  }
}

extension ToolOption {
  /// The word for its value behind the type and `=`.
  fileprivate var valuePlaceholder: String {
    if case .list = kind.form { return "ID[,ID...]" }
    return ["URL", "FILE"].contains(kind.placeholder) ? kind.placeholder : name.uppercased()
  }
}

extension ToolKind {
  /// An option, and the text of its value.
  fileprivate typealias Given = (option: ToolOption, text: String)

  /// The options in `value`, which stands behind the type and `=`, and in `words`, behind commas.
  fileprivate func given(_ value: String?, _ words: [String]) throws(Failure) -> [Given] {
    var words = words[...]
    var given: [Given] = []
    if let json = values.dropFirst().first?.asJSON, isDefined(by: json.name),
      value?.utf8.first == ASCII.openBrace
    {
      given = [(json, value ?? "")]
    } else if var value {
      guard let first = values.first else {
        throw .usage("takes no value after =; its options follow a comma")
      }
      if values.count > 1 {
        let (name, rest) = Typed.parts(of: value, at: "@")
        let isLater = name.isEmpty && rest != nil && isDefined(by: values[1].name)
        given = (isLater ? [] : [(first, name)]) + (rest.map { [(values[1], $0)] } ?? [])
      } else {
        // A list goes on behind commas.
        if case .list = first.kind.form {
          while let word = words.first, !word.contains("="),
            !allOptions.contains(where: { $0.standsAlone && $0.isCalled(word) })
          {
            value += ";" + words.removeFirst()
          }
        }
        given = [(first, value)]
      }
    }
    for word in words { try read(word, into: &given) }
    return given
  }

  /// Reads one option, `NAME`, `NAME=VALUE` or `NAME:=JSON`. The lists of one option add up. A name
  /// that the row lacks is a member of the tool.
  private func read(_ word: String, into given: inout [Given]) throws(Failure) {
    var (name, text) = Typed.parts(of: word, at: "=")
    let isJSON = text != nil && name.hasSuffix(":")
    if isJSON { name.removeLast() }
    let known = allOptions.first { $0.isCalled(name) }
    // By the name of its member a secret itself would be typed, not the place that has it.
    if let known, known.kind.isSecret, isJSON || known.name != name {
      throw RequestBody.secretRefusal
    }
    guard let option = isJSON ? known?.asJSON : known else {
      let names = allOptions.map(\.name)
      if let text, !name.isEmpty, known == nil {
        given.append((ToolOption(name, isJSON ? .json : .literal, ""), text))
        return
      }
      guard !names.isEmpty else { throw .usage("takes no options, got \(name)") }
      let near = Core.hint(for: name, among: names)
      throw .usage("unknown option \(name)\(near) (\(names.joined(separator: ", ")))")
    }
    let held = given.firstIndex { $0.option.name == option.name }
    switch option.kind.form {
    case .flag: given.append((option, text ?? "true"))
    case .tag:
      guard text == nil else { throw .usage("\(name) takes no value") }
      given.append((option, ""))
    default:
      guard let text else { throw .usage("\(name) needs a value: \(option.kind.placeholder)") }
      if case .list = option.kind.form, let held {
        given[held].text += ";" + text
        return
      }
      given.append((option, text))
    }
    if case .member = option.kind.form { return }
    guard held == nil else { throw .usage("\(name) is given twice") }
  }

  /// The message if `option` is missing.
  fileprivate func need(of option: ToolOption) -> String {
    "needs \(option.name), \(option.help): \(form)"
  }

  /// Checks that the options called `given` go together.
  fileprivate func check(_ given: Set<String>) throws(Failure) {
    let isLater = given.contains(where: isDefined)
    for option in allOptions where option.isRequired && !isLater && !given.contains(option.name) {
      throw .usage(need(of: option))
    }
    guard exactlyOne.isEmpty || exactlyOne.count(where: given.contains) == 1 else {
      throw .usage("needs one of \(exactlyOne.joined(separator: ", "))")
    }
    guard [0, together.count].contains(together.count(where: given.contains)) else {
      throw .usage("\(together.joined(separator: " and ")) need each other")
    }
  }
}
