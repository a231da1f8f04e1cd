package import Core

/// What `--check` is asked for.
package struct CheckSettings: Sendable {
  package enum Level: Sendable {
    case `default`
    /// What a careful reader gets over is found too.
    case strict
    /// What is found is what breaks a rule of the neutral standard.
    case openResponses
  }

  package var level = Level.default
  /// Whether the report is for machines.
  package var isJSON = false

  package init() {}

  /// Reads `words`, a list with commas between.
  package init(_ words: String) throws(Failure) {
    for word in words.split(separator: ",", omittingEmptySubsequences: false) {
      switch word {
      case "default": level = .default
      case "strict": level = .strict
      case "openresponses": level = .openResponses
      case "json": isJSON = true
      default: throw .usage("expected default, strict, openresponses or json, got \(word)")
      }
    }
  }
}
