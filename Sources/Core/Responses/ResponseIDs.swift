/// Ids, each with the owner that it named last: a response, an item of one, or a lane.
struct ResponseIDs<Owner> {
  /// The kind of an id, and the lane in which it stands.
  enum Space {
    case responses(Int)
    case items(Int)
    /// A tag, or a tag with a stream, of which each has a lane.
    case tags, streams

    fileprivate var key: Int {
      switch self {
      case .responses(let lane): 2 * lane
      case .items(let lane): 2 * lane + 1
      case .tags: -1
      case .streams: -2
      }
    }
  }

  private var table = TextTable<Owner>()

  /// Whether a new id needs room, which `keep` makes.
  var isFull: Bool { table.isFull }

  /// The owner of `text`.
  func owner(of text: Span<UInt8>, _ space: Space) -> Owner? {
    // A closure would copy the table, for each id.
    guard let index = table.find(text, in: space.key) else { return nil }
    return table[index]
  }

  /// The owner of the id at `value` in `line`; `nil` when there is none, or it is no string.
  func owner(of value: Range<Int>?, in line: Span<UInt8>, _ space: Space) -> Owner? {
    guard let inside = Self.inside(value, line) else { return nil }
    let text = line.extracting(inside)
    if text.firstIndex(of: ASCII.backslash) == nil { return owner(of: text, space) }
    return owner(of: JSONString.decoded(inside: text).span, space)
  }

  /// The index of the id at `value` in `line`, until the next `keep`; `nil` for an id that is not
  /// there, or has a backslash.
  func index(of value: Range<Int>, in line: Span<UInt8>, _ space: Space) -> Int? {
    guard let inside = Self.inside(value, line) else { return nil }
    let text = line.extracting(inside)
    return text.firstIndex(of: ASCII.backslash) == nil ? table.find(text, in: space.key) : nil
  }

  /// Whether the value in `line` is the id at `index`, spelled without escapes.
  @inline(__always)
  func isSpelled(_ index: Int, at value: Range<Int>, in line: Span<UInt8>) -> Bool {
    Self.inside(value, line).map { table.text(at: index, equals: line.extracting($0)) } ?? false
  }

  /// The range between the quotes of the value in `line`; `nil` when it is no string.
  @inline(__always)
  private static func inside(_ value: Range<Int>?, _ line: Span<UInt8>) -> Range<Int>? {
    guard let value, value.count >= 2, line[value.lowerBound] == ASCII.quote else { return nil }
    return value.lowerBound + 1..<value.upperBound - 1
  }

  /// Gives `text` to `owner`, and returns the owner before.
  @discardableResult
  mutating func give(_ text: Span<UInt8>, _ space: Space, to owner: Owner) -> Owner? {
    if let known = table.find(text, in: space.key) {
      let former = table[known]
      table[known] = owner
      return former
    }
    table.add(text, in: space.key, owner)
    return nil
  }

  /// Gives the id at `value` in `line` to `owner`, and returns the owner before.
  @discardableResult
  mutating func give(
    _ value: Range<Int>?, in line: Span<UInt8>, _ space: Space, to owner: Owner
  ) -> Owner? {
    guard let value, line[value.lowerBound] == ASCII.quote else { return nil }
    return JSONString.withText(of: line.extracting(value)) { give($0, space, to: owner) }
  }

  /// Forgets the ids whose owners `isKept` does not accept.
  mutating func keep(where isKept: (Owner) -> Bool) { table.keep { _, owner in isKept(owner) } }
}
