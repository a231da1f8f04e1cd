import Core

/// Lists of what the tool knows.
extension Sending {
  func print(_ list: SendSettings.List) throws(Failure) -> ExitStatus {
    switch list {
    case .tools: return try notifier.print(Array(ToolKind.list(notifier.layout).utf8))
    case .providers: return try print(Provider.table.map(\.fields))
    case .presets:
      let folder = PresetFolder(sources)
      let rows = try folder.rows
      if rows.isEmpty { sources.warn("no presets in \(try folder.folder)") }
      return try print(rows)
    }
  }

  /// Prints `rows`, each a name and facts about it, the plainest last: separated by tabs, or in
  /// columns on a terminal.
  private func print(_ rows: [[String]]) throws(Failure) -> ExitStatus {
    let isTerminal = notifier.stdout.isTerminal
    let lines = rows.map { row in
      guard isTerminal else { return row.joined(separator: "\t") + "\n" }
      return notifier.layout.entry(
        row[0], row.dropFirst().reversed().joined(separator: "; "), column: 14)
    }
    return try notifier.print(Array(lines.joined().utf8))
  }
}
