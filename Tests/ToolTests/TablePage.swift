import Core
import Foundation
import Manuals
import TestSupport
import Testing

@testable import oresp_send

/// A page of the manual that is no tool's: its head is made, and its tables are.
struct TablePage: CustomTestStringConvertible {
  let name: String
  let section: Int
  let summary: String
  /// The marks that its lists stand under, and the lists.
  let parts: [(name: String, lines: [String])]

  init(
    name: String, section: Int = 7, summary: String, _ parts: (name: String, lines: [String])...
  ) {
    (self.name, self.section, self.summary, self.parts) = (name, section, summary, parts)
  }

  static let all = [
    TablePage(
      name: "oresp", summary: "filters for the answers of the Responses API",
      ("tools", list(pages.map { (".It Xr \($0.name) 1", [sentence($0.summary)]) })),
      ("general", ManPage.options(of: SendTool.command.page, in: "oresp")),
      ("statuses", ExitStatuses.list)),
    TablePage(
      name: "oresp-batch", summary: "many requests at once, by oresp-send",
      ("options", ManPage.options(of: SendTool.command.page, in: "oresp-batch"))),
    TablePage(
      name: "oresp-endpoints", summary: "stored responses, background jobs and other endpoints",
      ("options", ManPage.options(of: SendTool.command.page, in: "oresp-endpoints"))),
    TablePage(
      name: "oresp-log", section: 5, summary: "the lines that oresp-send --log writes"),
    TablePage(
      name: "oresp-tools", summary: "the tools that oresp-send lets a model use",
      ("tools", list(ToolKind.table.map { (".It Ql \($0.form)", lines(of: $0)) }))),
    TablePage(
      name: "oresp-providers", summary: "the servers that oresp-send knows by name",
      ("providers", list(Provider.table.map { (".It Cm \($0.name)", lines(of: $0)) }))),
    TablePage(name: "oresp-recipes", summary: "jobs for oresp in the shell, ready to copy"),
  ]

  var testDescription: String { name }
  var manual: Manual { Manual(name: name, section: section) }

  /// `manual` with its made parts as the table has them; `nil` when a mark is missing.
  func update(_ manual: String) -> String? {
    ManPage.update(
      manual, with: [("head", ManPage.head(name, section: section, summary))] + parts)
  }

  private static func list(_ items: [(head: String, lines: [String])]) -> [String] {
    [".Bl -tag -width Ds"] + items.flatMap { [$0.head] + $0.lines } + [".El"]
  }

  private static func lines(of kind: ToolKind) -> [String] {
    let start = [sentence(kind.help)]
    guard !kind.members.isEmpty else { return start }
    let width = min(kind.members.map(\.typed.count).max() ?? 0, 22)
    return start + [".Bl -column \(String(repeating: "x", count: width))"]
      + kind.members.flatMap { member in
        let text = "Ta " + ManPage.words(sentence(member.help))
        // A name that is too wide has a row of its own.
        let isWide = member.typed.count > width
        return isWide
          ? [".It Cm \(member.typed)", ".It \(text)"] : [".It Cm \(member.typed) \(text)"]
      } + [".El"]
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
    let rest =
      provider.worksWithoutKey
      ? ", if it needs a key" : provider.takesAPIKey ? ", in `Ql api-key`" : ""
    return ManPage.marked("\(place); `Ev \(provider.keyVariable)`\(rest).")
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

extension Manual: CustomTestStringConvertible {
  static let all = pages.map { Manual(name: $0.name, section: 1) } + TablePage.all.map(\.manual)

  public var testDescription: String { "\(name)(\(section))" }
}
