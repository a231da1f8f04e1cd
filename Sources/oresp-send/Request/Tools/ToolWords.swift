import Core

/// Finds the options of a kind of tool in what was typed, each with its text.
enum ToolWords {
  /// One option, and what was typed for it.
  typealias Given = (option: ToolOption, text: String)

  /// What `value`, behind the type and `=`, and `words`, behind commas, give.
  static func read(
    _ value: String?, _ words: [String], of kind: ToolKind
  ) throws(Failure) -> [Given] {
    var words = words
    var given = try values(value, &words, of: kind)
    for word in words { try read(word, of: kind, into: &given) }
    return given
  }

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
}
