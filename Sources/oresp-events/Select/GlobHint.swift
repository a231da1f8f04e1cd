import Core

/// Warns of a pattern that no known type matches, and says what may be meant.
struct GlobHint {
  /// What the names are names of.
  let what: String
  /// The option that lists them.
  let list: String
  /// The known names.
  let names: [String]

  /// The warning on `glob`, whose text is `text`; `nil` when it matches a name. One with a colon is
  /// for a server's own types, which no catalogue has.
  func hint(on text: String, _ glob: Glob) -> String? {
    if text.contains(":") || matches(glob) { return nil }
    return "no known \(what) matches \(text.isEmpty ? "an empty GLOB" : text); \(advice(on: text))"
  }

  private func matches(_ glob: Glob) -> Bool {
    names.contains { glob.matches(Array($0.utf8).span) }
  }

  private func advice(on text: String) -> String {
    (near(text) ?? nearest(text, among: names)).map { "did you mean \($0)?" }
      ?? "oresp-events \(list) lists them"
  }

  /// A pattern, in quotes, for the names that `text`, a plain word, is the end, the beginning or a
  /// part of.
  private func near(_ text: String) -> String? {
    guard text.count > 2, !text.contains(where: "*?[{\\".contains) else { return nil }
    let wider = ["*.\(text)", "\(text).*", "*\(text)*"]
    return wider.first { Glob($0).map(matches) == true }.map { "'\($0)'" }
  }
}
