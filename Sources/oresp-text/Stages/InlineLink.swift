import Core

/// The beginning of a Markdown link, or all of it, at the end of a text that is still arriving:
/// `[name](address)`, or the same in parentheses.
struct InlineLink {
  private enum Expected {
    case opening, bracket, name, parenthesis, address, closing, nothing
  }

  /// No link is longer: text that only looks like one is not held back for long.
  private static let mostBytes = 4096

  private(set) var bytes: [UInt8] = []
  private var expected = Expected.opening
  private var hasParentheses = false

  var isEmpty: Bool { bytes.isEmpty }
  var isWhole: Bool { expected == .nothing }

  /// The name of a whole link that has no parentheses around it, which belongs to the sentence;
  /// empty for one that has.
  var ownText: ArraySlice<UInt8> {
    hasParentheses ? [] : bytes.dropFirst().prefix { $0 != ASCII.closeBracket }
  }

  /// Appends `byte`; false when it neither continues a link nor begins one.
  mutating func append(_ byte: UInt8) -> Bool {
    guard let next = next(behind: byte), bytes.count < Self.mostBytes else { return false }
    if bytes.isEmpty { hasParentheses = byte == UInt8(ascii: "(") }
    bytes.append(byte)
    expected = next
    return true
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    expected = .opening
  }

  private func next(behind byte: UInt8) -> Expected? {
    switch (expected, byte) {
    case (.opening, UInt8(ascii: "(")): .bracket
    case (.opening, ASCII.openBracket), (.bracket, ASCII.openBracket): .name
    case (.name, ASCII.closeBracket): .parenthesis
    case (.name, ASCII.openBracket), (.name, ASCII.lf): nil
    case (.name, _): .name
    case (.parenthesis, UInt8(ascii: "(")): .address
    case (.address, UInt8(ascii: ")")): hasParentheses ? .closing : .nothing
    case (.address, _) where !ASCII.isSpace(byte): .address
    case (.closing, UInt8(ascii: ")")): .nothing
    default: nil
    }
  }
}
