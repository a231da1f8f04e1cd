import Testing

@testable import Core

/// What `--help` says, and what is said of options that are none.
@Suite struct HelpTests {
  @Test(arguments: pages, [59, 79, 100])
  func `the help is a screen, and no line of it is too wide`(
    page: CommandPage, columns: Int
  ) throws {
    let help = Help(page: page, layout: TextLayout(columns: columns))
    let usual = try help.text(on: nil).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(usual.count <= 41 || columns < 79)
    let names = page.rows.map(\.name)
    #expect(page.usual.allSatisfy(names.contains))
    var widest = 0
    for topic in [nil, "all", "timeout"] + names.map(Optional.some) {
      for line in (try? help.text(on: topic))?.split(separator: "\n") ?? [] {
        #expect(line.count <= columns, "\(topic ?? "usual")")
        widest = max(widest, line.count)
      }
    }
    #expect(widest > columns - 5, "the room is used")
  }

  @Test(arguments: pages) func `an option in full has its forms, and its values`(
    page: CommandPage
  ) throws {
    let help = Help(page: page, layout: TextLayout(columns: 79))
    for row in page.rows {
      let text = try help.text(on: "--" + row.name)
      #expect(row.spellings.allSatisfy { text.contains("--" + $0) }, "\(row.name)")
      // All options are what a bare "all" asks for.
      if row.name != "all" { #expect(try help.text(on: row.name) == text) }
      if let short = row.short { #expect(try help.text(on: "-\(short)") == text) }
      if case .words(let made) = row.hint, case let words = made(), words.count < 40,
        row.name != "help"
      {
        #expect(words.allSatisfy(text.contains), "\(row.name)")
      }
    }
  }

  @Test(arguments: pages) func `what other programs call it leads to options that are there`(
    page: CommandPage
  ) {
    let known = Set(pages.flatMap(\.rows).flatMap(\.spellings))
    let own = page.rows.flatMap { row in
      row.spellings.map { "--" + $0 } + (row.short.map { ["-\($0)"] } ?? [])
    }
    let names = page.elsewhere.flatMap(\.names).map(String.init)
    #expect(Set(names).count == names.count, "one is there twice")
    for entry in page.elsewhere {
      #expect(entry.names.allSatisfy { !own.contains(String($0)) }, "\(entry.names)")
      #expect(entry.names.allSatisfy { $0.hasPrefix("-") }, "\(entry.names)")
      for word in entry.advice.split(whereSeparator: { " ,;=[".contains($0) })
      where word.hasPrefix("--") {
        #expect(known.contains(String(word.dropFirst(2))), "\(entry.advice)")
      }
    }
  }
}
