import Core

/// What is known of a response while it runs.
struct StatusFacts {
  var query = ""
  var name = ""
  var reason = ""
  var words = 0
  var citations = 0
  var tokens: Int?
  /// How long it has taken.
  var milliseconds: Int?
  /// The sources of the searches that are over, and of the one that is not.
  private var settledSources = 0
  private var newSources = 0

  var sources: Int { settledSources + newSources }

  static let names = [
    "query", "sources", "words", "citations", "seconds", "tokens", "name", "reason",
  ]

  /// What the placeholder `name` stands for; `nil` when that is not known, or nothing.
  func value(of name: Substring) -> String? {
    switch name {
    case "query": query.isEmpty ? nil : query
    case "name": self.name.isEmpty ? nil : self.name
    case "reason": reason.isEmpty ? nil : reason
    case "sources": sources > 0 ? String(sources) : nil
    case "words": words > 0 ? String(words) : nil
    case "citations": citations > 0 ? String(citations) : nil
    case "tokens": tokens.map { String($0) }
    case "seconds": milliseconds.map { "\($0 / 1000).\($0 % 1000 / 100)" }
    default: nil
    }
  }

  /// The same as members of a notice.
  var members: [(name: String, value: JSONValue)] {
    Self.names.compactMap { name in
      guard let text = value(of: name[...]) else { return nil }
      let isText = ["query", "name", "reason"].contains(name)
      return (name, isText ? .text(text) : .raw(Array(text.utf8)))
    }
  }

  /// Notes that the search that runs has `count` sources.
  mutating func note(sources count: Int) { newSources = count }

  /// Ends the search that runs.
  mutating func settleSources() { (settledSources, newSources) = (sources, 0) }
}

/// Counts words, which white space separates, in text that comes in pieces.
struct WordCounter {
  private(set) var count = 0
  private var isInside = false

  mutating func take(_ text: [UInt8]) {
    for byte in text {
      let isWord = !ASCII.isSpace(byte)
      if isWord, !isInside { count += 1 }
      isInside = isWord
    }
  }

  /// Ends the word that is open.
  mutating func endPart() { isInside = false }
}
