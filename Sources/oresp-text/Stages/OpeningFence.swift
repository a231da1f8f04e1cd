import Core

/// The line that begins a code block (CommonMark 0.31, section 4.5).
struct OpeningFence {
  /// A grave accent or a tilde.
  private let character: UInt8
  private let length: Int
  /// The column of its first character.
  private var indent = 0
  /// The rest of its line, and the first word there.
  let info: [UInt8]
  let language: [UInt8]

  /// Finds the fence in `line`, which ends in an LF; markers of list items may stand before it.
  /// `nil` when there is none.
  init?(_ line: [UInt8]) {
    var index = 0
    while true {
      while Self.isIndent(line[index]) {
        indent = Self.column(behind: line[index], at: indent)
        index += 1
      }
      if "`~".utf8.contains(line[index]) { break }
      let digits = line[index...].prefix(9).prefix { ASCII.isDigit($0) }.count
      index += digits
      let markers = digits > 0 ? ".)" : "-*+"
      guard markers.utf8.contains(line[index]), Self.isIndent(line[index + 1]) else { return nil }
      index += 1
      indent += digits + 1
    }
    let character = line[index]
    let fence = line[index...].prefix { $0 == character }
    let info = line[fence.endIndex...]
    // More grave accents after the fence would make it code within a line.
    guard fence.count >= 3, character == UInt8(ascii: "~") || !info.contains(character) else {
      return nil
    }
    (self.character, length) = (character, fence.count)
    self.info = Array(info.drop(while: ASCII.isSpace))
    language = Array(self.info.prefix { !ASCII.isSpace($0) })
  }

  /// Whether a fence may stand in a line that begins with `byte`.
  static func canBegin(with byte: UInt8) -> Bool {
    isIndent(byte) || ASCII.isDigit(byte) || "`~-*+".utf8.contains(byte)
  }

  /// Whether `byte` may stand in the line that ends the block.
  func canEnd(with byte: UInt8) -> Bool { byte == character || ASCII.isSpace(byte) }

  /// Whether `line`, which ends in an LF, ends the block.
  func isClosed(by line: [UInt8]) -> Bool {
    let space = line.prefix { Self.isIndent($0) }
    let fence = line[space.endIndex...].prefix { $0 == character }
    return space.reduce(0) { Self.column(behind: $1, at: $0) } <= indent + 3
      && fence.count >= length && line[fence.endIndex...].allSatisfy(ASCII.isSpace)
  }

  /// Takes the indent of the fence off `head`, the start of a line of the block. A tab that reaches
  /// past the indent leaves spaces.
  func dedented(_ head: [UInt8]) -> [UInt8] {
    var column = 0
    for (index, byte) in head.enumerated() {
      guard column < indent, Self.isIndent(byte) else { return Array(head[index...]) }
      column = Self.column(behind: byte, at: column)
      if column > indent {
        return Array(repeating: ASCII.space, count: column - indent) + head[(index + 1)...]
      }
    }
    return []
  }

  private static func isIndent(_ byte: UInt8) -> Bool { byte == ASCII.space || byte == ASCII.tab }

  private static func column(behind byte: UInt8, at column: Int) -> Int {
    byte == ASCII.tab ? (column / 4 + 1) * 4 : column + 1
  }
}
