package import Core

/// Which types of events to keep.
package struct TypeSelection: Sendable {
  private var kept: [Glob] = []
  private var dropped: [Glob] = []
  /// What is to be told of globs that no known type matches.
  package private(set) var hints: [String] = []

  package init() {}

  /// Whether every event is kept.
  package var isEmpty: Bool { kept.isEmpty && dropped.isEmpty }

  /// Keeps what `glob` matches, and nothing else unless another glob keeps it.
  package mutating func keep(_ glob: String) throws(Failure) {
    kept.append(try parse(glob))
  }

  /// Drops what `glob` matches.
  package mutating func drop(_ glob: String) throws(Failure) {
    dropped.append(try parse(glob))
  }

  /// Whether a type called `name` is kept.
  package func selects(_ name: Span<UInt8>) -> Bool {
    (kept.isEmpty || Self.any(kept, name)) && !Self.any(dropped, name)
  }

  /// Whether events without a type are kept: no glob matches them.
  package var selectsUntyped: Bool { kept.isEmpty }

  /// `name` without the `response.` that a glob may leave out.
  package static func short(_ name: String) -> String {
    name.hasPrefix("response.") ? String(name.dropFirst(9)) : name
  }

  private static func any(_ globs: [Glob], _ name: Span<UInt8>) -> Bool {
    let short = name.starts(with: "response.") ? name.extracting(9...) : name
    for glob in globs where glob.matches(name) || glob.matches(short) { return true }
    return false
  }

  private mutating func parse(_ text: String) throws(Failure) -> Glob {
    guard let glob = Glob(text) else {
      throw .usage("a bracket or brace is not closed in \(text)")
    }
    // A type with a colon is a server's own, which no catalogue has.
    if text.contains(":") { return glob }
    let names = EventCatalogue.rows.map(\.name.description)
    if !names.contains(where: { Self.any([glob], Array($0.utf8).span) }) {
      let hint = hint(for: text, among: names + names.map(Self.short))
      hints.append("no known type matches \(text)\(hint)")
    }
    return glob
  }
}
