import Core

/// A short form of a tool, read by its kind: `web_search,domains=a;b`, `file_search=vs_1,vs_2`,
/// `mcp=LABEL@URL,approval=never`.
struct ToolForm: Sendable {
  private let type: String
  private let kind: ToolKind
  /// What the options set, in the order of the table.
  private(set) var edits: [BodyEdit] = []
  /// The options that are given, by their names.
  private var given: Set<String> = []

  /// Reads `text`. A backslash before a comma, a semicolon or a backslash makes it plain.
  init(_ text: String, _ hints: inout [String]) throws(Failure) {
    var words = Typed.words(of: text, at: ",")
    let (type, value) = Typed.parts(of: words.removeFirst(), at: "=")
    guard let kind = ToolKind.named(type) else { throw Self.unknown(type) }
    (self.type, self.kind) = (type, kind)
    var values = try telling(of: type) { () throws(Failure) in
      try Self.values(value, &words, of: kind)
    }
    for word in words {
      try telling(of: type) { () throws(Failure) in try Self.read(word, of: kind, into: &values) }
    }
    for option in kind.allOptions {
      for text in values.filter({ $0.option.name == option.name }).map(\.text) {
        var found: [String] = []
        try telling(of: "\(type): \(option.name)") { () throws(Failure) in
          try take(option, text, &found)
        }
        hints += found.map { "--tool: \(type): \(option.name): \($0)" }
      }
    }
    try telling(of: type) { () throws(Failure) in try check() }
  }

  /// The tool, with what files and variables have.
  func tool(_ reader: inout ValueReader) throws(Failure) -> JSONValue {
    var tool = JSONValue.object([("type", .text(type))])
    for edit in edits {
      guard let source = edit.source else { continue }
      let value = try telling(of: "\(type): \(edit.option)") { () throws(Failure) in
        try reader.value(of: source)
      }
      try telling(of: type) { () throws(Failure) in try tool.set(value, at: edit.path) }
    }
    for (path, value) in kind.defaults where tool[path] == nil { tool[path] = value }
    return tool
  }

  private typealias Given = (option: ToolOption, text: String)

  /// What stands behind the type: one value, two, or a list that goes on behind commas.
  private static func values(
    _ value: String?, _ words: inout [String], of kind: ToolKind
  ) throws(Failure) -> [Given] {
    guard var value else { return [] }
    switch kind.value {
    case .none: throw .usage("takes no value behind =; its options stand behind a comma")
    case .single(let option):
      if case .list = option.kind {
        while let word = words.first, !word.contains("="), !kind.hasFlag(word) {
          value += ";" + words.removeFirst()
        }
      }
      return [(option, value)]
    case .pair(let first, let second):
      let (name, rest) = Typed.parts(of: value, at: "@")
      return [(first, name)] + (rest.map { [(second, $0)] } ?? [])
    }
  }

  /// Reads one option. Lists that are given several times go on.
  private static func read(
    _ word: String, of kind: ToolKind, into values: inout [Given]
  ) throws(Failure) {
    let (name, text) = Typed.parts(of: word, at: "=")
    guard let option = kind.allOptions.first(where: { $0.isCalled(name) }) else {
      throw kind.unknownOption(name)
    }
    let held = values.firstIndex { $0.option.name == option.name }
    switch option.kind {
    case .flag: values.append((option, text ?? "true"))
    case .tag:
      guard text == nil else { throw .usage("\(name) takes no value") }
      values.append((option, ""))
    default:
      guard let text else { throw .usage("\(name) needs a value: \(option.kind.placeholder)") }
      if case .list = option.kind, let held {
        values[held].text += ";" + text
        return
      }
      values.append((option, text))
    }
    if case .secretMember = option.kind { return }
    guard held == nil else { throw .usage("\(name) is given twice") }
  }

  private mutating func take(
    _ option: ToolOption, _ text: String, _ hints: inout [String]
  ) throws(Failure) {
    given.insert(option.name)
    for (path, word) in option.also { try mark(path, word, for: option) }
    var path = BodyPath(members: option.path)
    switch option.kind {
    case .tag: return
    case .secretMember:
      let (name, variable) = Typed.parts(of: text, at: ":")
      guard let variable, !name.isEmpty, !variable.isEmpty else {
        throw .usage("expected NAME:VARIABLE, got \(text)")
      }
      path = path.appending(.member(name))
      edits.append(BodyEdit(option.name, path, .secretVariable(variable)))
    default:
      edits.append(BodyEdit(option.name, path, try option.kind.source(text, &hints)))
    }
  }

  /// Has the member at `path` say that the object around it is of the sort `word`.
  private mutating func mark(
    _ path: String, _ word: String, for option: ToolOption
  ) throws(Failure) {
    guard let held = edits.first(where: { $0.path.text == path }) else {
      edits.append(BodyEdit(option.name, path, .text(word)))
      return
    }
    guard case .given(let value)? = held.source, value.string != Array(word.utf8) else { return }
    throw .usage("goes not together with \(held.option)")
  }

  /// Checks what no option can check alone.
  private func check() throws(Failure) {
    for option in kind.allOptions where option.isRequired && !given.contains(option.name) {
      throw .usage("needs \(option.name), \(option.help): \(kind.form)")
    }
    let one = kind.exactlyOne.filter(given.contains)
    guard kind.exactlyOne.isEmpty || one.count == 1 else {
      throw .usage("needs one of \(kind.exactlyOne.joined(separator: ", "))")
    }
    let some = kind.together.filter(given.contains)
    guard some.isEmpty || some.count == kind.together.count else {
      throw .usage("\(kind.together.joined(separator: " and ")) need each other")
    }
  }

  private static func unknown(_ type: String) -> Failure {
    let names = ToolKind.table.flatMap { [$0.name] + $0.others }
    let near = nearest(type, among: names).map { "; did you mean \($0)?" } ?? ""
    return .usage("unknown tool \(type)\(near) (-t help lists them; others go as JSON)")
  }
}

extension ToolKind {
  /// Whether `word` alone is one of the options.
  fileprivate func hasFlag(_ word: String) -> Bool {
    allOptions.contains { option in
      switch option.kind {
      case .flag, .tag: option.isCalled(word)
      default: false
      }
    }
  }

  fileprivate func unknownOption(_ name: String) -> Failure {
    let names = allOptions.map(\.name)
    if names.isEmpty { return .usage("takes no options, got \(name)") }
    let near = nearest(name, among: names).map { "; did you mean \($0)?" } ?? ""
    return .usage("unknown option \(name)\(near) (\(names.joined(separator: ", ")))")
  }

  /// The short form, without its options: `function=name@parameters`.
  var form: String {
    switch value {
    case .none: name
    case .single(let option):
      option.isRequired
        ? "\(name)=\(option.valuePlaceholder)" : "\(name)[=\(option.valuePlaceholder)]"
    case .pair(let first, let second):
      "\(name)=\(first.valuePlaceholder)[@\(second.valuePlaceholder)]"
    }
  }
}

extension ToolOption {
  /// What stands for the option as the value behind the type.
  fileprivate var valuePlaceholder: String {
    switch kind {
    case .list: "ID[,ID...]"
    case .url, .jsonFile: kind.placeholder
    default: name.uppercased()
    }
  }
}
