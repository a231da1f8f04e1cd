import Core

/// A kind of tool, and its short form for `--tool`: `NAME` or `NAME=VALUE`, and options behind
/// commas.
struct ToolKind: Sendable {
  /// The tool's `type`.
  let name: String
  /// Other types that take the same options.
  var others: [String] = []
  let help: String
  /// The options that the value behind `=` sets: none; one, whose list goes on behind commas; or
  /// two with `@` between, the second optional.
  var values: [ToolOption] = []
  var options: [ToolOption] = []
  /// Members that the API requires, for tools whose options set none.
  var defaults: [(path: String, value: JSONValue)] = []
  /// Names of options of which a tool needs exactly one.
  var exactlyOne: [String] = []
  /// Names of options that need each other.
  var together: [String] = []
  /// The name of the option whose file may define the whole tool.
  var definition: String?
  /// How `--tool-choice` may name its types.
  var choice = Choice.never

  enum Choice { case never, amongOthers, alone }

  /// All options, in the order of their members in the tool.
  var allOptions: [ToolOption] { values + options }

  /// Whether the file of the option `name` may define the whole tool.
  func isDefined(by name: String) -> Bool { definition == name }

  static func named(_ name: String) -> ToolKind? {
    table.first { $0.name == name || $0.others.contains(name) }
  }

  /// The types that `--tool-choice` may name.
  static func types(chosen choices: Choice...) -> [String] {
    table.filter { choices.contains($0.choice) }.flatMap { [$0.name] + $0.others }
  }
}

/// An option of a kind of tool.
struct ToolOption: Sendable {
  let name: String
  /// The path of the member that it sets, by default the member of its own name; empty for none.
  let path: String
  let kind: ArgumentKind
  let help: String
  /// Further members that it sets, such as the `type` of the object around its own.
  let impliedMembers: [(path: String, word: String)]
  let isRequired: Bool
  /// The value of `include` that it needs.
  let included: String?

  init(
    _ name: String, at path: String? = nil, _ kind: ArgumentKind, _ help: String,
    implying implied: (path: String, word: String)..., isRequired: Bool = false,
    including included: String? = nil
  ) {
    self.name = name
    self.path = path ?? name
    self.kind = kind
    self.help = help
    impliedMembers = implied
    self.isRequired = isRequired
    self.included = included
  }

  /// The option with JSON as its value; `nil` without a member.
  var asJSON: ToolOption? {
    path.isEmpty ? nil : ToolOption(name, at: path, .json, help, isRequired: isRequired)
  }

  /// Whether `name` is its own, or the path of its member.
  func isCalled(_ name: String) -> Bool { self.name == name || !path.isEmpty && path == name }

  /// Whether it can stand without a value.
  var standsAlone: Bool {
    switch kind.form {
    case .tag, .flag: true
    default: false
    }
  }

  /// The option as help shows it.
  var typed: String {
    switch kind.form {
    case .tag: name
    case .flag: "\(name)[=false]"
    default: "\(name)=\(kind.placeholder)"
    }
  }
}

extension ToolKind {
  /// The tools and their options, as `--tool=help` lists them.
  static func list(_ layout: TextLayout) -> String {
    table.map { kind in
      layout.entry(kind.form, kind.help)
        + kind.options.map { layout.entry("  " + $0.typed, $0.help) }.joined()
    }.joined()
  }

  /// The kinds, each with its options, for completions.
  static var words: [(word: String, members: [String])] {
    table.map { kind in
      (kind.name, kind.allOptions.map { $0.standsAlone ? $0.name : $0.name + "=" })
    }
  }
}
