import Core

/// Puts marks such as `[1]` into a text while it comes, each behind the span that it is about.
///
/// White space at the end of what came waits until more comes, so that a citation that is told just
/// behind its span still gets its place. No mark stands in front of a closing bracket, for the span
/// may be the address of a link. What is cited behind its back, as other text has gone out already,
/// is marked in front of the next white space. Footnotes of GitHub's Markdown stand in place of a
/// link that ends where their span does, as models write them.
struct CitationMarker {
  private let isGFM: Bool
  /// The link at the end of what came, in that Markdown.
  private var link = InlineLink()
  /// Citations whose mark stands behind a character of the text that is still to come, by its
  /// place.
  private var waiting = RankedQueue<Citation>()
  /// Citations for the next white space, as their place has gone out already.
  private var late: [Citation] = []
  /// Citations that the server gave no place for.
  private var unplaced: [Citation] = []
  /// White space that came last.
  private var space: [UInt8] = []
  /// How many characters came, in Unicode code points.
  private var position = 0
  /// The number of the mark that was put last, if nothing came behind it.
  private var last: Int?
  /// The sources cited so far, in this text and the texts before it.
  var sources = CitedSources()
  /// The numbers of what this text cites.
  private var used: Set<Int> = []

  init(_ style: CitationStyle) { isGFM = style == .gfm }

  /// Takes a citation of the span that ends behind character `place` of the text.
  mutating func add(_ citation: Citation, at place: Int?, into output: inout [UInt8]) {
    guard let place else { return unplaced.append(citation) }
    if !space.isEmpty, link.isEmpty, place <= position {
      put(citation, into: &output)
    } else if place < position {
      late.append(citation)
    } else {
      waiting.insert(citation, at: place)
    }
  }

  /// Takes more of the text.
  mutating func append(_ text: Span<UInt8>, into output: inout [UInt8]) {
    var start = 0
    while start < text.count, isGFM || !waiting.isEmpty || !late.isEmpty {
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

  /// Leaves the text, which goes on later.
  mutating func leave(into output: inout [UInt8]) {
    releaseLink(into: &output)
    releaseSpace(into: &output)
  }

  /// Ends the text. Returns the numbers of what it cites, in order.
  mutating func finish(into output: inout [UInt8]) -> [Int] {
    putLate(into: &output)
    putWaiting(upTo: .max, into: &output)
    releaseLink(into: &output)
    releaseSpace(into: &output)
    for citation in unplaced { used.insert(sources.number(of: citation)) }
    defer { (unplaced, used, position) = ([], [], 0) }
    return used.sorted()
  }

  /// Takes one byte of text that a mark waits for.
  private mutating func append(_ byte: UInt8, into output: inout [UInt8]) {
    if UTF8Count.continues(byte) {
      if !link.append(byte) { output.append(byte) }
      return
    }
    let isSpace = ASCII.isSpace(byte)
    let isClosing = byte == UInt8(ascii: ")") || byte == ASCII.closeBracket
    if link.isWhole || link.isEmpty && !isClosing {
      if isSpace { putLate(into: &output) }
      putWaiting(upTo: position, into: &output)
      releaseLink(into: &output)
    }
    position += 1
    if isGFM {
      if link.append(byte) { return }
      releaseLink(into: &output)
      if link.append(byte) { return }
    }
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
      put(next.value, endingAt: next.rank, into: &output)
    }
  }

  private mutating func putLate(into output: inout [UInt8]) {
    for citation in late { put(citation, into: &output) }
    late = []
  }

  private mutating func put(
    _ citation: Citation, endingAt place: Int? = nil, into output: inout [UInt8]
  ) {
    if link.isWhole, place == position {
      // The mark stands for the link, and for the space before it.
      link.removeAll()
      if space == [ASCII.space] { space = [] }
      releaseSpace(into: &output)
    } else {
      releaseLink(into: &output)
    }
    let number = sources.number(of: citation)
    used.insert(number)
    guard last != number else { return }
    output.append(isGFM ? "[^\(number)]" : "[\(number)]")
    last = number
  }

  private mutating func releaseLink(into output: inout [UInt8]) {
    guard !link.isEmpty else { return }
    releaseSpace(into: &output)
    output += link.bytes
    link.removeAll()
    last = nil
  }

  private mutating func releaseSpace(into output: inout [UInt8]) {
    guard !space.isEmpty else { return }
    output += space
    space.removeAll(keepingCapacity: true)
    last = nil
  }
}
