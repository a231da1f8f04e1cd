import Foundation
import TestSupport
import Testing

/// What holds for the words of all files.
@Suite struct WordsTests {
  /// The files of the folders `folders` with one of these suffixes.
  private static func files(in folders: [String], _ suffixes: Set<String>) throws -> [URL] {
    folders.flatMap { folder in
      let all = FileManager.default.enumerator(
        at: Repository.root.appending(path: folder), includingPropertiesForKeys: nil)
      return (all?.allObjects ?? []).compactMap { $0 as? URL }
        .filter { suffixes.contains($0.pathExtension) }
    }
  }

  /// Words of the pages, the messages and the help that stood beside another for the same thing.
  @Test(arguments: [
    ("transient", "temporary"), ("time-out", "timeout"), ("passed over", "skipped"),
    ("taken for", "read as, counts as"), ("taken as", "read as"), ("taken off", "removed"),
    ("stream_cut", "truncated_stream"), ("left aside", "ignored"), ("comes to", "gives, is"),
    ("come to ", "give, are"), ("that of", "the noun once more"), ("those of", "the noun again"),
    ("typed with", "type ... for"), ("whitespace", "white space"), ("stages after", "tools after"),
    ("earlier stage", "earlier tool"), ("is told ", "is reported"), ("stands here", "comes"),
  ])
  func `one word stands for one thing`(other: String, word: String) throws {
    let pages =
      try Self.files(in: ["man"], ["1", "5", "7"]) + [
        Repository.root.appending(path: "README.md")
      ]
    for file in try pages + Self.files(in: ["Sources"], ["swift"]) {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }
      // The words may stand on two lines.
      let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
      for found in text.ranges(of: other) {
        let place = text[..<found.upperBound].suffix(60)
        Issue.record("\(file.lastPathComponent): \(place): the word is \(word)")
      }
    }
  }

  @Test func `no line of a comment is wider than 100 columns`() throws {
    let sources = try Self.files(in: ["Sources", "Tests"], ["swift", "h", "c"])
    // Scripts have no suffix.
    let others = try Self.files(in: ["Tests"], ["txt", ""]).filter { !$0.hasDirectoryPath }
    #expect(sources.count > 300 && others.count > 10)
    for (file, mark) in sources.map({ ($0, "//") }) + others.map({ ($0, "#") }) {
      // A table may have bytes in it that are no UTF-8.
      let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated()
      where line.count > 100 && line.drop(while: { $0 == " " }).hasPrefix(mark) {
        Issue.record("\(file.lastPathComponent):\(index + 1): \(line.count) columns")
      }
    }
  }
}
