/// Where the members of one object stand: its outermost ones, in the order in which they came.
///
/// A scan fills the same table for each event, so that no event costs an allocation. Objects have 2 to
/// 10 members as a rule; of one that has more than there is room for, those behind are found by a walk.
package struct Members: Sendable {
  /// A member: where its name, between its quotes, and its value begin and end.
  struct Entry: BitwiseCopyable, Sendable {
    var name: UInt32 = 0
    var nameCount: UInt32 = 0
    var value: UInt32 = 0
    var valueEnd: UInt32 = 0
  }

  private var entries: [Entry]
  private var count = 0
  /// A bit for each length of name that came, counted modulo 64.
  private var lengths: UInt64 = 0
  /// Whether the table does not say it all: a name is spelled with escapes, or there was no room.
  private var isPartial = false

  /// A table with room for as many members as events have.
  package init() { entries = Array(repeating: Entry(), count: 32) }

  /// A table for a walk whose members nobody asks for.
  static let unneeded = Members(room: 0)

  private init(room: Int) { entries = Array(repeating: Entry(), count: room) }

  /// The value of the first member of `line` called `name`; `nil` when there is none.
  @inline(__always)
  package func value(of name: StaticString, in line: Span<UInt8>) -> Range<Int>? {
    let length = name.utf8CodeUnitCount
    if !isPartial, lengths & 1 &<< UInt64(length & 63) == 0 { return nil }
    return search(name, UInt32(truncatingIfNeeded: length), in: line)
  }

  private func search(_ name: StaticString, _ length: UInt32, in line: Span<UInt8>) -> Range<Int>? {
    if isPartial { return JSONChildren.value(of: name, in: line) }
    for index in 0..<count where entries[index].nameCount == length {
      let entry = entries[index]
      if line.starts(with: name, at: Int(entry.name)) {
        return Int(entry.value)..<Int(entry.valueEnd)
      }
    }
    return nil
  }

  package mutating func removeAll() { (count, lengths, isPartial) = (0, 0, false) }

  /// Notes that a name has an escape in it, so that its bytes do not say what it is.
  mutating func noteEscapedName() { isPartial = true }

  @inline(__always)
  mutating func note(_ entry: Entry, endingAt end: Int) {
    guard count < entries.count else {
      isPartial = true
      return
    }
    entries[count] = entry
    entries[count].valueEnd = UInt32(truncatingIfNeeded: end)
    lengths |= 1 &<< UInt64(entry.nameCount & 63)
    count &+= 1
  }
}
