import Core

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
