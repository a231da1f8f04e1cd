import Core

/// The members of a line by which a join orders it. Ids are hashes, 0 for none, so that no line
/// costs an allocation.
struct JoinLine {
  enum Kind {
    case created, queuedOrInProgress, terminal
    /// An error without a number that the toolkit wrote where a connection broke.
    case ownError
    /// A piece of an event that the end of its FILE cut off.
    case cut
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
  let content: UInt64

  init(_ event: borrowing Event, _ line: Span<UInt8>, isCut: Bool) {
    let isOfResponse = event.type?.family == .lifecycle
    let isCreated = isOfResponse && event.type?.phase == .start
    // A 0 on anything but `created` is no number.
    let number = event.sequenceNumber(in: line).flatMap { $0 > 0 || isCreated ? $0 : nil }
    var lane = Self.hash(event.tag(in: line), line, into: 0)
    if let stream = event.stream(in: line) { lane = Self.hash(stream, line, into: lane) }
    var run: Int?
    if event.value(of: "oresp", in: line) != nil {
      run = event.value(of: "oresp", "n", in: line).flatMap {
        JSONNumber.integer(line.extracting($0))
      }
    }
    response = Self.hash(
      event.value(of: "response", "id", in: line) ?? event.value(of: "response_id", in: line),
      line, into: 0)
    item = Self.hash(
      event.value(of: "item_id", in: line) ?? event.value(of: "item", "id", in: line),
      line, into: 0)
    sequenceNumber = number
    runNumber = run
    self.lane = lane
    var content = lane &+ UInt64(bitPattern: Int64(run ?? -1)) ^ response ^ item
    event.members.each(in: line) { name, value in content &+= Self.content(of: name, value) }
    self.content = content
    kind =
      if isCut {
        .cut
      } else if isOfResponse {
        switch event.type?.phase {
        case .start: .created
        case .terminal: .terminal
        default: .queuedOrInProgress
        }
      } else if number == nil, run == nil, event.isError, event.isSynthetic(line) {
        .ownError
      } else {
        .other
      }
  }

  /// What the end of a FILE cut off before it was an event.
  static let cutOff = JoinLine()

  private init() {
    kind = .cut
    sequenceNumber = nil
    runNumber = nil
    lane = 0
    response = 0
    item = 0
    content = 0
  }

  var hasNumber: Bool { sequenceNumber != nil || runNumber != nil }
  var hasID: Bool { response != 0 || item != 0 }
  /// Whether another FILE may show that it is void.
  var isBrokenEnd: Bool { kind == .ownError || kind == .cut }

  /// A hash of the string at `range`; 0 when it is no string, or empty.
  private static func hash(
    _ range: Range<Int>?, _ line: Span<UInt8>, into seed: UInt64
  ) -> UInt64 {
    guard let range, range.count > 2, line[range.lowerBound] == ASCII.quote else { return 0 }
    return JSONString.withText(of: line.extracting(range)) { $0.mixed(into: seed) | 1 }
  }

  /// The share of a member in the hash of its line. The toolkit's own member and padding, which a
  /// server draws anew each time, have none.
  private static func content(of name: Span<UInt8>, _ value: Span<UInt8>) -> UInt64 {
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
