import Foundation
import Manuals
import TestSupport
import Testing
import oresp_events
import oresp_sse
import oresp_text

@testable import Core
@testable import oresp_send

/// The tools whose manuals and completions are in the repository.
let pages: [CommandPage] = [
  SendTool.command.page,
  SSETool.command.page,
  EventsTool.command.page,
  TextTool.command.page,
]

extension CommandPage: CustomTestStringConvertible {
  public var testDescription: String { name }
}

/// What the option tables make is what the repository has. `RECORD=1` in the environment writes it
/// anew instead; the prose of a manual stays as it is.
@Suite struct GeneratedFilesTests {
  @Test(arguments: pages) func `the manual has what the table makes`(page: CommandPage) throws {
    let manual = Manual(name: page.name, section: 1)
    let made = try #require(ManPage.update(try manual.text, with: page), "a mark is missing")
    try expectOrRecord(made, in: manual.file)
  }

  @Test(arguments: TablePage.all) func `a page of section 7 has its table`(page: TablePage) throws {
    let made = try #require(page.update(try page.manual.text), "a mark is missing")
    try expectOrRecord(made, in: page.manual.file)
  }

  @Test(arguments: pages, Completions.Shell.allCases)
  func `the completions are what the table makes`(
    page: CommandPage, shell: Completions.Shell
  ) throws {
    let file = Repository.completion(page, shell)
    try expectOrRecord(Completions.script(for: page, in: shell), in: file)
  }

  @Test func `the README has the exit statuses of the table`() throws {
    let file = Repository.root.appending(path: "README.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let made = try #require(ExitStatuses.update(text), "there is no table of exit statuses")
    try expectOrRecord(made, in: file)
  }

  @Test func `the picture of the README is what the tools draw of a recording`() throws {
    #expect(try Repository.text().contains("](man/timeline.svg)"))
    let recording = Repository.root.appending(path: "Tests/CommandLines/rivers.ndjson").path
    let check = try EventsTool.command.run(["--check", recording])
    #expect(check.status == 0 && check.output.isEmpty, "\(check.errors)")
    let drawn = try EventsTool.command.run(["--timeline=svg", recording])
    #expect(drawn.status == 0 && drawn.errors == "")
    try expectOrRecord(
      String(decoding: drawn.output, as: UTF8.self),
      in: Repository.root.appending(path: "man/timeline.svg"))
  }

  @Test func `the pipelines of the recipes are rows of the table, which is run`() throws {
    let table = CommandTable(try Repository.text("Tests/CommandLines/pipelines.txt"))
    let commands = Set(table.rows.map { Self.joined([$0.command]) })
    let page = Manual(name: "oresp-recipes", section: 7)
    let block = try #require(try page.blocks.first { $0.heading == "SPLIT AND JOIN" })
    let pipelines = block.lines.split(separator: "").map { $0.dropFirst() }
    #expect(pipelines.count == 9)
    for lines in pipelines {
      #expect(commands.contains(Self.joined(Array(lines))), "\(lines) are in no row")
    }
  }

  /// The commands in `lines` as one line: `;` stands between them, and white space counts once.
  private static func joined(_ lines: [String]) -> String {
    let line = lines.joined(separator: "; ")
      .replacingOccurrences(of: "\\; ", with: "").replacingOccurrences(of: "&; ", with: "& ")
    return line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test(arguments: pages) func `every option is in the help and in the manual`(
    page: CommandPage
  ) throws {
    let others = Set(page.groups.compactMap { ManPage.otherPages[$0.title] })
    let manuals =
      [Manual(name: page.name, section: 1)] + others.map { Manual(name: $0, section: 7) }
    let items = try manuals.flatMap { try $0.text.split(separator: "\n") }
      .filter { $0.hasPrefix(".It ") }
    let help = try Help(page: page, layout: TextLayout(columns: 79)).text(on: "all")
    for row in page.rows {
      let isHelped = help.split(separator: "\n").contains { line in
        line.split(whereSeparator: { " =[".contains($0) }).contains("--\(row.name)")
      }
      #expect(isHelped, "--help lacks --\(row.name)")
      let isListed = items.contains { $0.split(separator: " ").contains("-\(row.name)") }
      #expect(isListed, "the manuals lack --\(row.name)")
    }
  }

  @Test(arguments: pages) func `a manual without its marks is refused`(page: CommandPage) throws {
    let text = try Manual(name: page.name, section: 1).text
    #expect(Self.marks(in: text).count == 4)
    for mark in Self.marks(in: text) {
      let without = text.replacingOccurrences(of: mark + "\n", with: "")
      #expect(ManPage.update(without, with: page) == nil, "\(mark)")
    }
  }

  @Test(arguments: TablePage.all) func `a page of a table without its marks is refused`(
    page: TablePage
  ) throws {
    let text = try page.manual.text
    #expect(Self.marks(in: text).count == 2 + 2 * page.parts.count)
    for mark in Self.marks(in: text) {
      #expect(page.update(text.replacingOccurrences(of: mark + "\n", with: "")) == nil, "\(mark)")
    }
  }

  private static func marks(in manual: String) -> [Substring] {
    manual.split(separator: "\n").filter { $0.contains("\\\" ") }
      .filter { $0.hasSuffix(": end") || $0.hasSuffix("made from a table") }
  }

  private func expectOrRecord(_ made: String, in file: URL) throws {
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try Data(made.utf8).write(to: file)
    } else {
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text == made, "\(file.lastPathComponent): RECORD=1 writes it anew")
    }
  }
}

/// The manuals as mandoc(1) sees them.
@Suite struct ManualTests {
  @Test(arguments: Manual.all) func `mandoc finds nothing to warn of`(manual: Manual) throws {
    let manual = manual.file.path
    let run = try Program.run("mandoc", ["-T", "lint", "-W", "style", manual])
    // Whether the manuals that are referred to are installed is the machine's affair.
    let findings = run.output.split(separator: "\n").filter { line in
      line.contains(manual) && !line.contains("referenced manual not found")
    }
    #expect(findings == [])
  }

  @Test(arguments: Manual.all) func `the manuals of the toolkit that are referred to are there`(
    manual: Manual
  ) throws {
    for line in try manual.text.split(separator: "\n") where line.hasPrefix(".Xr oresp-") {
      let words = line.split(separator: " ")
      let file = Repository.root.appending(path: "man/\(words[1]).\(words[2])").path
      #expect(FileManager.default.fileExists(atPath: file), "\(line)")
    }
  }
}

extension Repository {
  static func completion(_ page: CommandPage, _ shell: Completions.Shell) -> URL {
    root.appending(path: "completions/\(Completions.fileName(for: page, in: shell))")
  }
}
