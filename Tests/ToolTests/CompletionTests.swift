import Core
import Foundation
import Manuals
import Testing

/// The completion scripts, run by the shells that they are for.
@Suite struct CompletionTests {
  /// A tool with an option of each kind, and help that has to be quoted everywhere.
  private static func demo(takesFiles: Bool) -> CommandPage {
    Command(
      "demo-tool", summary: "show", operands: "[FILE]...", takesFiles: takesFiles,
      example: "demo-tool",
      options: [
        .flag("reverse", "r", help: "It's [this]: a \\ and a $word.", at: \.isReverse),
        .value("from", "f", "FILE", .file, help: "Read FILE.") { _, _ in },
        .value("size", "s", "SIZE", help: "Stop at SIZE.") { _, _ in },
        .value("kind", "k", "KIND", .oneOf(["one", "other"]), help: "Take KIND.") { _, _ in },
        .value("text", "t", "TEXT", help: "Take TEXT, or @FILE.") { _, _ in },
        .value(
          "using", "u", "TOOL",
          .lists([("search", ["domains=", "live"]), ("shell", []), ("acme:date", ["zone="])]),
          help: "Use TOOL, or those in @FILE."
        ) { _, _ in },
        .value("model", "m", "MODEL", .variable("DEMO_MODEL"), help: "Ask MODEL.") { _, _ in },
        .value("preset", "P", "NAME", .configuration("oresp/presets"), help: "") { _, _ in },
        .optionalValue("extract", short: "x", "LANG", help: "Print blocks.") { _, _ in },
        .optionalValue(
          "rehearse", "HOW", .oneOf(["completed", "http-401", "http-429"]), help: "Act."
        ) { _, _ in },
      ], usual: [], settings: Settings()
    ) { _, _, _ in .completed }.page
  }

  private struct Settings: CommonSettings {
    var notices = NoticeSettings()
    var isReverse = false
  }

  /// What stands behind the tool's name, and what is offered for the last word of it.
  private static let cases: [(line: String, words: Set<String>)] = [
    ("--rev", ["--reverse"]),
    ("--no-r", ["--no-reverse"]),
    ("--no-h", []),
    ("--reh", ["--rehearse"]),
    ("--notices=js", ["json"]),
    ("--notices js", ["json"]),
    ("--notices ", ["text", "json", "none"]),
    ("--notices=", ["text", "json", "none"]),
    ("-k o", ["one", "other"]),
    ("--kind=on", ["one"]),
    ("--rehearse=http", ["http-401", "http-429"]),
    ("--rehearse http", []),
    ("--size my", []),
    ("--size=my", []),
    ("-s my", []),
    ("--from my", ["my file.sse"]),
    ("--from=my", ["my file.sse"]),
    ("-f my", ["my file.sse"]),
    ("my --rev", ["--reverse"]),
    ("-t @my", ["my file.sse"]),
    ("--text=@my", ["my file.sse"]),
    ("--text name=@my", ["my file.sse"]),
    ("-t my", []),
    ("-u s", ["search", "shell"]),
    ("-u acme:d", ["acme:date"]),
    ("-u acme:", ["acme:date"]),
    ("--using=acme:d", ["acme:date"]),
    ("-u acme:date,z", ["zone"]),
    ("-u search,", ["domains", "live"]),
    ("-u search,domains=a,l", ["live"]),
    ("--using=search,d", ["domains"]),
    ("-u shell,", []),
    ("-u @my", ["my file.sse"]),
    ("-m ", ["model-one"]),
    ("--model=m", ["model-one"]),
    ("-P t", ["terse"]),
    ("--preset=l", ["long"]),
    ("-P my", ["my file.sse"]),
    ("-- --rev", []),
    ("--nonesuch", []),
  ]

  @Test(arguments: Completions.Shell.allCases)
  func `a shell offers what fits`(shell: Completions.Shell) throws {
    let driver = try CompletionDriver(Self.demo(takesFiles: false), shell)
    defer { driver.removeFiles() }
    let found = try driver.candidates(for: Self.cases.map { "demo-tool " + $0.line })
    for (offered, (line, words)) in zip(found, Self.cases) {
      // To bash what stands behind a colon is a word of its own.
      let shown =
        shell == .bash ? Set(words.map { $0.replacingOccurrences(of: "acme:", with: "") }) : words
      #expect(offered == shown, "\(line)")
    }
  }

  @Test(arguments: Completions.Shell.allCases)
  func `a shell offers files as operands where the tool takes files`(
    shell: Completions.Shell
  ) throws {
    for takesFiles in [true, false] {
      let driver = try CompletionDriver(Self.demo(takesFiles: takesFiles), shell)
      defer { driver.removeFiles() }
      let words: Set = takesFiles ? ["my file.sse"] : []
      let lines = ["my", "-r my", "--rehearse my", "-x my", "-- my"].map { "demo-tool " + $0 }
      #expect(try driver.candidates(for: lines) == lines.map { _ in words })
    }
  }

  @Test func `bash completes a value whether or not = breaks words`() throws {
    let driver = try CompletionDriver(Self.demo(takesFiles: true), .bash)
    defer { driver.removeFiles() }
    for setup in ["", "COMP_WORDBREAKS=${COMP_WORDBREAKS//=}"] {
      let words = try driver.wordsCompletedByBash(["demo-tool --notices=js"], setup: setup)
      #expect(words == ["--notices=json"], "\(setup)")
    }
  }

  @Test func `bash completes a type of events in both of its spellings`() throws {
    let page = try #require(pages.first { $0.name == "oresp-events" })
    let driver = try CompletionDriver(page, .bash)
    defer { driver.removeFiles() }
    let lines = ["-t output_text.del", "-t response.output_text.del", "--type-not=response.failed"]
    let found = try driver.candidates(for: lines.map { "oresp-events " + $0 })
    let types = ["output_text.delta", "response.output_text.delta", "response.failed"]
    #expect(found == types.map { [$0] })
  }

  @Test(arguments: pages, Completions.Shell.allCases)
  func `a shell offers every option of a tool`(page: CommandPage, shell: Completions.Shell) throws {
    let driver = try CompletionDriver(page, shell)
    defer { driver.removeFiles() }
    let short = page.rows.compactMap { row in row.short.map { "-\($0)" } }
    let words = try driver.candidates(for: page.name + " -")
    #expect(words.isSuperset(of: short + page.rows.map { "--\($0.name)" }))
  }
}
