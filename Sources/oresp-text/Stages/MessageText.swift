import Core

/// Turns the text of messages into what is printed of it: marks are put in, tracking parameters
/// taken out.
struct MessageText {
  private var marker: CitationMarker?
  private var stripper: TrackingStripper?
  private var marked: [UInt8] = []

  init(_ style: TextStyle) {
    if style.citations != .none { marker = CitationMarker(puts: style.citations != .only) }
    if style.stripsTracking { stripper = TrackingStripper() }
  }

  /// What the messages of the response cite so far.
  var sources: CitedSources { marker?.sources ?? CitedSources() }

  /// The number of what `citation` cites.
  mutating func number(of citation: Citation) -> Int { marker?.number(of: citation) ?? 0 }

  /// Takes a citation of the message.
  mutating func cite(_ placed: Section.PlacedCitation, into output: inout [UInt8]) {
    marker?.add(placed.citation, at: placed.place, into: &marked)
    strip(into: &output)
  }

  /// Takes more of the text.
  mutating func take(_ text: Span<UInt8>, into output: inout [UInt8]) {
    if marker != nil {
      marker?.take(text, into: &marked)
      strip(into: &output)
    } else if stripper != nil {
      stripper?.take(text, into: &output)
    } else {
      output.append(copying: text)
    }
  }

  /// Ends the message. Returns the numbers of the sources that it cites, in order.
  mutating func end(into output: inout [UInt8]) -> [Int] {
    let cited = marker?.finish(into: &marked) ?? []
    strip(into: &output)
    stripper?.finish(into: &output)
    return cited
  }

  private mutating func strip(into output: inout [UInt8]) {
    let text = marked
    marked = []
    if stripper != nil { stripper?.take(text.span, into: &output) } else { output += text }
  }
}
