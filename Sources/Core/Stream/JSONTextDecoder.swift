/// Cuts a stream of JSON texts into its values: one a line (NDJSON), or pretty-printed, or one
/// right behind the other.
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

  /// The number of the line on which the value found last starts, from 1.
  package internal(set) var firstLine = 1
  /// Where the value found last starts, in bytes from the start of the input.
  package internal(set) var offset = 0

  private let limit: Int
  /// Whether a line that opens and closes as an object is taken for one without reading it.
  private let trustsLines: Bool
  /// Whether the first value stood on one line, so that the others may be expected to.
  var isLineByLine = false
  private var hasValue = false
  /// How far into the unused bytes the value was walked, or searched for its line end.
  private var walked = 0
  private var scanner = JSONScanner()
  /// Whether the scanner stands inside a value.
  var isInside = false
  /// What was wrong with the value; the rest of its line is passed over.
  private var fault: StaticString?
  /// Whether the value is over the limit, so that what was walked of it is not held.
  private var isOversized = false
  /// The number of the line that the first unused byte is on.
  var line: Int

  /// With `trustsLines`, a line that opens with `{` and closes with `}` is taken for a value
  /// unread, as long as values come one a line. A value longer than `limit` is passed over; 0 is no
  /// limit.
  /// The input starts on line number `line`.
  package init(trustsLines: Bool = false, limit: Int = 0, line: Int = 1) {
    self.line = line
    self.trustsLines = trustsLines
    self.limit = limit > 0 ? limit : .max
  }

  /// Finds the next thing in the unused bytes of `input`; `nil` when more must be read first.
  package mutating func next(_ input: inout InputBuffer) -> Found? {
    find(&input, isEnd: false)
  }

  /// Finds the next thing when nothing follows the unused bytes; `nil` after the last.
  package mutating func finish(_ input: inout InputBuffer) -> Found? {
    find(&input, isEnd: true)
  }

  private mutating func find(_ input: inout InputBuffer, isEnd: Bool) -> Found? {
    if !isInside {
      guard skipSpace(&input) else { return nil }
      (firstLine, offset) = (line, input.offset(of: input.start))
      if trustsLines, isLineByLine, let range = wholeLine(input, isEnd: isEnd) {
        input.start = range.upperBound
        return .value(range)
      }
      isInside = true
      walked = 0
      scanner = JSONScanner()
    }
    if fault == nil, let found = walk(&input, isEnd: isEnd) { return found }
    return fault == nil ? nil : passLine(&input, isEnd: isEnd)
  }

  /// Drops white space; false when nothing else is left.
  private mutating func skipSpace(_ input: inout InputBuffer) -> Bool {
    while input.start < input.end, ASCII.isSpace(input.bytes[input.start]) {
      if input.bytes[input.start] == ASCII.lf { line += 1 }
      input.start += 1
    }
    return input.start < input.end
  }

  /// The line that starts at the first unused byte, when it looks like one object from outside.
  private func wholeLine(_ input: borrowing InputBuffer, isEnd: Bool) -> Range<Int>? {
    let bytes = input.bytes.span.extracting(0..<input.end)
    let found = bytes.firstIndex(of: ASCII.lf, from: input.start)
    guard var end = found ?? (isEnd ? input.end : nil) else { return nil }
    while end > input.start, ASCII.isSpace(bytes[end - 1]) { end -= 1 }
    guard bytes[input.start] == ASCII.openBrace, bytes[end - 1] == ASCII.closeBrace,
      end - input.start <= limit
    else { return nil }
    return input.start..<end
  }

  /// Goes on walking the value that starts at the first unused byte.
  private mutating func walk(_ input: inout InputBuffer, isEnd: Bool) -> Found? {
    var position = input.start + walked
    switch scanner.scan(input.bytes.span.extracting(0..<input.end), &position) {
    case .end: return take(&input, to: position)
    case .fault(let expected):
      fault = expected
      position = endOfBroken(input, at: position)
    case .more where isEnd && scanner.canEnd: return take(&input, to: position)
    case .more where isEnd: fault = "the value does not end"
    case .more: break
    }
    walked = position - input.start
    if fault == nil { boundHeld(&input) }
    return nil
  }

  /// Lets go of what was walked when the value is over the limit.
  private mutating func boundHeld(_ input: inout InputBuffer) {
    guard isOversized || walked > limit else { return }
    isOversized = true
    consume(&input, to: input.start + walked)
    walked = 0
  }

  private mutating func take(_ input: inout InputBuffer, to end: Int) -> Found? {
    let range = input.start..<end
    let found = isOversized || range.count > limit ? Found.oversized : .value(range)
    (isInside, isOversized) = (false, false)
    consume(&input, to: end)
    if !hasValue { isLineByLine = line == firstLine }
    hasValue = true
    return found
  }

  /// Passes over the rest of the line on which the value broke.
  private mutating func passLine(_ input: inout InputBuffer, isEnd: Bool) -> Found? {
    guard let expected = fault else { return nil }
    guard let end = lineEnd(input) ?? (isEnd ? input.end : nil) else {
      walked = input.count
      boundHeld(&input)
      return nil
    }
    let range = input.start..<end
    let found = isOversized ? Found.oversized : .broken(range, expected)
    (isInside, isOversized, fault) = (false, false, nil)
    consume(&input, to: end)
    return found
  }

  private func lineEnd(_ input: borrowing InputBuffer) -> Int? {
    input.bytes.span.extracting(0..<input.end).firstIndex(of: ASCII.lf, from: input.start + walked)
  }

  /// From where to look for the end of the line that a value broke on at `place`: the end of the
  /// line before, if an object starts the line.
  private func endOfBroken(_ input: borrowing InputBuffer, at place: Int) -> Int {
    var index = place
    while index > input.start, input.bytes[index - 1] != ASCII.lf { index -= 1 }
    let isNewObject =
      index > input.start && index < input.end && input.bytes[index] == ASCII.openBrace
    return isNewObject ? index - 1 : place
  }

  private mutating func consume(_ input: inout InputBuffer, to end: Int) {
    line += Self.lineEnds(input, before: end)
    input.start = end
  }

  private static func lineEnds(_ input: borrowing InputBuffer, before end: Int) -> Int {
    let bytes = input.bytes.span.extracting(0..<end)
    var count = 0
    var index = input.start
    while let next = bytes.firstIndex(of: ASCII.lf, from: index) {
      count += 1
      index = next + 1
    }
    return count
  }
}
