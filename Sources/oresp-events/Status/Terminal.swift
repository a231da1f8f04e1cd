import Core

extension Notifier {
  /// Whether the locale that the environment names writes UTF-8.
  var usesUTF8: Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.lazy.compactMap(variable).first?.lowercased() ?? ""
    return locale.contains("utf-8") || locale.contains("utf8")
  }
}

extension Descriptor {
  /// Whether another program reads what is written.
  var leadsToProgram: Bool {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// How many columns the terminal behind it has; `nil` when that is not known.
  var columns: Int? {
    var size = winsize()
    let status = unsafe ioctl(number, UInt(TIOCGWINSZ), &size)
    return status == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}

extension String {
  /// How many columns of a terminal the text takes.
  var columns: Int { unicodeScalars.reduce(0) { $0 + Self.columns(of: $1) } }

  /// The text with spaces behind it up to `columns` columns.
  func padded(toColumns columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - self.columns))
  }

  /// As much of the text as fits into `columns` columns of a terminal, an ellipsis of three dots
  /// telling what was left out.
  package func cut(toColumns columns: Int) -> String {
    if self.columns <= columns { return self }
    var (kept, used) = ("", 0)
    let room = columns < 3 ? columns : columns - 3
    for scalar in unicodeScalars {
      used += Self.columns(of: scalar)
      if used > room { break }
      kept.unicodeScalars.append(scalar)
    }
    return columns < 3 ? kept : kept + "..."
  }

  /// How many columns `scalar` takes: two for what East Asian scripts and emoji draw wide, none for
  /// what combines with the one before.
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

extension [String] {
  /// The texts in lines of fewer than `columns` columns, with `separator` between them; what is longer
  /// is cut.
  func lines(of columns: Int, separator: String) -> [String] {
    var lines: [String] = []
    for text in self {
      if let last = lines.last, last.columns + separator.count + text.columns < columns {
        lines[lines.count - 1] += separator + text
      } else {
        if separator.hasPrefix(","), !lines.isEmpty { lines[lines.count - 1] += "," }
        lines.append(text.cut(toColumns: columns - 2))
      }
    }
    return lines
  }
}
