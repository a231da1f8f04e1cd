/// Cuts an event stream into its events, as the HTML standard's "Parsing an event stream" and
/// "Interpreting an event stream" say (section 9.2.6), with the bytes left as they came: a caller
/// that wants text replaces what is not UTF-8 (`UTF8Repair`).
///
/// Between calls it holds the fields of the block that has not ended. `limit` bounds its data and
/// its longest line.
package struct EventStreamDecoder: ~Copyable {
  /// The next thing in the stream.
  package enum Found {
    /// A block with data ended; the fields are in the decoder until the next call.
    case event
    /// A comment: the range of its text, which starts right behind the colon.
    case comment(Range<Int>)
    /// Something that a parser ignores without a word, by the standard.
    case fault(Fault)
    /// A block or line over the limit was skipped.
    case oversized
  }

  /// A thing that a parser ignores or drops, by the standard.
  package enum Fault {
    /// A field other than `data`, `event`, `id` and `retry`; the range of its line.
    case unknownField(Range<Int>)
    /// An `id` with a NUL in it.
    case nulInID
    /// A `retry` that is not digits only.
    case badRetry
    /// A block with fields but no data.
    case blockWithoutData
  }

  /// The `data` of the event, its lines joined by LF.
  package private(set) var data: [UInt8] = []
  /// The `event` field; empty when there was none.
  package private(set) var name: [UInt8] = []
  /// The valid `id` of the event's own block; `nil` when it has none.
  package private(set) var id: [UInt8]?
  /// The last event ID string: the last `id` of all blocks that ended.
  package private(set) var lastID: [UInt8] = []
  /// The last valid reconnection time in milliseconds, cut to 2^53 − 1.
  package private(set) var retry: Int?
  /// Whether the event's own block had a valid `retry`.
  package private(set) var hasRetry = false
  /// The place of the line read last.
  package private(set) var linePlace = Notice.Place(line: 0, byte: 0)
  /// The place of the event's first field.
  package private(set) var blockPlace = Notice.Place(line: 0, byte: 0)
  /// The end of the last block, in bytes from the start of the input: behind its blank line, where
  /// the LF of a CR LF counts once it came, or in front of the data that split it.
  package private(set) var blockEnd = 0

  /// Whether a block was ended early because its next line began another object.
  private(set) var hasSplit = false

  private let limit: Int
  /// Splits a stream without blank lines, `data: {"a":1}` LF `data: {"b":2}` LF, as
  /// `beginsAnother` says.
  private let splitsObjects: Bool
  /// Whether a byte order mark at the start of the input was searched for.
  private var isPastMark = false
  /// Whether the last line ended with CR, so that an LF right behind it ends nothing.
  private var skipsLF = false
  /// The number of unused bytes, from the first one on, that are known to hold no line end.
  private var scanned = 0
  /// Whether the block has a `data` line.
  private var hasData = false
  /// The number of its `data` lines that are not empty; 2 stands for two or more.
  private var textLines = 0
  private var hasFields = false
  private var isOversized = false
  /// Whether the rest of the current line is skipped, as it is over the limit.
  private(set) var skipsLine = false
  /// The fields behind the data: the start of the first, in bytes from the start of the input, and
  /// `event` and `id`. They are the next block's if it is split behind them.
  private var late: (place: Notice.Place, name: [UInt8]?, id: [UInt8]?)?
  /// Whether the block has ended, so that the next line starts another.
  private var isDispatched = false

  /// A block whose data is longer than `limit` bytes is skipped; 0 is no limit.
  package init(limit: Int = 0, splitsObjects: Bool = false) {
    self.limit = limit > 0 ? limit : .max
    self.splitsObjects = splitsObjects
  }

  /// Finds the next thing in the unused bytes of `input`; `nil` when more must be read first.
  package mutating func next(_ input: inout InputBuffer) -> Found? {
    if isDispatched { startBlock() }
    while let line = nextLine(&input) {
      startLine(line.lowerBound, of: input)
      if beginsAnother(line, of: input) { return split(&input, at: line.lowerBound) }
      if line.isEmpty {
        blockEnd = input.offset(of: input.start)
        if let found = endBlock() { return found }
      } else if let found = parse(line, of: input) {
        return found
      }
    }
    return nil
  }

  /// The end of the event found last, in bytes from the start of the input.
  func eventEnd(_ input: borrowing InputBuffer) -> Int {
    late?.place.byte ?? input.offset(of: input.start)
  }

  /// Whether a block may begin at the first unused byte, and none has begun. At the start of the
  /// input a byte order mark may still stand there, which `usualData` does not accept.
  var isBetweenBlocks: Bool {
    !skipsLF && !skipsLine && scanned == 0 && late == nil && (isDispatched || !hasFields)
  }

  /// The start of the data of a block at `start` that begins as nearly all do, with an optional
  /// `event` line and a `data` line; `nil` when something else stands there.
  @inline(__always)
  static func usualData(_ bytes: Span<UInt8>, at start: Int) -> Int? {
    var index = start
    if bytes.starts(with: "event: ", at: index) {
      let end = bytes.endOfLine(from: index + 7)
      guard end < bytes.count, bytes[end] == ASCII.lf else { return nil }
      index = end + 1
    }
    return bytes.starts(with: "data: ", at: index) ? index + 6 : nil
  }

  /// The place of the block at the first unused byte.
  @inline(__always)
  func place(ofBlockIn input: borrowing InputBuffer) -> Notice.Place {
    Notice.Place(line: linePlace.line + 1, byte: input.offset(of: input.start))
  }

  /// Moves past the block at the first unused byte as `next` would. `usualData` found its `data`,
  /// which has no line end in it and two LFs behind it.
  @inline(__always)
  mutating func passBlock(_ data: Range<Int>, of input: inout InputBuffer) {
    let isNamed = input.bytes[input.start] == UInt8(ascii: "e")
    blockPlace = place(ofBlockIn: input)
    linePlace.line += isNamed ? 3 : 2
    linePlace.byte = input.offset(of: data.upperBound + 1)
    input.start = data.upperBound + 2
    isPastMark = true
    blockEnd = input.offset(of: input.start)
  }

  /// Whether a line other than a comment stands after the last blank line: if the input ends here,
  /// the standard drops it. For use once `next` has returned `nil`.
  package func hasRest(_ input: borrowing InputBuffer) -> Bool {
    !isDispatched && hasFields || input.count > 0 && input.bytes[input.start] != ASCII.colon
  }

  /// The place of what `hasRest` found: the first field of its block.
  package func restPlace(_ input: borrowing InputBuffer) -> Notice.Place {
    hasFields ? blockPlace : place(ofBlockIn: input)
  }

  /// Whether `line` begins as a field or a comment does.
  static func isField(_ line: Span<UInt8>) -> Bool {
    (["data:", "event:", "id:", "retry:", ":"] as [StaticString]).contains { line.starts(with: $0) }
  }

  /// Whether the block that has begun has data or a name.
  var holdsEvent: Bool { hasData || !name.isEmpty }

  /// Ends the block in front of the line at `start`, which is read again; `nil` when it has no data.
  mutating func endEarly(_ input: inout InputBuffer, at start: Int) -> Found? {
    hasData && !isDispatched ? split(&input, at: start) : nil
  }

  /// Drops the block that has begun: the line that was read last is an event by itself.
  mutating func endLine(_ input: borrowing InputBuffer) {
    startBlock()
    blockEnd = input.offset(of: input.start)
  }

  /// Takes the rest of the input as a line.
  mutating func passRest(_ input: inout InputBuffer) {
    startLine(input.start, of: input)
    input.start = input.end
    scanned = 0
  }

  /// Counts lines that the caller skipped in front of the stream.
  mutating func skipLines(_ count: Int) { linePlace.line += count }

  /// Ends the input as if a line end and a blank line followed it, to find the block that the
  /// standard drops. For use once `next` has returned `nil`.
  package mutating func flush(_ input: inout InputBuffer) -> Found? {
    if input.count > 0 {
      let rest = input.start..<input.end
      passRest(&input)
      if beginsAnother(rest, of: input) { return split(&input, at: rest.lowerBound) }
      _ = parse(rest, of: input)
    }
    return hasFields ? endBlock() : nil
  }

  /// The next line without its line end: one that has ended, or as much as came of one that is too
  /// long and may never end.
  private mutating func nextLine(_ input: inout InputBuffer) -> Range<Int>? {
    guard isPastMark || passMark(&input) else { return nil }
    while true {
      if skipsLF, input.count > 0 {
        if input.bytes[input.start] == ASCII.lf {
          if blockEnd == input.offset(of: input.start) { blockEnd += 1 }
          input.start += 1
        }
        skipsLF = false
      }
      let end = input.bytes.span.extracting(0..<input.end).endOfLine(from: input.start + scanned)
      let hasEnded = end < input.end
      guard hasEnded || skipsLine || input.count > longestLine else {
        scanned = input.count
        return nil
      }
      let isRest = skipsLine
      let line = input.start..<end
      scanned = 0
      skipsLine = !hasEnded
      input.start = end
      if hasEnded {
        skipsLF = input.bytes[end] == ASCII.cr
        input.start += 1
      }
      if !isRest { return line }
      if !hasEnded { return nil }
    }
  }

  /// Passes the byte order mark that may stand at the very start; false while it may still come.
  private mutating func passMark(_ input: inout InputBuffer) -> Bool {
    let length = input.markLength
    if length < 3, length == input.count { return false }
    if length == 3 { input.start += 3 }
    isPastMark = true
    return true
  }

  /// The longest line that data within the limit can need.
  private var longestLine: Int { limit == .max ? .max : limit + 6 }

  private mutating func startLine(_ start: Int, of input: borrowing InputBuffer) {
    linePlace = Notice.Place(line: linePlace.line + 1, byte: input.offset(of: start))
  }

  private mutating func startBlock() {
    // Room that grew with one huge event does not stay.
    data.removeAll(keepingCapacity: data.capacity <= InputBuffer.keptSize)
    name = []
    id = nil
    hasFields = late != nil
    blockPlace = late?.place ?? blockPlace
    takeLate()
    hasData = false
    textLines = 0
    hasRetry = false
    isOversized = false
    isDispatched = false
  }

  /// Takes the fields behind the data as this block's.
  private mutating func takeLate() {
    name = late?.name ?? name
    id = late?.id ?? id
    late = nil
  }

  /// Ends the block. What stands behind its data is the next one's if it `isSplit` there.
  private mutating func endBlock(isSplit: Bool = false) -> Found? {
    if !isSplit { takeLate() }
    lastID = id ?? lastID
    isDispatched = true
    if isOversized { return .oversized }
    if hasData { return .event }
    if !name.isEmpty { return .fault(.blockWithoutData) }
    startBlock()
    return nil
  }

  /// Acts on a line that is not blank.
  private mutating func parse(_ range: Range<Int>, of input: borrowing InputBuffer) -> Found? {
    var line = input.bytes.span.extracting(range)
    // Of joined files each may begin with a byte order mark.
    while splitsObjects, line.starts(with: "\u{FEFF}") { line = line.extracting(droppingFirst: 3) }
    let range = range.upperBound - line.count..<range.upperBound
    let isTooLong = line.count > longestLine
    if line.byte(at: 0) == ASCII.colon {
      return isTooLong ? nil : .comment(range.lowerBound + 1..<range.upperBound)
    }
    if !hasFields { blockPlace = linePlace }
    hasFields = true
    isOversized = isOversized || isTooLong
    guard !isTooLong, !line.isEmpty else { return nil }
    let colon = line.firstIndex(of: ASCII.colon) ?? line.count
    var value = line.extracting(min(colon + 1, line.count)...)
    if value.byte(at: 0) == ASCII.space { value = value.extracting(droppingFirst: 1) }
    let field = line.extracting(0..<colon)
    if field.equals("data") {
      takeLate()
      append(value)
      return nil
    }
    if hasData, late == nil { late = (linePlace, nil, nil) }
    if field.equals("event") {
      let name = [UInt8](copying: value)
      if hasData { late?.name = name } else { self.name = name }
    } else if field.equals("id") {
      guard value.firstIndex(of: 0) == nil else { return .fault(.nulInID) }
      let id = [UInt8](copying: value)
      if hasData { late?.id = id } else { self.id = id }
    } else if field.equals("retry") {
      guard let time = Self.reconnectionTime(value) else { return .fault(.badRetry) }
      (retry, hasRetry) = (time, true)
    } else {
      return .fault(.unknownField(range))
    }
    return nil
  }

  /// Appends a line of the data.
  private mutating func append(_ line: Span<UInt8>) {
    // The sum includes the LF that joins two lines.
    isOversized = isOversized || data.count + (hasData ? 1 : 0) + line.count > limit
    guard !isOversized else {
      data = []
      return
    }
    if hasData { data.append(ASCII.lf) }
    data.append(copying: line)
    hasData = true
    if !line.isEmpty { textLines = min(textLines + 1, 2) }
  }

  /// Whether the line at `range` is data of another block, though no blank line stands before it:
  /// it begins an object, a mark or a heartbeat behind data that is a whole one of these on one
  /// line. No JSON value goes on like that: such a stream is what `grep '^data:'` leaves of one.
  private func beginsAnother(_ range: Range<Int>, of input: borrowing InputBuffer) -> Bool {
    guard splitsObjects, textLines == 1, !isOversized else { return false }
    let line = input.bytes.span.extracting(range)
    guard line.starts(with: "data:") else { return false }
    let rest = line.extracting(droppingFirst: 5)
    let value = rest.extracting(rest.trimmed())
    // The mark may be cut: `[DO`
    let begins =
      value.byte(at: 0) == ASCII.openBrace || value.byte(at: 0) == ASCII.openBracket
      || Self.isEndMark(value)
    guard begins || !value.isEmpty && Heartbeat.isOne(value) else { return false }
    let former = data.span.extracting(data.span.trimmed())
    if former.byte(at: 0) == ASCII.openBrace {
      return begins ? !JSONScan.mayHoldMore(former) : JSONScan.accepts(former)
    }
    // Of a text in two lines, `data: Error` and `data: unloaded`, both look like heartbeats.
    return Self.isEndMark(former) || Heartbeat.isOne(former) && (begins || hasSplit)
  }

  /// Whether `data`, without white space around it, is the mark at the end of a stream, which some
  /// servers send as a JSON string: `data: "[DONE]"`.
  package static func isEndMark(_ data: Span<UInt8>) -> Bool {
    data.equals("[DONE]") || data.equals("\"[DONE]\"")
  }

  /// Ends the block before the line at `start`, which is read again.
  private mutating func split(_ input: inout InputBuffer, at start: Int) -> Found? {
    input.start = start
    skipsLF = false
    skipsLine = false
    hasSplit = true
    linePlace.line -= 1
    blockEnd = eventEnd(input)
    return endBlock(isSplit: true)
  }

  private static func reconnectionTime(_ digits: Span<UInt8>) -> Int? {
    guard !digits.isEmpty else { return nil }
    var time = 0
    for index in digits.indices {
      guard ASCII.isDigit(digits[index]) else { return nil }
      time = min(time * 10 + Int(digits[index] - ASCII.zero), JSONNumber.largest)
    }
    return time
  }
}
