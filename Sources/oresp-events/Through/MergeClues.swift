import Core

/// The members of a line that show where its event belongs. They are kept as numbers, so that no
/// event costs an allocation: an id is a hash, and 0 stands for none.
struct MergeClues {
  private(set) var sequenceNumber: Int?
  /// The number of its line in its run (`oresp.n`); `nil` when it has none.
  private(set) var lineNumber: Int?
  /// The tag of its run (`oresp.request`).
  private(set) var run: UInt64 = 0
  /// The tag of its stream: its run, and the lane of its WebSocket (`stream_id`).
  private(set) var tag: UInt64 = 0
  /// The ids of its response and its item, hashed with its tag.
  private(set) var response: UInt64 = 0
  private(set) var item: UInt64 = 0
  /// The time at which its response was made, in seconds since the epoch.
  private(set) var createdAt: Int?
  /// Whether it is the first event of its response, or the last.
  private(set) var isBeginning = false
  private(set) var isEnd = false
  /// Whether it is an error that the toolkit wrote where a connection broke.
  private(set) var isOwnError = false
  /// A hash of its members in any order, in which only the length of an object or array counts. For
  /// an event without a number, a hash of all its bytes.
  private(set) var content: UInt64 = 0
  /// The share in that hash of the members that stay the same in a continuation of the event.
  private var constant: UInt64 = 0
  /// The kind of document that the line is, if it is no event of a stream.
  private(set) var document: StaticString?

  var hasNoNumber: Bool { sequenceNumber == nil && lineNumber == nil }

  init() {}

  init(_ event: borrowing Event, _ line: Span<UInt8>) {
    let isAboutResponse = event.type?.family == .lifecycle
    isBeginning = isAboutResponse && event.type?.phase == .start
    isEnd = isAboutResponse && event.type?.phase == .terminal
    sequenceNumber = event.sequenceNumber(in: line)
    if event.value(of: "oresp", in: line) != nil { noteOwn(event, line) }
    if let lane = event.value(of: "stream_id", in: line) {
      tag = line.extracting(lane).mixed(into: tag)
    }
    noteIDs(event, line)
    guard !hasNoNumber else {
      (content, document) = (line.mixed(into: 1), Self.document(event, line))
      return
    }
    var sum = response ^ item
    event.members.each(in: line) { name, value in sum &+= Self.content(of: name, value) }
    content = sum
    constant = sum &- Self.variable(event, line)
  }

  /// Becomes the clues of a continuation of its event, whose line is `line`.
  mutating func goOn(with event: borrowing Event, _ line: Span<UInt8>) {
    sequenceNumber = event.sequenceNumber(in: line)
    if lineNumber != nil { lineNumber = Self.lineNumber(event, line) }
    content = hasNoNumber ? line.mixed(into: 1) : constant &+ Self.variable(event, line)
  }

  /// The share of the members that may differ in a continuation in the hash of its event. An object
  /// or array never differs.
  private static func variable(_ event: borrowing Event, _ line: Span<UInt8>) -> UInt64 {
    func share(_ name: StaticString, _ hash: UInt64) -> UInt64 {
      guard let value = event.value(of: name, in: line) else { return 0 }
      let bytes = line.extracting(value)
      return isContainer(bytes) ? 0 : bytes.mixed(into: hash)
    }
    return share("sequence_number", numberHash) &+ share("delta", deltaHash)
  }

  private static let numberHash = Array("sequence_number".utf8).span.mixed(into: 0)
  private static let deltaHash = Array("delta".utf8).span.mixed(into: 0)

  private static func document(
    _ event: borrowing Event, _ line: Span<UInt8>
  ) -> StaticString? {
    guard let type = event.type else {
      return event.isLogged(line) ? "a log" : event.typeName == nil ? "an untyped object" : nil
    }
    let isMade = type.family == .lifecycle || type.family == .outputItem
    return isMade && event.isSynthetic(line) ? "a whole response or item" : nil
  }

  /// The error that `document` cannot be joined.
  static func fault(of document: StaticString) -> String {
    "\(document) is no part of a stream; cat joins such files"
  }

  private mutating func noteOwn(_ event: borrowing Event, _ line: Span<UInt8>) {
    lineNumber = Self.lineNumber(event, line)
    isOwnError = event.isError && event.isSynthetic(line)
    run = Self.id(event.value(of: "oresp", "request", in: line), line, of: 0)
    tag = run
  }

  private static func lineNumber(_ event: borrowing Event, _ line: Span<UInt8>) -> Int? {
    let number = event.value(of: "oresp", "n", in: line)
    return number.flatMap { JSONNumber.integer(line.extracting($0)) }
  }

  private mutating func noteIDs(_ event: borrowing Event, _ line: Span<UInt8>) {
    response = Self.id(
      event.value(of: "response", "id", in: line) ?? event.value(of: "response_id", in: line), line,
      of: tag)
    item = Self.id(
      event.value(of: "item_id", in: line) ?? event.value(of: "item", "id", in: line), line, of: tag
    )
    guard response != 0, let time = event.value(of: "response", "created_at", in: line) else {
      return
    }
    createdAt = JSONNumber.integer(line.extracting(time))
  }

  /// The share of a member in the hash of its event. The toolkit's own member and padding, which a
  /// server draws anew for each copy, have none.
  @inline(__always)
  private static func content(of name: Span<UInt8>, _ value: Span<UInt8>) -> UInt64 {
    if name.count == 5 && name.equals("oresp") || name.count == 11 && name.equals("obfuscation") {
      return 0
    }
    return isContainer(value)
      ? name.mixed(into: UInt64(value.count)) : value.mixed(into: name.mixed(into: 0))
  }

  @inline(__always)
  private static func isContainer(_ value: Span<UInt8>) -> Bool {
    value.byte(at: 0) == ASCII.openBrace || value.byte(at: 0) == ASCII.openBracket
  }

  /// A hash of the id at `range` in the stream that has `tag`; 0 when it is no string, or empty.
  private static func id(_ range: Range<Int>?, _ line: Span<UInt8>, of tag: UInt64) -> UInt64 {
    guard let range, range.count > 2, line[range.lowerBound] == ASCII.quote else { return 0 }
    return JSONString.withText(of: line.extracting(range)) { $0.mixed(into: tag) | 1 }
  }
}
