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
  /// A hash of what it says, whatever the order of its members: of an object in it, how long that is.
  /// Without a number, a hash of all its bytes.
  private(set) var content: UInt64 = 0

  init() {}

  init(_ event: Event, _ line: Span<UInt8>) {
    let isAboutResponse = event.type?.family == .lifecycle
    isBeginning = isAboutResponse && event.type?.phase == .start
    isEnd = isAboutResponse && event.type?.phase == .terminal
    var members = JSONChildren()
    while let member = members.next(in: line) {
      note(line.extracting(member.name), line.extracting(member.value))
    }
    isOwnError = isOwnError && event.isError
    if run != 0 { tag = tag.mixed(with: run) }
    if response != 0 { response = response.mixed(with: tag) }
    if item != 0 { item = item.mixed(with: tag) }
    content = sequenceNumber ?? lineNumber == nil ? line.digest() : content ^ response ^ item
  }

  private mutating func note(_ name: Span<UInt8>, _ value: Span<UInt8>) {
    switch name.count {
    case 4 where name.equals("item"): item = Self.id("id", in: value)
    case 5 where name.equals("oresp"): return noteOwn(value)
    case 7 where name.equals("item_id"): item = value.digest()
    case 8 where name.equals("response"):
      response = Self.id("id", in: value)
      createdAt = JSONChildren.integer(of: "created_at", in: value)
    case 9 where name.equals("stream_id"): tag = tag.mixed(with: value.digest())
    case 11 where name.equals("response_id") && value.byte(at: 0) == ASCII.quote:
      response = value.digest()
    // Padding, which a server draws anew for each copy.
    case 11 where name.equals("obfuscation"): return
    case 15 where name.equals("sequence_number"):
      sequenceNumber = sequenceNumber ?? JSONNumber.integer(value)
    default: break
    }
    let first = value.byte(at: 0)
    let isContainer = first == ASCII.openBrace || first == ASCII.openBracket
    content &+= name.digest().mixed(with: isContainer ? UInt64(value.count) : value.digest())
  }

  private mutating func noteOwn(_ value: Span<UInt8>) {
    lineNumber = JSONChildren.integer(of: "n", in: value)
    isOwnError = JSONChildren.value(of: "synthetic", in: value) != nil
    run = Self.id("request", in: value)
  }

  /// The items of the response that `line` holds, of the stream that has `tag`.
  static func items(ofResponseIn line: Span<UInt8>, tag: UInt64) -> [UInt64] {
    JSONChildren.elements(of: "response", "output", in: line).compactMap { place in
      let item = id("id", in: line.extracting(place))
      return item == 0 ? nil : item.mixed(with: tag)
    }
  }

  private static func id(_ name: StaticString, in object: Span<UInt8>) -> UInt64 {
    guard let place = JSONChildren.value(of: name, in: object), place.count > 2,
      object[place.lowerBound] == ASCII.quote
    else { return 0 }
    return object.extracting(place).digest()
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
