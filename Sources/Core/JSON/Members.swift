/// Where the members of one object stand: its outermost ones, in the order in which they came, and
/// those of its `response`, `item` or `part`, which nearly everybody asks for.
///
/// A scan fills the same tables for each event, so that no event costs an allocation.
package struct Members: Sendable {
  /// A member: where its name, between its quotes, and its value begin and end.
  struct Entry: BitwiseCopyable, Sendable {
    var name: UInt32 = 0
    var nameCount: UInt32 = 0
    var value: UInt32 = 0
    var valueEnd: UInt32 = 0
  }

  private var outer: MemberTable
  private var inner: MemberTable
  /// Where the object begins whose members `inner` has; 0 when there is none.
  private var innerStart = 0

  /// Tables with room for as many members as events have.
  package init() { (outer, inner) = (MemberTable(room: 32), MemberTable(room: 64)) }

  private init(room: Int) { (outer, inner) = (MemberTable(room: room), MemberTable(room: room)) }

  /// Tables for a walk whose members nobody asks for.
  static var unneeded: Members { Members(room: 0) }

  /// The value of the first member of `line` called `name`; `nil` when there is none.
  @inline(__always)
  package func value(of name: StaticString, in line: Span<UInt8>) -> Range<Int>? {
    if outer.isPartial { return JSONChildren.value(of: name, in: line) }
    return outer.value(of: name, in: line)
  }

  /// The value of the first member called `name` of the object `owner`, a member of `line`.
  @inline(__always)
  package func value(
    of owner: StaticString, _ name: StaticString, in line: Span<UInt8>
  ) -> Range<Int>? {
    guard let object = value(of: owner, in: line) else { return nil }
    return value(of: name, inside: object, of: line)
  }

  /// The value of the first member called `name` of the object at `object` in `line`.
  package func value(
    of name: StaticString, inside object: Range<Int>, of line: Span<UInt8>
  ) -> Range<Int>? {
    if object.lowerBound == innerStart, !inner.isPartial { return inner.value(of: name, in: line) }
    return JSONChildren.value(of: name, in: line.extracting(object)).map {
      $0.lowerBound + object.lowerBound..<$0.upperBound + object.lowerBound
    }
  }

  /// Calls `body` with the name, as it is spelled, and the value of each member of `line`.
  package func each(in line: Span<UInt8>, _ body: (Span<UInt8>, Span<UInt8>) -> Void) {
    if outer.isPartial { Self.walk(line, body) } else { outer.each(in: line, body) }
  }

  /// The same of the object at `object` in `line`.
  package func each(
    inside object: Range<Int>, of line: Span<UInt8>, _ body: (Span<UInt8>, Span<UInt8>) -> Void
  ) {
    if object.lowerBound == innerStart, !inner.isPartial { return inner.each(in: line, body) }
    Self.walk(line.extracting(object), body)
  }

  private static func walk(_ object: Span<UInt8>, _ body: (Span<UInt8>, Span<UInt8>) -> Void) {
    var members = JSONChildren()
    while let member = members.next(in: object) {
      body(object.extracting(member.name), object.extracting(member.value))
    }
  }

  package mutating func removeAll() {
    outer.removeAll()
    if innerStart != 0 {
      inner.removeAll()
      innerStart = 0
    }
  }

  /// Notes that a name has an escape in it, so that its bytes do not say what it is.
  mutating func noteEscapedName(isInner: Bool) {
    if isInner { inner.isPartial = true } else { outer.isPartial = true }
  }

  @inline(__always)
  mutating func note(_ entry: Entry, endingAt end: Int) { outer.note(entry, endingAt: end) }

  mutating func noteInner(_ entry: Entry, endingAt end: Int) { inner.note(entry, endingAt: end) }

  /// Begins to note the members of the object that is the value of `entry`; false when they are not
  /// kept.
  mutating func beginInner(_ entry: Entry, in line: Span<UInt8>) -> Bool {
    let place = Int(entry.name)..<Int(entry.name) + Int(entry.nameCount)
    // Of a value whose beginning was dropped they may say anything.
    guard innerStart == 0, entry.value > 0, place.upperBound <= line.count else { return false }
    let name = line.extracting(place)
    let isKept = name.equals("response") || name.equals("item") || name.equals("part")
    if isKept { innerStart = Int(entry.value) }
    return isKept
  }
}

/// Where the members of one object stand. The names of one object nearly all differ in length, so the
/// length finds a member.
struct MemberTable: Sendable {
  private var entries: [Members.Entry] = []
  private var count = 0
  /// The member that came last of each length of name, counted modulo 64.
  private var ofLength: [UInt8] = []
  /// A bit for each such length that came, and for each that came more than once.
  private var (lengths, repeated): (UInt64, UInt64) = (0, 0)
  /// Whether the table does not say it all: a name is spelled with escapes, or there was no room.
  var isPartial = false

  init(room: Int) {
    guard room > 0 else { return }
    entries = Array(repeating: Members.Entry(), count: room)
    ofLength = Array(repeating: 0, count: 64)
  }

  @inline(__always)
  func value(of name: StaticString, in line: Span<UInt8>) -> Range<Int>? {
    let length = name.utf8CodeUnitCount & 63
    let bit: UInt64 = 1 &<< UInt64(length)
    if lengths & bit == 0 { return nil }
    if repeated & bit != 0 { return search(name, in: line) }
    let entry = entries[Int(ofLength[length])]
    guard entry.nameCount == name.utf8CodeUnitCount, line.starts(with: name, at: Int(entry.name))
    else { return nil }
    return Int(entry.value)..<Int(entry.valueEnd)
  }

  func each(in line: Span<UInt8>, _ body: (Span<UInt8>, Span<UInt8>) -> Void) {
    for entry in entries.prefix(count) {
      let name = Int(entry.name)..<Int(entry.name) + Int(entry.nameCount)
      body(line.extracting(name), line.extracting(Int(entry.value)..<Int(entry.valueEnd)))
    }
  }

  @inline(never)
  private func search(_ name: StaticString, in line: Span<UInt8>) -> Range<Int>? {
    for index in 0..<count where entries[index].nameCount == name.utf8CodeUnitCount {
      let entry = entries[index]
      if line.starts(with: name, at: Int(entry.name)) {
        return Int(entry.value)..<Int(entry.valueEnd)
      }
    }
    return nil
  }

  @inline(__always)
  mutating func removeAll() { (count, lengths, repeated, isPartial) = (0, 0, 0, false) }

  @inline(__always)
  mutating func note(_ entry: Members.Entry, endingAt end: Int) {
    guard count < entries.count else {
      isPartial = true
      return
    }
    entries[count] = entry
    entries[count].valueEnd = UInt32(truncatingIfNeeded: end)
    let length = UInt64(entry.nameCount & 63)
    repeated |= lengths & 1 &<< length
    lengths |= 1 &<< length
    ofLength[Int(length)] = UInt8(truncatingIfNeeded: count)
    count &+= 1
  }
}
