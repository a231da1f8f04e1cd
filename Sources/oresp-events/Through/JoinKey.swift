import Core

/// The members of a line by which a join orders it. Ids are hashes, 0 for none, so that no line
/// costs an allocation.
struct JoinKey {
  enum Kind {
    case created, queuedOrInProgress, terminal
    /// An error without a number that the toolkit wrote, as where a connection broke.
    case ownError
    case other
  }

  let kind: Kind
  let sequenceNumber: Int?
  /// The number of the line in its run (`oresp.n`).
  let runNumber: Int?
  /// The tag and the lane of a WebSocket, in which numbers count by themselves.
  let lane: UInt64
  let response: UInt64
  let item: UInt64
  /// A hash of its members in any order: a server that sends an event once more may put them in
  /// another one.
  let mark: UInt64

  init(_ event: borrowing Event, _ line: Span<UInt8>) {
    let isOfResponse = event.type?.family == .lifecycle
    let isCreated = isOfResponse && event.type?.phase == .start
    // A 0 on anything but `created` is no number.
    let number = event.sequenceNumber(in: line).flatMap { $0 >= (isCreated ? 0 : 1) ? $0 : nil }
    var run: Int?
    if event.value(of: "oresp", in: line) != nil {
      run = event.value(of: "oresp", "n", in: line).flatMap {
        JSONNumber.integer(line.extracting($0)).flatMap { $0 >= 0 ? $0 : nil }
      }
    }
    var lane = Self.hash(event.tag(in: line), line, into: 0)
    if let stream = event.stream(in: line) { lane = Self.hash(stream, line, into: lane) }
    var mark = lane
    event.members.each(in: line) { name, value in mark &+= Self.mark(of: name, value) }
    let isOwnError = number == nil && run == nil && event.isError && event.isSynthetic(line)
    kind =
      switch event.type?.phase {
      case .start where isOfResponse: .created
      case .terminal where isOfResponse: .terminal
      case _ where isOfResponse: .queuedOrInProgress
      default: isOwnError ? .ownError : .other
      }
    sequenceNumber = number
    runNumber = run
    self.lane = lane
    response = Self.hash(
      event.value(of: "response", "id", in: line) ?? event.value(of: "response_id", in: line),
      line, into: 0)
    item = Self.hash(
      event.value(of: "item_id", in: line) ?? event.value(of: "item", "id", in: line),
      line, into: 0)
    self.mark = mark
  }

  var hasNumber: Bool { sequenceNumber != nil || runNumber != nil }

  /// Whether it shows that a response begins, or waits to.
  var isBeginning: Bool { kind == .created || kind == .queuedOrInProgress }

  /// A hash of the string at `range`; 0 when it is no string, or empty.
  private static func hash(
    _ range: Range<Int>?, _ line: Span<UInt8>, into seed: UInt64
  ) -> UInt64 {
    guard let range, range.count > 2, line[range.lowerBound] == ASCII.quote else { return 0 }
    return JSONString.withText(of: line.extracting(range)) { $0.mixed(into: seed) | 1 }
  }

  /// The share of a member in the mark of its line. The toolkit's own member and padding, which a
  /// server draws anew each time, have none.
  private static func mark(of name: Span<UInt8>, _ value: Span<UInt8>) -> UInt64 {
    if name.equals("oresp") || name.equals("obfuscation") { return 0 }
    let first = value.byte(at: 0)
    return first == ASCII.openBrace || first == ASCII.openBracket
      ? name.mixed(into: pieces(of: value)) : value.mixed(into: name.mixed(into: 0))
  }

  /// A hash of what stands between the marks of an object or array, in any order.
  private static func pieces(of value: Span<UInt8>) -> UInt64 {
    var sum: UInt64 = 0
    var start = 0
    for index in value.indices {
      switch value[index] {
      case ASCII.comma, ASCII.colon, ASCII.openBrace, ASCII.closeBrace, ASCII.openBracket,
        ASCII.closeBracket:
        sum &+= value.extracting(start..<index).mixed(into: 1)
        start = index + 1
      default: break
      }
    }
    return sum
  }
}
