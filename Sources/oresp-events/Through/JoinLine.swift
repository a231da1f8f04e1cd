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
  /// Its bytes, but for the toolkit's own member and the padding that a server draws anew each time
  /// it sends an event.
  let content: UInt64

  init(_ event: borrowing Event, _ line: Span<UInt8>, isCut: Bool) {
    let isOfResponse = event.type?.family == .lifecycle
    let isCreated = isOfResponse && event.type?.phase == .start
    // A 0 on anything but `created` is no number.
    let number = event.sequenceNumber(in: line).flatMap { $0 > 0 || isCreated ? $0 : nil }
    let own = event.value(of: "oresp", in: line)
    var lane: UInt64 = 0
    var run: Int?
    if own != nil {
      lane = Self.hash(event.value(of: "oresp", "request", in: line), line, into: 0)
      run = event.value(of: "oresp", "n", in: line).flatMap {
        JSONNumber.integer(line.extracting($0))
      }
    }
    if let stream = event.value(of: "stream_id", in: line) {
      lane = line.extracting(stream).mixed(into: lane)
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
    let padding = event.value(of: "obfuscation", in: line)
    content = Self.hash(line, without: own, padding) ^ lane &+ UInt64(bitPattern: Int64(run ?? -1))
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

  /// A hash of the bytes of `line` outside two of its members.
  private static func hash(
    _ line: Span<UInt8>, without one: Range<Int>?, _ other: Range<Int>?
  ) -> UInt64 {
    var hash: UInt64 = 0
    var start = 0
    let left = [one, other].compactMap(\.self).sorted { $0.lowerBound < $1.lowerBound }
    for range in left {
      hash = line.extracting(start..<range.lowerBound).mixed(into: hash)
      start = range.upperBound
    }
    return line.extracting(start...).mixed(into: hash)
  }
}
