import Core

/// What the line of an event says about where it belongs: numbers alone, so that no event costs an
/// allocation. An id is known by its hash; 0 stands for none.
struct MergeClues {
  private(set) var sequenceNumber: Int?
  /// How many lines of its run came before it (`oresp.n`).
  private(set) var lineNumber: Int?
  /// The tag of its run (`oresp.request`), and that of its stream: the same with the lane of its
  /// WebSocket (`stream_id`).
  private(set) var run: UInt64 = 0
  private(set) var tag: UInt64 = 0
  /// The ids of its response and its item, mixed with the tag.
  private(set) var response: UInt64 = 0
  private(set) var item: UInt64 = 0
  /// When its response was made, in seconds since the epoch.
  private(set) var createdAt: Int?
  /// Whether it is the first of its response, or the last.
  private(set) var isBeginning = false
  private(set) var isEnd = false
  /// Whether it is an error of the toolkit's own, as stands where a connection broke.
  private(set) var isOwnError = false
  /// A hash of what it says, whatever the order of its members: of an object in it, how long that
  /// is. Without a number, a hash of all its bytes.
  private(set) var content: UInt64 = 0

  /// What it is, if it is no event of a stream.
  private(set) var document: StaticString?

  var hasNoNumber: Bool { sequenceNumber == nil && lineNumber == nil }

  init() {}

  init(_ event: borrowing Event, _ line: Span<UInt8>) {
    let isAboutResponse = event.type?.family == .lifecycle
    isBeginning = isAboutResponse && event.type?.phase == .start
    isEnd = isAboutResponse && event.type?.phase == .terminal
    sequenceNumber = Self.integer(event.value(of: "sequence_number", in: line), line)
    if event.value(of: "oresp", in: line) != nil { noteOwn(event, line) }
    if let lane = event.value(of: "stream_id", in: line) {
      tag = tag.mixed(with: line.extracting(lane).digest())
    }
    noteIDs(event, line)
    guard !hasNoNumber else {
      (content, document) = (line.digest(), Self.document(event, line))
      return
    }
    var sum = response ^ item
    event.members.each(in: line) { name, value in sum &+= Self.content(of: name, value) }
    content = sum
  }

  private static func document(
    _ event: borrowing Event, _ line: Span<UInt8>
  ) -> StaticString? {
    guard let type = event.type else {
      return event.isLogged(line) ? "a log" : event.typeName == nil ? "an untyped object" : nil
    }
    let isMade = type.family == .lifecycle || type.family == .outputItem
    return isMade && event.isSynthetic(line) ? "a whole response or item" : nil
  }

  /// What is reported of `document` where it is to be joined.
  static func fault(of document: StaticString) -> String {
    "\(document) is no part of a stream; cat joins such files"
  }

  private mutating func noteOwn(_ event: borrowing Event, _ line: Span<UInt8>) {
    lineNumber = Self.integer(event.value(of: "oresp", "n", in: line), line)
    isOwnError = event.isError && event.isSynthetic(line)
    run = Self.id(event.value(of: "oresp", "request", in: line), line)
    if run != 0 { tag = tag.mixed(with: run) }
  }

  private mutating func noteIDs(_ event: borrowing Event, _ line: Span<UInt8>) {
    response = Self.id(
      event.value(of: "response", "id", in: line) ?? event.value(of: "response_id", in: line), line)
    item = Self.id(
      event.value(of: "item_id", in: line) ?? event.value(of: "item", "id", in: line), line)
    if response != 0 {
      response = response.mixed(with: tag)
      createdAt = Self.integer(event.value(of: "response", "created_at", in: line), line)
    }
    if item != 0 { item = item.mixed(with: tag) }
  }

  /// What a member adds to what an event says: nothing for the toolkit's own, nor for padding,
  /// which a server draws anew for each copy.
  @inline(__always)
  private static func content(of name: Span<UInt8>, _ value: Span<UInt8>) -> UInt64 {
    if name.count == 5 && name.equals("oresp") || name.count == 11 && name.equals("obfuscation") {
      return 0
    }
    let first = value.byte(at: 0)
    let isContainer = first == ASCII.openBrace || first == ASCII.openBracket
    return name.digest().mixed(with: isContainer ? UInt64(value.count) : value.digest())
  }

  private static func integer(_ place: Range<Int>?, _ line: Span<UInt8>) -> Int? {
    place.flatMap { JSONNumber.integer(line.extracting($0)) }
  }

  /// The hash of an id at `place`, a string that is not empty.
  private static func id(_ place: Range<Int>?, _ line: Span<UInt8>) -> UInt64 {
    guard let place, place.count > 2, line[place.lowerBound] == ASCII.quote else { return 0 }
    return line.extracting(place).digest()
  }

  /// The items of the response that `line` holds, of the stream that has `tag`.
  static func items(ofResponseIn line: Span<UInt8>, tag: UInt64) -> [UInt64] {
    JSONChildren.elements(of: "response", "output", in: line).compactMap { place in
      let member = JSONChildren.value(of: "id", in: line.extracting(place))
      let item = id(member, line.extracting(place))
      return item == 0 ? nil : item.mixed(with: tag)
    }
  }
}

extension UInt64 {
  /// A hash of both; both halves of the product count, so that each bit moves many.
  @inline(__always)
  fileprivate func mixed(with other: UInt64) -> UInt64 {
    let product = (self ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: other | 1 << 63)
    return product.high ^ product.low
  }
}

extension Span<UInt8> {
  /// A hash of all bytes, which is not 0.
  fileprivate func digest() -> UInt64 {
    var hash = UInt64(count)
    var index = 0
    while index + 8 <= count {
      hash = hash.mixed(with: word(at: index))
      index += 8
    }
    var rest: UInt64 = 0
    while index < count {
      rest = rest << 8 | UInt64(self[index])
      index += 1
    }
    return hash.mixed(with: rest) | 1
  }
}
