import Core

/// A short form of a tool, read by its kind: `web_search,domains=a;b`, `file_search=vs_1,vs_2`,
/// `mcp=LABEL@URL,approval=never`.
struct ToolForm: Sendable {
  private let type: String
  private let kind: ToolKind
  /// What the options set, in the order of the table.
  private(set) var edits: [BodyEdit] = []
  /// What the request is to include in the answer.
  private(set) var includes: [String] = []
  /// What is told of values that the API does not document.
  private(set) var hints: [String] = []

  /// Reads `text`. A backslash before a comma, a semicolon or a backslash makes it plain.
  init(_ text: String) throws(Failure) {
    var words = Typed.words(of: text, at: ",")
    let (type, value) = Typed.parts(of: words.removeFirst(), at: "=")
    guard let kind = ToolKind.named(type) else {
      let near = Core.hint(for: type, among: ToolKind.table.flatMap { [$0.name] + $0.others })
      throw .usage("unknown tool \(type)\(near) (-t help lists them; others go as JSON or @FILE)")
    }
    (self.type, self.kind) = (type, kind)
    let given = try telling(of: type, kind.given(value, words))
    let names = kind.allOptions.map(\.name)
    let known = names.flatMap { name in given.filter { $0.option.name == name } }
    let strange = given.filter { !names.contains($0.option.name) }
    for (option, text) in known + strange {
      try telling(of: "\(type): \(option.name)", set(option, text))
      if !names.contains(option.name) {
        let near = Core.hint(for: option.name, among: names)
        hints.append("\(type): \(option.name) is not documented, and passed on as it is\(near)")
      } else if let hint = option.kind.hint(text) {
        hints.append("\(type): \(option.name): \(hint)")
      }
    }
    try telling(of: type, kind.check(Set(given.map(\.option.name))))
    try telling(of: type, refuseSecrets(strange.map(\.option.name)))
  }

  /// Refuses a secret that the command line itself has, and a member that sounds like one.
  private func refuseSecrets(_ strange: [String]) throws(Failure) {
    var said: JSONValue = [:]
    for edit in edits {
      if case .given(let value)? = edit.source { try? said.set(value, at: edit.path) }
    }
    let words = strange.map { name in
      String(name.lowercased().split { "._-".contains($0) }.last ?? "")
    }
    guard RequestBody.secretPlaces(in: said).allSatisfy({ said.value(at: $0) == nil }),
      !words.contains(where: ["auth", "key", "password", "secret", "token"].contains)
    else { throw .usage("a secret is not for the command line: see SECRETS in oresp-tools(7)") }
  }

  /// The tool, with what files and variables have.
  func tool(_ reader: inout ValueReader) throws(Failure) -> JSONValue {
    var tool = ["type": "\(type)"] as JSONValue
    for edit in edits {
      guard let source = edit.source else { continue }
      let value = try telling(of: "\(type): \(edit.option)", reader.value(of: source))
      if kind.isDefined(by: edit.option), let members = Self.definition(in: value) {
        let others = edits.filter { $0.option != edit.option }.map(\.path.text)
        for (name, value) in members where !others.contains(name) { tool[name] = value }
      } else {
        try telling(of: type, tool.set(value, at: edit.path))
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

  /// The members of the tool that `value` defines, if it is no schema alone: a tool, as the
  /// Responses API or Chat Completions has it, or what stands in one.
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

  /// Notes what `option` sets, and the members that say of what sort the objects around it are.
  private mutating func set(_ option: ToolOption, _ text: String) throws(Failure) {
    for (path, word) in option.also {
      guard let held = edits.first(where: { $0.path.text == path }) else {
        edits.append(BodyEdit(option.name, path, .text(word)))
        continue
      }
      if case .given(let value)? = held.source, value.string != Array(word.utf8) {
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
  /// The short form, without its options: `function=name@parameters`.
  var form: String {
    guard let first = values.first?.valuePlaceholder else { return name }
    if values.count > 1 { return "\(name)=\(first)[@\(values[1].valuePlaceholder)]" }
    return values[0].isRequired ? "\(name)=\(first)" : "\(name)[=\(first)]"
  }
}

extension ToolOption {
  /// What stands for the option as the value behind the type.
  fileprivate var valuePlaceholder: String {
    if case .list = kind.form { return "ID[,ID...]" }
    return ["URL", "FILE"].contains(kind.placeholder) ? kind.placeholder : name.uppercased()
  }
}

extension ToolKind {
  /// One option, and what was typed for it.
  fileprivate typealias Given = (option: ToolOption, text: String)

  /// The options that `value`, behind the type and `=`, and `words`, behind commas, give.
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
          while let word = words.first, !word.contains("="), !hasFlag(word) {
            value += ";" + words.removeFirst()
          }
        }
        given = [(first, value)]
      }
    }
    for word in words { try read(word, into: &given) }
    return given
  }

  /// Reads one option, `NAME`, `NAME=VALUE` or `NAME:=JSON`. Lists that are given several times go
  /// on. A name that the table does not have is that of a member.
  private func read(_ word: String, into given: inout [Given]) throws(Failure) {
    var (name, text) = Typed.parts(of: word, at: "=")
    let isJSON = text != nil && name.hasSuffix(":")
    if isJSON { name.removeLast() }
    let known = allOptions.first { $0.isCalled(name) }
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

  /// Whether `word` alone is one of the options.
  private func hasFlag(_ word: String) -> Bool {
    switch allOptions.first(where: { $0.isCalled(word) })?.kind.form {
    case .flag, .tag: true
    default: false
    }
  }

  /// What is told where `option` is missing.
  fileprivate func need(of option: ToolOption) -> String {
    "needs \(option.name), \(option.help): \(form)"
  }

  /// Checks what no option can check alone, where the options `given` are there.
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
