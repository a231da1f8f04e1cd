package import Foundation

/// A page of the manual.
package struct Manual: Sendable {
  package let name: String
  package let section: Int

  package init(name: String, section: Int) { (self.name, self.section) = (name, section) }

  package var file: URL { Repository.root.appending(path: "man/\(name).\(section)") }
  package var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

  /// A literal block.
  package struct Block: Sendable {
    /// The section that it stands in, and the heading next before it.
    package let section: String
    package let heading: String
    /// Whether it is set in from the text around it.
    package let isIndented: Bool
    /// The lines, as they are shown.
    package var lines: [String] = []
  }

  package var blocks: [Block] {
    get throws {
      var blocks: [Block] = []
      var (section, heading, isInBlock) = ("", "", false)
      for line in try text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line == ".Ed" { isInBlock = false }
        if isInBlock { blocks[blocks.count - 1].lines.append(Self.unescaped(line)) }
        if line.hasPrefix(".Sh ") { section = String(line.dropFirst(4)) }
        if line.hasPrefix(".Sh ") || line.hasPrefix(".Ss ") { heading = String(line.dropFirst(4)) }
        guard line.hasPrefix(".Bd -literal") else { continue }
        isInBlock = true
        blocks.append(
          Block(section: section, heading: heading, isIndented: line.contains("-offset")))
      }
      return blocks
    }
  }

  /// The lines of each literal block of the section `section`.
  package func blocks(of section: String) throws -> [[String]] {
    try blocks.filter { $0.section == section }.map(\.lines)
  }

  private static func unescaped(_ line: Substring) -> String {
    let escapes = [
      ("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"), ("\\(ha", "^"), ("\\(ti", "~"), ("\\&", ""),
      ("\\e", "\\"),
    ]
    return escapes.reduce(String(line)) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }
}

/// Where the files of the repository are.
package enum Repository {
  package static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The text of the README, or of another page of the repository.
  package static func text(_ path: String = "README.md") throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
