package import Core

/// Scripts by which a shell completes a tool's command line, made from its options.
package enum Completions {
  /// A shell that there is a script for.
  package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
  }

  /// The script for `shell`.
  package static func script(for page: CommandPage, in shell: Shell) -> String {
    switch shell {
    case .bash: bash(page)
    case .zsh: zsh(page)
    case .fish: fish(page)
    }
  }

  /// The name of the file by which `shell` finds the script.
  package static func fileName(for page: CommandPage, in shell: Shell) -> String {
    switch shell {
    case .bash, .fish: "\(page.name).\(shell.rawValue)"
    case .zsh: "_\(page.name)"
    }
  }

  /// The comment at the top of a script.
  static func heading(_ page: CommandPage, _ shell: Shell) -> String {
    "# Completes \(page.name) in \(shell.rawValue). Made from the option table."
  }
}

extension OptionRow {
  /// The help as a completion shows it: no sentence, so without the full stop.
  var caption: String { help.hasSuffix(".") ? String(help.dropLast()) : help }
}

extension OptionRow {
  /// The types of events in their long spelling, `response.output_text.delta`, where the value is one
  /// of them; `nil` for other options.
  var typesInFull: [String]? {
    guard ["type", "type-not"].contains(name), case .words(let words)? = hint else { return nil }
    let names = Set(EventCatalogue.rows.map(\.name.description))
    return words().map { "response." + $0 }.filter(names.contains)
  }

  /// Whether the value can be `@FILE`, as its texts say.
  var takesAtFile: Bool { (help + detail).contains("@FILE") }
}
