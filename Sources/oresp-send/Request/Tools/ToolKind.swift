import Core

/// One kind of tool as `--tool` takes it: `NAME`, or `NAME=VALUE`, and options behind commas.
struct ToolKind: Sendable {
  /// The tool's `type`.
  let name: String
  /// Other types that take the same options.
  let others: [String]
  let help: String
  /// What the value behind the name and `=` stands for: nothing; an option, whose list goes on
  /// behind commas; or two with `@` between, of which the second may be left out.
  let values: [ToolOption]
  let options: [ToolOption]
  /// What the tool has at least: members that the API needs, where no option sets them.
  let defaults: [(path: String, value: JSONValue)]
  /// Options, by their names, of which one is needed and no two go together.
  let exactlyOne: [String]
  /// Options, by their names, that need each other.
  let together: [String]

  init(
    _ name: String, others: [String] = [], _ help: String, _ values: [ToolOption] = [],
    _ options: [ToolOption] = [], defaults: [(path: String, value: JSONValue)] = [],
    exactlyOne: [String] = [], together: [String] = []
  ) {
    (self.name, self.others, self.help) = (name, others, help)
    (self.values, self.options, self.defaults) = (values, options, defaults)
    (self.exactlyOne, self.together) = (exactlyOne, together)
  }

  /// All options, in the order in which their members stand in the tool.
  var allOptions: [ToolOption] { values + options }

  static func named(_ name: String) -> ToolKind? {
    table.first { $0.name == name || $0.others.contains(name) }
  }
}

/// One option of a kind of tool.
struct ToolOption: Sendable {
  let name: String
  /// The member that it sets, of its own name if nothing else is said; the members around it stand
  /// before it, with dots between.
  let path: String
  let kind: ArgumentKind
  let help: String
  /// Members that say of what sort an object is that it sets a member of.
  let also: [(path: String, word: String)]
  let isRequired: Bool

  init(
    _ name: String, at path: String? = nil, _ kind: ArgumentKind, _ help: String,
    also: (path: String, word: String)..., isRequired: Bool = false
  ) {
    (self.name, self.path, self.kind, self.help) = (name, path ?? name, kind, help)
    (self.also, self.isRequired) = (also, isRequired)
  }

  /// Whether it goes by `name`: its own, or the API's path of its member.
  func isCalled(_ name: String) -> Bool { self.name == name || !path.isEmpty && path == name }
}

/// The table of tools as it is told: in the manual, and by `--tool=help`.
enum ToolManual {
  /// The list in mdoc(7), between two marks.
  static func update(_ manual: String) -> String? {
    var lines = manual.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let begin = lines.firstIndex(of: ".\\\" begin tools, made from the table of tools"),
      let end = lines[begin...].firstIndex(of: ".\\\" end tools")
    else { return nil }
    lines.replaceSubrange(begin + 1..<end, with: list)
    return lines.joined(separator: "\n")
  }

  /// The list as plain text.
  static var text: String {
    ToolKind.table.map { kind in
      let options = kind.options.map { "    \($0.typed)  \($0.help)\n" }
      return "\(kind.form)  \(kind.help)\n" + options.joined()
    }.joined()
  }

  private static var list: [String] {
    [".Bl -tag -width Ds"] + ToolKind.table.flatMap(item) + [".El"]
  }

  private static func item(_ kind: ToolKind) -> [String] {
    let others = kind.others.isEmpty ? [] : ["Also " + kind.others.joined(separator: ", ") + "."]
    let head = [".It Ql \(kind.form)", sentence(kind.help)] + others
    guard !kind.options.isEmpty else { return head }
    return head + [".Bl -tag -width Ds -compact"]
      + kind.options.flatMap { [".It Ql \($0.typed)", sentence($0.help)] } + [".El"]
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}

extension ToolOption {
  /// The option as it is typed, a word for its value.
  fileprivate var typed: String {
    switch kind {
    case .tag: name
    case .flag: "\(name)[=false]"
    default: "\(name)=\(kind.placeholder)"
    }
  }
}
