/// Cuts a stream of JSON texts into its values: one a line (NDJSON), or pretty-printed, or one
/// right behind the other. Where the reads were cut never shows.
///
/// A broken value costs no more than the lines it stands on: reading goes on at the line where it
/// broke, if an object starts there, else at the next. `limit` bounds the value that it holds.
package struct JSONTextDecoder: ~Copyable {
  /// What was found next in the stream.
  package enum Found {
    /// One value; where it stands.
    case value(Range<Int>)
    /// Text that is no JSON value; where it stands, and what was expected instead.
    case broken(Range<Int>, StaticString)
    /// A value over the limit was passed over.
    case oversized
  }

  /// Where the value found last starts.
  package private(set) var place = Notice.Place(line: 1, byte: 0)

  private let limit: Int
  /// Whether of an array that is no value's the elements are found, one after another, and so those
  /// of a page of a list.
  private let opensArrays: Bool
  /// How many arrays are open.
  private var openArrays = 0
  /// Whether an element came that no comma has followed.
  private var owesComma = false
  /// Whether the open array is that of a list; whether that array has ended, and the list has not.
  private var isList = false
  private var isTail = false
  /// Whether a line whose last brace closes its first is a value unread.
  private let trustsLines: Bool
  /// How far into the unused bytes the value was walked, or searched for its end.
  private var walked = 0
  private var scan = JSONScan()
  /// Whether the scanner stands inside a value.
  private var isInside = false
  /// What was wrong with the value; the rest of its line is passed over.
  private var fault: StaticString?
  /// The number of the line that the first unused byte is on.
  private var line: Int

  /// With `trustsLines` a line whose last brace closes its first is a value, and not read. A value
  /// longer than `limit` is passed over; 0 is no limit. The input starts on line number `line`.
  package init(
    trustsLines: Bool = false, opensArrays: Bool = false, limit: Int = 0, line: Int = 1
  ) {
    self.line = line
    self.opensArrays = opensArrays
    self.trustsLines = trustsLines
    self.limit = limit > 0 ? limit : .max
  }

  /// Finds the next thing in the unused bytes of `input`; `nil` when more must be read first or,
  /// at its end, when nothing is left.
  package mutating func next(_ input: inout InputBuffer, isEnd: Bool) -> Found? {
    while !isInside {
      if isTail {
        passTail(&input, isEnd: isEnd)
        if isTail { return nil }
        continue
      }
      guard skipSpace(&input, isEnd: isEnd) else {
        if isTail { continue }
        return isEnd ? endOfArrays(input) : nil
      }
      place = Notice.Place(line: line, byte: input.offset(of: input.start))
      if trustsLines, mayBeFlat(input), !isEnd { return nil }
      if !owesComma, let end = endOfWhole(input, isEnd: isEnd) { return take(&input, to: end) }
      (isInside, walked) = (true, 0)
      scan.restart()
      if owesComma { fault = "expected ',' or ']'" }
    }
    if fault == nil, let found = walk(&input, isEnd: isEnd) { return found }
    return fault == nil ? nil : passLine(&input, isEnd: isEnd)
  }

  /// Where the next line starts if no value has begun; line ends before it are dropped.
  @inline(__always)
  mutating func nextLine(_ input: inout InputBuffer) -> Int? {
    guard !isInside, walked == 0, openArrays == 0, !isTail else { return nil }
    while input.start < input.end, input.bytes[input.start] == ASCII.lf {
      line += 1
      input.start += 1
    }
    return input.start
  }

  /// Counts `count` lines that were passed unseen.
  mutating func passLines(_ count: Int) { line += count }

  /// Takes `object`, which starts at the first unused byte and fills its line, as
  /// `next` would.
  @inline(__always)
  mutating func takeLine(_ object: Range<Int>, of input: inout InputBuffer) {
    place = Notice.Place(line: line, byte: input.offset(of: input.start))
    input.start = object.upperBound
  }

  /// Drops white space and what frames the elements of arrays; false when nothing else is there.
  private mutating func skipSpace(_ input: inout InputBuffer, isEnd: Bool) -> Bool {
    while input.start < input.end {
      let byte = input.bytes[input.start]
      if opensArrays, byte == ASCII.openBracket {
        // `[DONE]` is no array.
        if input.count == 1, !isEnd { return false }
        if input.count > 1, input.bytes[input.start + 1] == UInt8(ascii: "D") { return true }
      } else if opensArrays, openArrays == 0, byte == ASCII.openBrace {
        guard let head = endOfListHead(input) else { return isEnd }
        if head == input.start { return true }
        consume(&input, to: head)
        (isList, openArrays) = (true, 1)
        continue
      }
      if !ASCII.isSpace(byte), !takesFrame(byte) { return true }
      if byte == ASCII.lf { line += 1 }
      input.start += 1
      if isList, openArrays == 0 {
        beginTail()
        return false
      }
    }
    return false
  }

  /// How a page of a list begins, white space aside.
  private static let listHead = ["{", "\"object\"", ":", "\"list\"", ",", "\"data\"", ":", "["].map
  {
    Array($0.utf8)
  }

  /// Where the elements begin of the list that starts at the first unused byte; that byte when none
  /// does, and `nil` when that is not there yet.
  private func endOfListHead(_ input: borrowing InputBuffer) -> Int? {
    var index = input.start
    for token in Self.listHead {
      while index < input.end, ASCII.isSpace(input.bytes[index]) { index += 1 }
      for byte in token {
        if index == input.end { return nil }
        guard input.bytes[index] == byte else { return input.start }
        index += 1
      }
    }
    return index
  }

  /// Begins to pass what follows the elements of a list: as the members of an object, for which a
  /// comma may come first.
  private mutating func beginTail() {
    (isList, isTail, owesComma) = (false, true, true)
    scan.restart()
    var members = Members.unneeded
    let brace = Self.listHead[0]
    _ = scan.scan(brace.span, noting: &members)
    scan.dropWalked()
  }

  /// Passes what follows the elements of a list, as far as it is there.
  private mutating func passTail(_ input: inout InputBuffer, isEnd: Bool) {
    while owesComma, input.start < input.end {
      let byte = input.bytes[input.start]
      if byte == ASCII.comma || ASCII.isSpace(byte) { consume(&input, to: input.start + 1) }
      owesComma = ASCII.isSpace(byte)
    }
    var members = Members.unneeded
    let outcome = scan.scan(input.bytes.span.extracting(input.start..<input.end), noting: &members)
    consume(&input, to: input.start + scan.position)
    scan.dropWalked()
    if case .more = outcome, !isEnd { return }
    (isTail, owesComma) = (false, false)
    if case .end = outcome { return }
    place = Notice.Place(line: line, byte: input.offset(of: input.start))
    (isInside, fault) = (true, "the list does not end")
    if case .fault(let expected) = outcome { fault = expected }
  }

  /// Takes a bracket or a comma of an array whose elements are found, if `byte` is one in its place.
  private mutating func takesFrame(_ byte: UInt8) -> Bool {
    switch byte {
    case ASCII.openBracket where opensArrays && !owesComma: openArrays += 1
    case ASCII.comma where owesComma: owesComma = false
    case ASCII.closeBracket where openArrays > 0:
      openArrays -= 1
      owesComma = openArrays > 0
    default: return false
    }
    return true
  }

  /// Tells of arrays that do not end.
  private mutating func endOfArrays(_ input: borrowing InputBuffer) -> Found? {
    guard openArrays > 0 else { return nil }
    (openArrays, owesComma) = (0, false)
    place = Notice.Place(line: line, byte: input.offset(of: input.start))
    return .broken(input.start..<input.start, "the array does not end")
  }

  /// Whether an object starts at the first unused byte, and no line end nor second brace has come.
  private mutating func mayBeFlat(_ input: borrowing InputBuffer) -> Bool {
    guard input.bytes[input.start] == ASCII.openBrace, input.count <= limit else { return false }
    let from = input.start + max(walked, 1)
    walked = input.bytes.span.extracting(0..<input.end).endOfFlatRun(from: from) - input.start
    return walked == input.count
  }

  /// Where the value at the first unused byte ends, when all of it is there and one look tells so.
  private func endOfWhole(_ input: borrowing InputBuffer, isEnd: Bool) -> Int? {
    let bytes = input.bytes.span.extracting(0..<input.end)
    let known = input.start + walked
    return (trustsLines ? endOfLine(input, isEnd: isEnd, flatTo: known) : nil)
      ?? CompactJSON.end(of: bytes, at: input.start, checksUTF8: !trustsLines)
  }

  /// Where the object at the first unused byte ends if nothing follows it on its line.
  private func endOfLine(
    _ input: borrowing InputBuffer, isEnd: Bool, flatTo known: Int = 0
  ) -> Int? {
    let bytes = input.bytes.span.extracting(0..<input.end)
    guard input.count > 0, input.offset(of: input.start) == place.byte,
      bytes[input.start] == ASCII.openBrace,
      let end = CompactJSON.endByBraces(bytes, from: input.start + 1, flatTo: known)
    else { return nil }
    var index = end
    while index < bytes.count, ASCII.isBlank(bytes[index]) { index += 1 }
    guard index < bytes.count ? bytes[index] == ASCII.lf : isEnd else { return nil }
    // As a whole, with the blanks behind: in pieces it would be let go of at the limit.
    return index - input.start <= limit ? end : nil
  }

  /// Goes on walking the value that starts at the first unused byte.
  private mutating func walk(_ input: inout InputBuffer, isEnd: Bool) -> Found? {
    var members = Members.unneeded
    let outcome = scan.scan(input.bytes.span.extracting(input.start..<input.end), noting: &members)
    var position = input.start + scan.position
    switch outcome {
    case .end: return take(&input, to: position)
    case .fault(let expected):
      fault = expected
      if !isOversized(input, to: position) { position = endOfBroken(input, at: position) }
    case .more where isEnd && scan.canEnd: return take(&input, to: position)
    case .more where isEnd: fault = "the value does not end"
    case .more: break
    }
    walked = position - input.start
    boundHeld(&input)
    return nil
  }

  /// Whether the value, or what is broken in its place, is over the limit if it goes on to `end`.
  private func isOversized(_ input: borrowing InputBuffer, to end: Int) -> Bool {
    input.offset(of: end) - place.byte > limit
  }

  /// Lets go of what was walked when the value is over the limit.
  private mutating func boundHeld(_ input: inout InputBuffer) {
    guard isOversized(input, to: input.start + walked) else { return }
    consume(&input, to: input.start + walked)
    scan.dropWalked()
  }

  private mutating func take(_ input: inout InputBuffer, to end: Int) -> Found? {
    let range = input.start..<end
    let found = isOversized(input, to: end) ? Found.oversized : .value(range)
    (isInside, fault, owesComma) = (false, nil, openArrays > 0)
    consume(&input, to: end)
    return found
  }

  /// Passes over the rest of the line on which the value broke.
  private mutating func passLine(_ input: inout InputBuffer, isEnd: Bool) -> Found? {
    guard let expected = fault else { return nil }
    let lineEnd = Self.lineEnd(input, from: input.start + walked, to: input.end)
    guard let end = lineEnd ?? (isEnd ? input.end : nil) else {
      walked = input.count
      boundHeld(&input)
      return nil
    }
    // Read as a whole the line would not have been looked into.
    if trustsLines, let end = endOfLine(input, isEnd: isEnd) { return take(&input, to: end) }
    let found = isOversized(input, to: end) ? Found.oversized : .broken(input.start..<end, expected)
    (isInside, fault, owesComma) = (false, nil, false)
    consume(&input, to: end)
    return found
  }

  /// From where to look for the end of the line that a value broke on at `fault`: the end of the
  /// line before, if an object or a field of an event stream starts the line.
  private func endOfBroken(_ input: borrowing InputBuffer, at fault: Int) -> Int {
    var index = fault
    while index > input.start, input.bytes[index - 1] != ASCII.lf { index -= 1 }
    guard index > input.start, index < input.end else { return fault }
    // By one byte, for more may not be there yet: no JSON text has a line that begins as a field.
    return "{deir:".utf8.contains(input.bytes[index]) ? index - 1 : fault
  }

  private mutating func consume(_ input: inout InputBuffer, to end: Int) {
    while let next = Self.lineEnd(input, from: input.start, to: end) {
      line += 1
      input.start = next + 1
    }
    input.start = end
    walked = 0
  }

  private static func lineEnd(
    _ input: borrowing InputBuffer, from start: Int, to end: Int
  ) -> Int? {
    input.bytes.span.extracting(0..<end).firstIndex(of: ASCII.lf, from: start)
  }
}
