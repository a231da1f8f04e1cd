/// The table of tools as it is told: in the manual, and by `--tool=help`.
package enum ToolManual {
  /// The list in mdoc(7), between two marks.
  package static func update(_ manual: String) -> String? {
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
