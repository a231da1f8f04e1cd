import Core

/// What a rehearsed answer says.
enum RehearsalText {
  /// What one delta brings, and the source that it cites, if any.
  struct Piece {
    var text: String
    var source: Source?
  }

  struct Source {
    var title: String
    var url: String

    /// The citation of this source at `range` of the text.
    func annotation(_ range: Range<Int>) -> JSONValue {
      .object([
        ("type", .text("url_citation")), ("start_index", .integer(range.lowerBound)),
        ("end_index", .integer(range.upperBound)), ("title", .text(title)), ("url", .text(url)),
      ])
    }
  }

  static let pieces: [Piece] =
    words(["This answer", " is a rehearsal", ":", " no model", " was asked", " for it "])
    + [cite("example.org", "Rehearsing", "https://example.org/rehearsal")]
    + words([".\n\n", "It has", " a “naïve”", " café", ", 東京", " and a 🚆", " in it "])
    + [cite("example.com", "Zeichen – 文字", "https://example.com/characters?lang=de")]
    + words([", as", " answers", " do", "."])

  private static func words(_ words: [String]) -> [Piece] { words.map { Piece(text: $0) } }

  private static func cite(_ name: String, _ title: String, _ url: String) -> Piece {
    Piece(text: "([\(name)](\(url)))", source: Source(title: title, url: url))
  }
}
