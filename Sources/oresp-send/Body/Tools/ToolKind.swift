import Core

/// One kind of tool as `--tool` takes it: `NAME`, or `NAME=VALUE`, and options behind commas.
struct ToolKind: Sendable {
  /// The tool's `type`.
  let name: String
  /// Other types that take the same options.
  var others: [String] = []
  let help: String
  /// What the value behind the name and `=` stands for: nothing; an option, whose list goes on
  /// behind commas; or two with `@` between, of which the second may be left out.
  var values: [ToolOption] = []
  var options: [ToolOption] = []
  /// What the tool has at least: members that the API needs, where no option sets them.
  var defaults: [(path: String, value: JSONValue)] = []
  /// Options, by their names, of which one is needed and no two go together.
  var exactlyOne: [String] = []
  /// Options, by their names, that need each other.
  var together: [String] = []
  /// The option, by its name, whose file may define the whole tool.
  var definition: String?

  /// All options, in the order in which their members stand in the tool.
  var allOptions: [ToolOption] { values + options }

  /// Whether the file of the option `name` may define the whole tool.
  func isDefined(by name: String) -> Bool { definition == name }

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
  /// What it has the request include in the answer.
  let included: String?

  init(
    _ name: String, at path: String? = nil, _ kind: ArgumentKind, _ help: String,
    also: (path: String, word: String)..., isRequired: Bool = false,
    including included: String? = nil
  ) {
    (self.name, self.path, self.kind, self.help) = (name, path ?? name, kind, help)
    (self.also, self.isRequired, self.included) = (also, isRequired, included)
  }

  /// The same for JSON; `nil` where that could not be, as for a secret.
  var asJSON: ToolOption? {
    guard !path.isEmpty, !kind.isSecret else { return nil }
    return ToolOption(name, at: path, .json, help, isRequired: isRequired)
  }

  /// Whether it goes by `name`: its own, or the API's path of its member.
  func isCalled(_ name: String) -> Bool { self.name == name || !path.isEmpty && path == name }
}

extension ToolKind {
  /// The tools and their options, as `--tool=help` lists them.
  static func list(_ layout: TextLayout) -> String {
    table.map { kind in
      layout.entry(kind.form, kind.help)
        + kind.options.map { layout.entry("  " + $0.typed, $0.help) }.joined()
    }.joined()
  }
}

extension ToolKind {
  /// The kinds, each with its options, for a shell that completes them.
  static var words: [(word: String, members: [String])] {
    table.map { kind in
      (kind.name, kind.allOptions.map { String($0.typed.prefix { !"[=".contains($0) }) + $0.mark })
    }
  }
}

extension ToolOption {
  /// `=` where the option needs a value.
  fileprivate var mark: String {
    switch kind.form {
    case .tag, .flag: ""
    default: "="
    }
  }

  /// The option as it is typed, a word for its value.
  var typed: String {
    switch kind.form {
    case .tag: name
    case .flag: "\(name)[=false]"
    default: "\(name)=\(kind.placeholder)"
    }
  }
}
