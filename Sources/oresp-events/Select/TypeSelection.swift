package import Core

/// The types of events to keep.
package struct TypeSelection: Sendable {
  private var kept: [Glob] = []
  private var dropped: [Glob] = []
  /// Warnings on globs that no known type matches.
  package private(set) var hints: [String] = []

  package init() {}

  /// Whether every event is kept.
  package var isEmpty: Bool { kept.isEmpty && dropped.isEmpty }

  /// Keeps types that `glob` matches, and no others unless another glob keeps them.
  package mutating func keep(_ glob: String) throws(Failure) {
    kept.append(try parse(glob))
  }

  /// Drops types that `glob` matches.
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
    let glob = try Glob(option: text)
    let names = EventCatalogue.rows.map(\.name.description)
    let known = GlobHint(
      what: "type", list: "--types", names: names + names.map(Self.short))
    if let hint = known.hint(on: text, glob) { hints.append(hint) }
    return glob
  }
}
