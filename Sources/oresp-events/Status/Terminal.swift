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
}

extension String {
  /// The text with spaces behind it up to `columns` columns.
  func padded(toColumns columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - self.columns))
  }
}

extension [String] {
  /// The texts in lines of fewer than `columns` columns, with `separator` between them; what is
  /// longer is cut.
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
