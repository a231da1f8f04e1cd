/// Cuts a stream of JSON texts into its values: one a line (NDJSON), or pretty-printed, or one
/// right behind the other. The elements of a top-level array, and of the `data` of a list page,
/// are values of their own. Where the reads were cut never shows.
///
/// A broken value takes no neighbour with it: `{"a":` LF `{"b":1}` LF is a broken line and a value.
/// Reading goes on at the first later line that starts an object, if one stands before the byte
/// where the value broke, else behind the line of that byte. Before it, each value must end on its
/// line. An array takes no neighbour with it either: an object on a line of its own that no comma
/// separates from the element before ends it, `[` LF `{"a":1}` LF `{"b":2}`. `limit` bounds the
/// value that it holds.
package struct JSONTextDecoder: ~Copyable {
  /// The next thing in the stream.
  package enum Found {
    /// One value.
    case value(Range<Int>)
    /// Text that is no JSON value; the words say what was expected instead.
    case broken(Range<Int>, StaticString)
    /// A value over the limit was skipped.
    case oversized
  }

  private enum State {
    /// A value may begin at the first unused byte, or behind white space there.
    case between
    /// The value at the first unused byte is being walked.
    case value
    /// The value at the first unused byte is broken, and its line is skipped.
    case broken
    /// The rest of a list page behind its `data` is skipped.
    case tail
  }

  /// The place where the value found last starts.
  package private(set) var place = Notice.Place(line: 1, byte: 0)

  private let limit: Int
  private var state = State.between
  /// What was expected where the value broke.
  private var expected: StaticString = ""
  /// Whether the input ended inside the value that broke last.
  private(set) var isCut = false
  /// The number of open arrays whose elements are values.
  private var openArrays = 0
  /// Whether an element came and no comma after it.
  private var owesComma = false
  /// The place of the outermost open array.
  private var arrayPlace = Notice.Place(line: 1, byte: 0)
  /// The number of the line on which the last element ended.
  private var elementLine = 0
  /// Whether the open array is the `data` of a list page.
  private var isList = false
  private var scan = JSONScan()
  /// The number of bytes of a broken line, from the first unused one on, searched for its end.
  private var searched = 0
  /// The farthest place where a value broke, in bytes from the start of the input: before it, each
  /// value must end on its line.
  private var lineWise = 0
  /// The number of the line that the first unused byte is on.
  private var line: Int

  /// A value longer than `limit` is skipped; 0 is no limit. The input starts on line number `line`.
  package init(limit: Int = 0, line: Int = 1) {
    self.line = line
    self.limit = limit > 0 ? limit : .max
  }

  /// Whether LF or CR stands inside the value found last.
  package var hasLineEnds: Bool { scan.hasLineEnds }
  /// Whether all of the value found last is UTF-8.
  package var isUTF8: Bool { scan.isUTF8 }

  /// Finds the next thing in the unused bytes of `input`, the outermost members of a value in
  /// `members`; `nil` when more must be read first or, at its end, when nothing is left.
  @inline(__always)
  package mutating func next(
    _ input: inout InputBuffer, isEnd: Bool, noting members: inout Members
  ) -> Found? {
    while true {
      switch state {
      case .between:
        if isAtObject(&input) || findValue(&input, isEnd: isEnd) {
          if openArrays > 0, let found = endOfStray(input) { return found }
          beginValue(of: input, &members)
        } else if case .between = state {
          return isEnd ? endOfArrays(input) : nil
        }
      case .value:
        if let found = walk(&input, isEnd: isEnd, noting: &members) { return found }
        if case .value = state { return nil }
      case .broken: return passLine(&input, isEnd: isEnd)
      case .tail:
        passTail(&input, isEnd: isEnd)
        if case .tail = state { return nil }
      }
    }
  }

  /// Whether an object that is no list page begins at the first unused byte, or behind the LF
  /// there, as on nearly all lines of NDJSON.
  @inline(__always)
  private mutating func isAtObject(_ input: inout InputBuffer) -> Bool {
    guard openArrays == 0, input.count > 4 else { return false }
    if input.bytes[input.start] == ASCII.lf {
      line += 1
      input.start += 1
    }
    return input.bytes[input.start] == ASCII.openBrace
      && input.bytes[input.start + 1] == ASCII.quote
      && input.bytes[input.start + 2] != UInt8(ascii: "o")
  }

  /// Begins the value at the first unused byte.
  @inline(__always)
  private mutating func beginValue(of input: borrowing InputBuffer, _ members: inout Members) {
    place = Notice.Place(line: line, byte: input.offset(of: input.start))
    state = .value
    if owesComma { breakOff("expected ',' or ']'") }
    searched = 0
    scan.restart()
    members.removeAll()
  }

  /// Moves to the next value, past white space, the separators of RFC 7464, the byte order marks of
  /// joined files, and the brackets and commas around elements; false when none is there.
  private mutating func findValue(_ input: inout InputBuffer, isEnd: Bool) -> Bool {
    while input.start < input.end {
      let byte = input.bytes[input.start]
      if byte == ASCII.openBracket {
        // `[DONE]` is no array.
        if input.count == 1, !isEnd { return false }
        if input.count > 1, input.bytes[input.start + 1] == UInt8(ascii: "D") { return true }
      } else if openArrays == 0, byte == ASCII.openBrace {
        guard let head = endOfListHead(input) else { return isEnd }
        if head == input.start { return true }
        arrayPlace = Notice.Place(line: line, byte: input.offset(of: input.start))
        consume(&input, to: head)
        (isList, openArrays) = (true, 1)
        continue
      }
      if byte == 0xEF {
        let length = input.markLength
        if length < 3 { return length < input.count || isEnd }
        input.start += length
        continue
      }
      if !ASCII.isSpace(byte), byte != ASCII.recordSeparator {
        if openArrays == 0 {
          arrayPlace = Notice.Place(line: line, byte: input.offset(of: input.start))
        }
        guard passFrame(byte) else { return true }
      }
      if byte == ASCII.lf { line += 1 }
      input.start += 1
      if isList, openArrays == 0 {
        beginTail()
        return false
      }
    }
    return false
  }

  /// The start of a list page, `{"object":"list","data":[`, white space aside.
  private static let listHead = ["{", "\"object\"", ":", "\"list\"", ",", "\"data\"", ":", "["].map
  {
    Array($0.utf8)
  }

  /// The start of the elements of the list page at the first unused byte; that byte itself when
  /// there is no list page, `nil` when too few bytes have come.
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

  /// Begins to skip the rest of a list page behind its elements, such as `,"has_more":false}`: the
  /// rest of an object that has a member.
  private mutating func beginTail() {
    (state, isList) = (.tail, false)
    scan.restart()
    let start = Array(#"{"":"""#.utf8)
    _ = scan.scan(start.span)
    scan.dropWalked()
  }

  /// Skips the rest of a list page, as far as it is there.
  private mutating func passTail(_ input: inout InputBuffer, isEnd: Bool) {
    let outcome = scan.scan(input.bytes.span.extracting(input.start..<input.end))
    consume(&input, to: input.start + scan.position)
    scan.dropWalked()
    if case .more = outcome, !isEnd { return }
    (place, searched) = (Notice.Place(line: line, byte: input.offset(of: input.start)), 0)
    switch outcome {
    case .end: state = .between
    case .more: breakOff("the list does not end")
    case .fault(let expected): breakOff(expected)
    }
  }

  /// Notes `byte` if it is a bracket of an array whose elements are values, or a comma between
  /// them; false if it is not.
  private mutating func passFrame(_ byte: UInt8) -> Bool {
    switch byte {
    case ASCII.openBracket where !owesComma: openArrays += 1
    case ASCII.comma where owesComma: owesComma = false
    case ASCII.closeBracket where openArrays > 0:
      openArrays -= 1
      owesComma = openArrays > 0
    default: return false
    }
    return true
  }

  /// The fault of open arrays at the end of the input, which closes them; `nil` when none is open.
  private mutating func endOfArrays(_ input: borrowing InputBuffer) -> Found? {
    guard openArrays > 0 else { return nil }
    (openArrays, owesComma) = (0, false)
    place = Notice.Place(line: line, byte: input.offset(of: input.start))
    return .broken(input.start..<input.start, "the array does not end")
  }

  /// The fault of open arrays whose last element an object on another line follows without a
  /// comma, which closes them; else `nil`.
  private mutating func endOfStray(_ input: borrowing InputBuffer) -> Found? {
    guard owesComma, line > elementLine, input.bytes[input.start] == ASCII.openBrace else {
      return nil
    }
    defer {
      place = arrayPlace
      isList = false
    }
    return endOfArrays(input)
  }

  /// Goes on walking the value that starts at the first unused byte.
  @inline(__always)
  private mutating func walk(
    _ input: inout InputBuffer, isEnd: Bool, noting members: inout Members
  ) -> Found? {
    let lineEnd = place.byte < lineWise ? endOfLine(input) : nil
    let outcome = scan.scan(
      input.bytes.span.extracting(input.start..<(lineEnd ?? input.end)), noting: &members)
    let position = input.start + scan.position
    switch outcome {
    case .end: return found(&input, endingAt: position)
    case .more where (isEnd || lineEnd != nil) && scan.canEnd:
      return found(&input, endingAt: position)
    case .fault(let expected): breakOff(input, at: position, expected)
    case .more where isEnd || lineEnd != nil:
      breakOff(input, at: lineEnd ?? input.end, "the value does not end")
    case .more:
      if isOversized(input, to: position) {
        consume(&input, to: position)
        scan.dropWalked()
      }
    }
    return nil
  }

  /// The end of the first unused byte's line; `nil` when that is not before `lineWise`.
  private func endOfLine(_ input: borrowing InputBuffer) -> Int? {
    let end = Self.lineEnd(input, from: input.start, to: input.end)
    return end.flatMap { input.offset(of: $0) < lineWise ? $0 : nil }
  }

  /// Has the line of the value skipped, which broke where `expected` was.
  private mutating func breakOff(_ expected: StaticString) {
    state = .broken
    isCut = false
    self.expected = expected
  }

  /// Ends the value, which broke at `position`: the rest of its text is to be skipped.
  private mutating func breakOff(
    _ input: borrowing InputBuffer, at position: Int, _ expected: StaticString
  ) {
    breakOff(expected)
    isCut = position == input.end
    searched = position - input.start
    guard !isOversized(input, to: position) else { return }
    lineWise = max(lineWise, input.offset(of: position))
    let reach = min(input.start + lineWise - input.offset(of: input.start), input.end)
    if let next = lineWithObject(input, upTo: reach) {
      searched = next - 1 - input.start
      if next <= position { breakOff("the value does not end") }
    } else {
      searched = endOfBroken(input, at: max(position, reach)) - input.start
    }
  }

  /// The start of the next line that begins an object, after the line of the first unused byte and
  /// before `end`; `nil` when there is none.
  private func lineWithObject(_ input: borrowing InputBuffer, upTo end: Int) -> Int? {
    var index = input.start
    while let lf = Self.lineEnd(input, from: index, to: end), lf + 1 < end {
      index = lf + 1
      if [ASCII.openBrace, ASCII.recordSeparator].contains(input.bytes[index]) { return index }
    }
    return nil
  }

  /// Whether the value, whole or broken, is over the limit if it goes on to `end`.
  private func isOversized(_ input: borrowing InputBuffer, to end: Int) -> Bool {
    input.offset(of: end) - place.byte > limit
  }

  @inline(__always)
  private mutating func found(_ input: inout InputBuffer, endingAt end: Int) -> Found {
    let range = input.start..<end
    let isOversized = isOversized(input, to: end)
    (state, owesComma) = (.between, openArrays > 0)
    if scan.hasLineEnds || isOversized { consume(&input, to: end) } else { input.start = end }
    elementLine = line
    return isOversized ? .oversized : .value(range)
  }

  /// Skips the rest of the line on which the value broke.
  private mutating func passLine(_ input: inout InputBuffer, isEnd: Bool) -> Found? {
    let lineEnd = Self.lineEnd(input, from: input.start + searched, to: input.end)
    guard let end = lineEnd ?? (isEnd ? input.end : nil) else {
      searched = input.count
      if isOversized(input, to: input.end) { consume(&input, to: input.end) }
      return nil
    }
    let found = isOversized(input, to: end) ? Found.oversized : .broken(input.start..<end, expected)
    (state, owesComma) = (.between, false)
    consume(&input, to: end)
    return found
  }

  /// The index from which to search for the end of the line on which a value broke at `fault`: the
  /// end of the line before, if an object or an event stream's field starts the line.
  private func endOfBroken(_ input: borrowing InputBuffer, at fault: Int) -> Int {
    var index = fault
    while index > input.start, input.bytes[index - 1] != ASCII.lf { index -= 1 }
    guard index > input.start, index < input.end else { return fault }
    // One byte decides, as more may not have come: no line of a JSON text begins as a field does.
    return "{deir:\u{1E}".utf8.contains(input.bytes[index]) ? index - 1 : fault
  }

  private mutating func consume(_ input: inout InputBuffer, to end: Int) {
    while let next = Self.lineEnd(input, from: input.start, to: end) {
      line += 1
      input.start = next + 1
    }
    input.start = end
    searched = 0
  }

  private static func lineEnd(
    _ input: borrowing InputBuffer, from start: Int, to end: Int
  ) -> Int? {
    input.bytes.span.extracting(0..<end).firstIndex(of: ASCII.lf, from: start)
  }
}
