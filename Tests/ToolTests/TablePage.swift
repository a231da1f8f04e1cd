import Core
import Foundation
import Manuals
import Testing

@testable import oresp_send

/// A page of the manual that has a table: of the tools, of what they can be told, of providers.
struct TablePage: CustomTestStringConvertible {
  let name: String
  let summary: String
  /// The marks that its lists stand under, and the lists.
  let parts: [(name: String, lines: [String])]

  init(name: String, summary: String, _ parts: (name: String, lines: [String])...) {
    (self.name, self.summary, self.parts) = (name, summary, parts)
  }

  static let all = [
    TablePage(
      name: "oresp", summary: "filters for the answers of the Responses API",
      ("tools", list(pages.map { (".It Xr \($0.name) 1", [sentence($0.summary)]) })),
      ("statuses", ExitStatuses.list)),
    TablePage(
      name: "oresp-tools", summary: "the tools of a request, as oresp-send takes them",
      ("tools", list(ToolKind.table.map { (".It Ql \($0.form)", lines(of: $0)) }))),
    TablePage(
      name: "oresp-providers", summary: "the servers that oresp-send knows by name",
      ("providers", list(Provider.table.map { (".It Cm \($0.name)", lines(of: $0)) }))),
  ]

  var testDescription: String { name }
  var manual: Manual { Manual(name: name, section: 7) }

  /// `manual` with its made parts as the table has them; `nil` when a mark is missing.
  func update(_ manual: String) -> String? {
    ManPage.update(
      manual, with: [("head", ManPage.head(name, section: 7, summary))] + parts)
  }

  private static func list(
    _ items: [(head: String, lines: [String])], isCompact: Bool = false
  ) -> [String] {
    [".Bl -tag -width Ds" + (isCompact ? " -compact" : "")]
      + items.flatMap { [$0.head] + $0.lines } + [".El"]
  }

  private static func lines(of kind: ToolKind) -> [String] {
    let others = kind.others.isEmpty ? [] : ["Also \(kind.others.joined(separator: ", "))."]
    let start = [sentence(kind.help)] + others
    guard !kind.options.isEmpty else { return start }
    let options = kind.options.map { (".It Ql \($0.typed)", [sentence($0.help)]) }
    return start + list(options, isCompact: true)
  }

  private static func lines(of provider: Provider) -> [String] {
    let (before, open) = cut(provider.base, at: "{")
    let (variable, after) = cut(open ?? "", at: "}")
    let (name, usual) = cut(variable, at: "=")
    var place = "`Lk \(before)`"
    if let usual {
      place = "`Ev \(name)`, or else `Lk \(usual)`"
    } else if open != nil {
      place = "`Ql \(before)$\(name)\(after ?? "")`"
    }
    let key = "the key is that of `Ev \(provider.keyVariable)`"
    let rest =
      provider.isOpen ? ", if one is needed" : provider.takesAPIKey ? ", in `Ql api-key`" : ""
    return ManPage.marked("\(place); \(key)\(rest).")
      + ManPage.prose(sentence(provider.note))
  }

  private static func cut(_ text: String, at mark: Character) -> (String, String?) {
    let parts = text.split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}

/// A page of the manual.
struct Manual: CustomTestStringConvertible {
  let name: String
  let section: Int

  static let all = pages.map { Manual(name: $0.name, section: 1) } + TablePage.all.map(\.manual)

  var testDescription: String { "\(name)(\(section))" }
  var file: URL { Repository.root.appending(path: "man/\(name).\(section)") }
  var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

  /// The lines of each literal block of the section `section`, as they are shown.
  func blocks(of section: String) throws -> [[String]] {
    var blocks: [[String]] = []
    var (isInSection, isInBlock) = (false, false)
    for line in try text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(".Sh ") { isInSection = line == ".Sh \(section)" }
      if line == ".Ed" { isInBlock = false }
      if isInBlock { blocks[blocks.count - 1].append(Self.unescaped(line)) }
      guard isInSection, line.hasPrefix(".Bd -literal") else { continue }
      isInBlock = true
      blocks.append([])
    }
    return blocks
  }

  private static func unescaped(_ line: Substring) -> String {
    let escapes = [
      ("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"), ("\\(ha", "^"), ("\\&", ""), ("\\e", "\\"),
    ]
    return escapes.reduce(String(line)) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }
}
