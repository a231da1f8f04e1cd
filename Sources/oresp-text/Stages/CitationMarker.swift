import Core

/// Puts marks such as `[1]` into an arriving text, each behind the span that cites.
///
/// `It is blue. ` arrives, then a citation by the span `blue.`: the text becomes `It is blue.[1] `.
/// For that, white space at the end is held until more text arrives. A mark whose place is out
/// already goes before the next white space. No mark goes before a closing bracket, as the span may
/// be the address of a link.
struct CitationMarker {
  /// Citations whose mark goes behind a character that has not arrived, by the number of characters
  /// before the mark.
  private var waiting = RankedQueue<Citation>()
  /// Citations whose place is out already, for the next white space.
  private var late: [Citation] = []
  /// Citations without a place.
  private var unplaced: [Citation] = []
  /// The held white space at the end of the text so far.
  private var space: [UInt8] = []
  /// The number of characters so far, in Unicode code points.
  private var position = 0
  /// The number of the mark at the end of the text so far, if one stands there.
  private var last: Int?
  /// The sources cited so far, in this text and the texts before it.
  var sources = CitedSources()
  /// The numbers of the sources of this text.
  private var used: Set<Int> = []

  /// Adds a citation by a span that ends behind `place` characters of the text.
  mutating func add(_ citation: Citation, at place: Int?, into output: inout [UInt8]) {
    guard let place else { return unplaced.append(citation) }
    if !space.isEmpty, place <= position {
      put(citation, into: &output)
    } else if place < position {
      late.append(citation)
    } else {
      waiting.insert(citation, at: place)
    }
  }

  /// Appends more of the text.
  mutating func append(_ text: Span<UInt8>, into output: inout [UInt8]) {
    var start = 0
    while start < text.count, !waiting.isEmpty || !late.isEmpty {
      append(text[start], into: &output)
      start += 1
    }
    // No mark waits for the rest.
    let rest = text.extracting(start...)
    var end = rest.count
    while end > 0, ASCII.isSpace(rest[end - 1]) { end -= 1 }
    if end > 0 {
      releaseSpace(into: &output)
      output.append(copying: rest.extracting(..<end))
      last = nil
    }
    space.append(copying: rest.extracting(end...))
    position += UTF8Count.characters(in: rest)
  }

  /// Ends the text. Returns the numbers of its sources, in order.
  mutating func finish(into output: inout [UInt8]) -> [Int] {
    putLate(into: &output)
    putWaiting(upTo: .max, into: &output)
    releaseSpace(into: &output)
    for citation in unplaced { used.insert(sources.number(of: citation)) }
    defer { (unplaced, used, position) = ([], [], 0) }
    return used.sorted()
  }

  /// Appends one byte of text while a mark waits.
  private mutating func append(_ byte: UInt8, into output: inout [UInt8]) {
    if UTF8Count.continues(byte) { return output.append(byte) }
    let isSpace = ASCII.isSpace(byte)
    let isClosing = byte == UInt8(ascii: ")") || byte == ASCII.closeBracket
    if !isClosing {
      if isSpace { putLate(into: &output) }
      putWaiting(upTo: position, into: &output)
    }
    position += 1
    if isSpace {
      space.append(byte)
    } else {
      releaseSpace(into: &output)
      output.append(byte)
      last = nil
    }
  }

  private mutating func putWaiting(upTo place: Int, into output: inout [UInt8]) {
    while let next = waiting.first, next.rank <= place {
      waiting.removeFirst()
      put(next.value, into: &output)
    }
  }

  private mutating func putLate(into output: inout [UInt8]) {
    for citation in late { put(citation, into: &output) }
    late = []
  }

  private mutating func put(_ citation: Citation, into output: inout [UInt8]) {
    let number = sources.number(of: citation)
    used.insert(number)
    guard last != number else { return }
    output.append("[\(number)]")
    last = number
  }

  /// Appends the white space that is held.
  mutating func releaseSpace(into output: inout [UInt8]) {
    guard !space.isEmpty else { return }
    output += space
    space.removeAll(keepingCapacity: true)
    last = nil
  }
}
