@testable import oresp_send

/// The table of tools as the manual tells it.
enum ToolManual {
  /// `manual` with the list in mdoc(7) between its two marks; `nil` when one is missing.
  static func update(_ manual: String) -> String? {
    var lines = manual.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let begin = lines.firstIndex(of: ".\\\" begin tools, made from the table of tools"),
      let end = lines[begin...].firstIndex(of: ".\\\" end tools")
    else { return nil }
    let list = [".Bl -tag -width Ds"] + ToolKind.table.flatMap(item) + [".El"]
    lines.replaceSubrange(begin + 1..<end, with: list)
    return lines.joined(separator: "\n")
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
