/// Cuts JSON values with white space between them out of the input, as jq reads and prints them: one
/// a line (NDJSON), several on a line, or over several lines. Brackets and commas around values are
/// passed over, so the elements of an array come one after another, and none is lost with an array
/// that breaks off. Where the reads were cut never shows.
///
/// A broken value takes no neighbour with it:
///
///     {"a":
///       [1, }         the fault is seen here
///     ]
///     {"b":2}
///
/// The first three lines are one broken value, since `{"b"` is the first `{` or `[` behind its own
/// line that stands no further in than its own `{`. Where broken values follow each other, it stands
/// no further in than the furthest of them. Text that begins with no `{` costs its line.
///
/// Between calls it holds the scan of the value at the first unused byte, which `limit` bounds.
package struct ValueDecoder: ~Copyable {
  /// The next thing in the input.
  package enum Found {
    /// An object.
    case value(Range<Int>)
    /// A line, or the rest of one, that begins with no object.
    case text(Range<Int>)
    /// A line of a broken value, and what was expected instead; `nil` behind its first line.
    case broken(Range<Int>, StaticString?)
    /// The first line of a value that the end of the input cuts; others follow as `broken`.
    case cut(Range<Int>)
    /// A value over the limit, which is skipped.
    case oversized
    /// The mark `[DONE]`.
    case mark
    /// A line that is a field of an event stream. It stays unused.
    case field
  }

  private enum State {
    /// A value may begin at the first unused byte, or behind white space there.
    case between
    /// The object at the first unused byte is being walked.
    case object
    /// Text that begins with no `{` stands at the first unused byte.
    case text
    /// The lines of a broken value are handed on, the one at the first unused byte next.
    case broken
    /// They are dropped, as the value is over the limit.
    case dropped
  }

  /// The place where the thing found last starts.
  package private(set) var place: Notice.Place

  private let limit: Int
  private var state = State.between
  private var scan = JSONScan(limitsDepth: true)
  /// The number of the line that the first unused byte is on, and the offset of its first byte.
  private var line: Int
  private var lineStart: Int
  /// How far the `{` of the value stands in, in bytes.
  private var column = 0
  /// The furthest column of the broken values that follow each other; -1 behind a whole one.
  private var reach = -1
  /// The fault of the broken value, as long as none of its lines was handed on.
  private var fault: StaticString?
  /// The offset of the fault, and whether the input ended there.
  private(set) var faultPlace = 0
  private var meetsEnd = false
  /// The offset up to which the first unused byte's line was searched for its end in vain.
  private var searched = 0

  /// A value longer than `limit` is skipped; 0 is no limit. The input goes on at the offset `start`,
  /// where line number `line` begins.
  package init(limit: Int = 0, line: Int = 1, start: Int = 0) {
    self.limit = limit > 0 ? limit : .max
    self.line = line
    lineStart = start
    place = Notice.Place(line: line, byte: start)
  }

  /// Whether LF or CR stands inside the value found last.
  package var hasLineEnds: Bool { scan.hasLineEnds }
  /// Whether all of the value found last is UTF-8.
  package var isUTF8: Bool { scan.isUTF8 }

  /// Finds the next thing in the unused bytes of `input`, the outermost members of a value in
  /// `members`; `nil` when more must be read first or, at its end, when nothing is left.
  package mutating func next(
    _ input: inout InputBuffer, isEnd: Bool, noting members: inout Members
  ) -> Found? {
    while true {
      switch state {
      case .between:
        guard findStart(&input, isEnd: isEnd) else { return nil }
        notePlace(of: input)
        let byte = input.bytes[input.start]
        if byte == ASCII.openBracket {
          input.start += "[DONE]".utf8.count
          return .mark
        }
        state = byte == ASCII.openBrace ? .object : .text
        scan.restart()
        members.removeAll()
      case .object:
        if let found = walk(&input, isEnd: isEnd, noting: &members) { return found }
        if case .object = state { return nil }
      case .text: return readText(&input, isEnd: isEnd)
      case .broken, .dropped:
        if let found = readLine(&input, isEnd: isEnd) { return found }
        guard case .between = state else { return nil }
      }
    }
  }

  /// Finds the next value as `next` does, if it begins at the first unused byte, or behind the LF
  /// there, as on nearly all lines of NDJSON.
  @inline(__always)
  package mutating func nextUsual(
    _ input: inout InputBuffer, isEnd: Bool, noting members: inout Members
  ) -> Found? {
    guard case .between = state, input.count > 1 else { return nil }
    if input.bytes[input.start] == ASCII.lf { beginLine(&input, at: input.start + 1) }
    guard input.bytes[input.start] == ASCII.openBrace else { return nil }
    notePlace(of: input)
    state = .object
    scan.restart()
    members.removeAll()
    return walk(&input, isEnd: isEnd, noting: &members)
  }

  @inline(__always)
  private mutating func beginLine(_ input: inout InputBuffer, at start: Int) {
    line += 1
    input.start = start
    lineStart = input.offset(of: start)
  }

  @inline(__always)
  private mutating func notePlace(of input: borrowing InputBuffer) {
    place = Notice.Place(line: line, byte: input.offset(of: input.start))
    column = place.byte - lineStart
  }

  /// Moves to the next value, text or mark, past white space, brackets, commas, the separators of
  /// RFC 7464 and the byte order marks of joined files; false when none is there.
  private mutating func findStart(_ input: inout InputBuffer, isEnd: Bool) -> Bool {
    while input.start < input.end {
      let byte = input.bytes[input.start]
      if byte == ASCII.lf {
        beginLine(&input, at: input.start + 1)
        continue
      }
      if byte == 0xEF {
        let length = input.markLength
        guard length == 3 else { return isEnd || length < input.count }
        input.start += 3
        lineStart += 3
        continue
      }
      if byte == ASCII.openBracket {
        let mark = Array("[DONE]".utf8)
        let length = zip(mark, input.bytes[input.start..<input.end]).prefix { $0 == $1 }.count
        if length == mark.count { return true }
        if length == input.count, !isEnd { return false }
      } else if !Self.isPassed(byte) {
        return true
      }
      input.start += 1
    }
    return false
  }

  /// Whether `byte` may stand in front of a value, `[` aside.
  private static func isPassed(_ byte: UInt8) -> Bool {
    ASCII.isSpace(byte) || byte == ASCII.comma || byte == ASCII.closeBracket
      || byte == ASCII.recordSeparator
  }

  /// Goes on walking the object that starts at the first unused byte.
  @inline(__always)
  private mutating func walk(
    _ input: inout InputBuffer, isEnd: Bool, noting members: inout Members
  ) -> Found? {
    let outcome = scan.scan(
      input.bytes.span.extracting(input.start..<input.end), noting: &members)
    if scan.position > limit { return drop(&input, to: input.start + limit) }
    let end = input.start + scan.position
    meetsEnd = false
    switch outcome {
    case .end:
      let range = input.start..<end
      (state, reach) = (.between, -1)
      if scan.hasLineEnds { consume(&input, to: end) } else { input.start = end }
      return .value(range)
    case .fault(let expected): fault = expected
    case .more where isEnd:
      fault = "the value does not end"
      meetsEnd = true
    case .more: return nil
    }
    faultPlace = input.offset(of: end)
    (state, reach) = (.broken, max(reach, column))
    return nil
  }

  /// Drops the value up to `position`, and then the rest of its lines.
  private mutating func drop(_ input: inout InputBuffer, to position: Int) -> Found {
    (state, reach, fault) = (.dropped, max(reach, column), nil)
    consume(&input, to: position)
    return .oversized
  }

  /// The text at the first unused byte, up to the end of its line.
  private mutating func readText(_ input: inout InputBuffer, isEnd: Bool) -> Found? {
    let end = endOfLine(input)
    if (end ?? input.end) - input.start > limit { return drop(&input, to: input.start + limit) }
    guard let end = end ?? (isEnd ? input.end : nil) else { return nil }
    let line = input.start..<end
    if column == 0, EventStreamDecoder.isField(input.bytes.span.extracting(line)) { return .field }
    let length = input.bytes.span.extracting(line).trimmed(Self.isPassed).upperBound
    let text = line.lowerBound..<line.lowerBound + length
    state = .between
    input.start = end
    return .text(text)
  }

  /// The next line of the broken value; `nil` when more must be read first, or the value has ended.
  private mutating func readLine(_ input: inout InputBuffer, isEnd: Bool) -> Found? {
    while input.start < input.end {
      let isBehindFirst = fault == nil && input.offset(of: input.start) == lineStart
      if isBehindFirst, beginsAnother(input, input.start) {
        state = .between
        return nil
      }
      let lineEnd = endOfLine(input)
      if (lineEnd ?? input.end) - input.start > limit {
        let isReported = fault == nil
        let found = drop(&input, to: lineEnd ?? input.end)
        if !isReported { return found }
        continue
      }
      guard let end = lineEnd ?? (isEnd ? input.end : nil) else { return nil }
      let line = input.start..<end
      if isBehindFirst, EventStreamDecoder.isField(input.bytes.span.extracting(line)) {
        state = .between
        return nil
      }
      let found = brokenLine(line, of: input)
      if end < input.end { beginLine(&input, at: end + 1) } else { input.start = end }
      if let found { return found }
    }
    if isEnd { state = .between }
    return nil
  }

  /// The line of the broken value at `line`; `nil` when it is blank or dropped.
  private mutating func brokenLine(
    _ line: Range<Int>, of input: borrowing InputBuffer
  ) -> Found? {
    let text = input.bytes.span.extracting(line).trimmed()
    guard case .broken = state, !text.isEmpty else { return nil }
    let range = line.lowerBound + text.lowerBound..<line.lowerBound + text.upperBound
    place = Notice.Place(line: self.line, byte: input.offset(of: range.lowerBound))
    guard let expected = fault else { return .broken(range, nil) }
    fault = nil
    // The fault may stand far behind: {"a": LF {"b":1} LF {"c":2}
    if hasAnother(input, behind: line.upperBound) {
      return .broken(range, "the value does not end")
    }
    return meetsEnd ? .cut(range) : .broken(range, expected)
  }

  /// Whether the line at `start`, as far as it is there, begins another value than the broken one.
  private func beginsAnother(_ input: borrowing InputBuffer, _ start: Int) -> Bool {
    var index = start
    while index < input.end, input.bytes[index] != ASCII.lf, Self.isPassed(input.bytes[index]) {
      index += 1
    }
    guard index < input.end, index - start <= min(reach, limit) else { return false }
    return input.bytes[index] == ASCII.openBrace || input.bytes[index] == ASCII.openBracket
  }

  /// Whether a line between `end` and the fault begins another value than the broken one.
  private func hasAnother(_ input: borrowing InputBuffer, behind end: Int) -> Bool {
    let fault = max(0, min(input.end, faultPlace - input.offset(of: 0)))
    let bytes = input.bytes.span.extracting(0..<fault)
    var end = end
    while let lf = bytes.firstIndex(of: ASCII.lf, from: end) {
      if beginsAnother(input, lf + 1) { return true }
      end = lf + 1
    }
    return false
  }

  /// The end of the first unused byte's line; `nil` when that has not come.
  private mutating func endOfLine(_ input: borrowing InputBuffer) -> Int? {
    let front = input.offset(of: 0)
    let bytes = input.bytes.span.extracting(0..<input.end)
    let end = bytes.firstIndex(of: ASCII.lf, from: max(input.start, searched - front))
    if end == nil { searched = front + input.end }
    return end
  }

  /// Uses the bytes up to `end`, and counts their lines.
  private mutating func consume(_ input: inout InputBuffer, to end: Int) {
    while let lf = input.bytes.span.extracting(0..<end).firstIndex(of: ASCII.lf, from: input.start)
    {
      beginLine(&input, at: lf + 1)
    }
    input.start = end
  }
}
