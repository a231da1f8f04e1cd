/// The room of text on a terminal.
extension String {
  /// The columns of a terminal that the text fills.
  package var columns: Int { unicodeScalars.reduce(0) { $0 + Self.columns(of: $1) } }

  /// As much of the text as fits into `columns` columns of a terminal, with three dots in place of
  /// the rest.
  package func cut(toColumns columns: Int) -> String {
    if self.columns <= columns { return self }
    var kept = ""
    var used = 0
    let room = columns < 3 ? columns : columns - 3
    for scalar in unicodeScalars {
      used += Self.columns(of: scalar)
      if used > room { break }
      kept.unicodeScalars.append(scalar)
    }
    return columns < 3 ? kept : kept + "..."
  }

  /// The columns of `scalar`: two where East Asian scripts and emoji are drawn wide, none where it
  /// combines with the one before.
  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }
}
