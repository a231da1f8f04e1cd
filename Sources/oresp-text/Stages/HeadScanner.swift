import Core

/// Finds out whether a line is a fence, byte by byte from its start.
struct HeadScanner {
  /// What a byte brought.
  enum Outcome {
    /// The byte was taken, and nothing is known yet.
    case more
    /// The line is no fence; the byte was not taken.
    case none
    /// The byte, a line end, was taken, and the line begins a block, or ends it.
    case opens(OpeningFence)
    case closes
  }

  /// What was taken of a line inside a block.
  private(set) var held: [UInt8] = []
  private var state = State.indent
  private var fence = OpeningFence()
  /// The column of the byte to come.
  private var column = 0

  private enum State {
    case indent
    /// Behind the first character of a list item's marker: digits, if it is a number.
    case number, bullet
    /// In the fence, the word behind it, and what follows that or a closing fence.
    case fence, beforeWord, word, rest
  }

  private static let grave = UInt8(ascii: "`")
  private static let tilde = UInt8(ascii: "~")

  /// Takes a byte of a line outside of blocks.
  mutating func take(_ byte: UInt8) -> Outcome {
    defer { column = byte == ASCII.tab ? (column / 4 + 1) * 4 : column + 1 }
    switch state {
    case .indent: return takeIndent(byte)
    case .number:
      if ASCII.isDigit(byte), fence.length < 9 {
        fence.length += 1
      } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ")") {
        state = .bullet
      } else {
        return .none
      }
    case .bullet:
      guard byte == ASCII.space || byte == ASCII.tab else { return .none }
      (state, fence.length) = (.indent, 0)
    case .fence:
      if byte == fence.character {
        fence.length += 1
      } else {
        guard fence.length >= 3 else { return .none }
        state = .beforeWord
        return takeInfo(byte)
      }
    case .beforeWord, .word, .rest: return takeInfo(byte)
    }
    return .more
  }

  private mutating func takeIndent(_ byte: UInt8) -> Outcome {
    switch byte {
    case ASCII.space, ASCII.tab: break
    case Self.grave, Self.tilde:
      (state, fence.character, fence.length, fence.indent) = (.fence, byte, 1, column)
    case ASCII.minus, UInt8(ascii: "*"), UInt8(ascii: "+"): state = .bullet
    case ASCII.zero...ASCII.nine: (state, fence.length) = (.number, 1)
    default: return .none
    }
    return .more
  }

  /// Takes a byte of the info string; behind grave accents it may not have any.
  private mutating func takeInfo(_ byte: UInt8) -> Outcome {
    if byte == ASCII.lf { return .opens(fence) }
    if byte == Self.grave, fence.character == Self.grave { return .none }
    if ASCII.isSpace(byte) {
      if state == .word { state = .rest }
    } else if state != .rest {
      state = .word
      // No language has a longer name; nothing compares equal to this one then.
      if fence.language.count < 256 { fence.language.append(byte) }
    }
    return .more
  }

  /// Takes a byte of a line inside the block that `opening` began.
  mutating func take(_ byte: UInt8, inside opening: OpeningFence) -> Outcome {
    switch state {
    case .indent where byte == ASCII.space || byte == ASCII.tab:
      column = byte == ASCII.tab ? (column / 4 + 1) * 4 : column + 1
      guard column <= opening.indent + 3 else { return .none }
    case .indent where byte == opening.character:
      (state, fence.length) = (.fence, 1)
    case .fence where byte == opening.character: fence.length += 1
    case .fence where fence.length >= opening.length, .rest:
      if byte == ASCII.lf { return .closes }
      guard ASCII.isSpace(byte) else { return .none }
      state = .rest
    default: return .none
    }
    held.append(byte)
    return .more
  }
}

/// The line that begins a code block.
struct OpeningFence {
  /// A grave accent or a tilde.
  var character = UInt8(ascii: "`")
  var length = 0
  /// The column on which it stands.
  var indent = 0
  /// The first word behind it.
  var language: [UInt8] = []

  /// `space`, the white space at the start of a line and what stands behind it, without the indent
  /// of the fence. A tab that reaches beyond leaves spaces.
  func dedented(_ held: [UInt8]) -> [UInt8] {
    var column = 0
    for (index, byte) in held.enumerated() {
      guard column < indent, byte == ASCII.space || byte == ASCII.tab else {
        return Array(held[index...])
      }
      column = byte == ASCII.tab ? (column / 4 + 1) * 4 : column + 1
      if column > indent {
        return Array(repeating: ASCII.space, count: column - indent) + held[(index + 1)...]
      }
    }
    return []
  }
}
