/// The places of the members of one object: of its outermost ones, in the order in which they came,
/// and of those of its `response`, `item` or `part`, which nearly every reader asks for.
///
/// A scan fills the same tables for each event, so that no event costs an allocation.
package struct Members: ~Copyable {
  /// A member: where its name, between its quotes, and its value begin and end.
  struct Entry: BitwiseCopyable, Sendable {
    var name: UInt32 = 0
    var nameCount: UInt32 = 0
    var value: UInt32 = 0
    var valueEnd: UInt32 = 0
  }

  private var outer: MemberTable
  private var inner: MemberTable

  /// Tables with room for as many members as events have.
  package init() { self.init(room: 32, inner: 64) }

  private init(room: Int, inner innerRoom: Int) {
    outer = MemberTable(room: room)
    inner = MemberTable(room: innerRoom)
  }

  /// Tables for a walk whose members nobody asks for.
  static var unneeded: Members { Members(room: 0, inner: 0) }

  /// The value of the first member of `line` called `name`; `nil` when there is none.
  @inline(__always)
  package func value(of name: StaticString, in line: Span<UInt8>) -> Range<Int>? {
    outer.value(of: name, in: line)
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
    object.lowerBound == inner.start
      ? inner.value(of: name, in: line)
      : JSONChildren.value(of: name, in: line, at: object.lowerBound)
  }

  /// Calls `body` with the name, as it is spelled, and the value of each member of `line`.
  package func each(in line: Span<UInt8>, _ body: (Span<UInt8>, Span<UInt8>) -> Void) {
    outer.each(in: line, body)
  }

  /// The same of the object at `object` in `line`.
  package func each(
    inside object: Range<Int>, of line: Span<UInt8>, _ body: (Span<UInt8>, Span<UInt8>) -> Void
  ) {
    if object.lowerBound == inner.start { return inner.each(in: line, body) }
    MemberTable.walk(line, from: object.lowerBound, body)
  }

  package mutating func removeAll() {
    outer.removeAll()
    if inner.start != 0 { inner.removeAll() }
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
    guard inner.start == 0, entry.value > 0, place.upperBound <= line.count else { return false }
    let name = line.extracting(place)
    let isKept = name.equals("response") || name.equals("item") || name.equals("part")
    if isKept { inner.start = Int(entry.value) }
    return isKept
  }
}

/// The places of the members of one object. Nearly all names of one object differ in length, so the
/// length finds a member.
@safe private struct MemberTable: ~Copyable {
  /// Where the object begins.
  var start = 0
  /// Whether the table lacks a member: a name is spelled with escapes, or there was no room.
  var isPartial = false
  private var count = 0
  /// A bit for each length of a name, counted modulo 64, that came, and for each that came again.
  private var (lengths, repeated) = (UInt64(0), UInt64(0))
  private let entries: UnsafeMutableBufferPointer<Members.Entry>
  /// The member that came last of each length of a name, counted modulo 64.
  private let ofLength: UnsafeMutableBufferPointer<UInt8>

  /// Without room it allocates nothing.
  init(room: Int) {
    unsafe (entries, ofLength) = (.allocate(capacity: room), .allocate(capacity: room > 0 ? 64 : 0))
    unsafe entries.initialize(repeating: Members.Entry())
    unsafe ofLength.initialize(repeating: 0)
  }

  deinit {
    unsafe entries.deallocate()
    unsafe ofLength.deallocate()
  }

  @inline(__always)
  func value(of name: StaticString, in line: Span<UInt8>) -> Range<Int>? {
    if isPartial { return JSONChildren.value(of: name, in: line, at: start) }
    let length = name.utf8CodeUnitCount & 63
    let bit: UInt64 = 1 &<< UInt64(length)
    if lengths & bit == 0 { return nil }
    if repeated & bit != 0 { return search(name, in: line) }
    let entry = unsafe entries[Int(ofLength[length])]
    return isEntry(entry, name, in: line) ? Int(entry.value)..<Int(entry.valueEnd) : nil
  }

  func each(in line: Span<UInt8>, _ body: (Span<UInt8>, Span<UInt8>) -> Void) {
    if isPartial { return Self.walk(line, from: start, body) }
    for index in 0..<count {
      let entry = unsafe entries[index]
      let name = Int(entry.name)..<Int(entry.name) + Int(entry.nameCount)
      body(line.extracting(name), line.extracting(Int(entry.value)..<Int(entry.valueEnd)))
    }
  }

  /// Calls `body` with the name and the value of each member of the object at `start` in `line`.
  static func walk(
    _ line: Span<UInt8>, from start: Int, _ body: (Span<UInt8>, Span<UInt8>) -> Void
  ) {
    var members = JSONChildren(at: start)
    while let member = members.next(in: line) {
      body(line.extracting(member.name), line.extracting(member.value))
    }
  }

  @inline(never)
  private func search(_ name: StaticString, in line: Span<UInt8>) -> Range<Int>? {
    for index in 0..<count {
      let entry = unsafe entries[index]
      if isEntry(entry, name, in: line) { return Int(entry.value)..<Int(entry.valueEnd) }
    }
    return nil
  }

  @inline(__always)
  private func isEntry(
    _ entry: Members.Entry, _ name: StaticString, in line: Span<UInt8>
  ) -> Bool {
    entry.nameCount == name.utf8CodeUnitCount && line.starts(with: name, at: Int(entry.name))
  }

  @inline(__always)
  mutating func removeAll() {
    (start, isPartial, count, lengths, repeated) = (0, false, 0, 0, 0)
  }

  @inline(__always)
  mutating func note(_ entry: Members.Entry, endingAt end: Int) {
    guard unsafe count < entries.count else {
      isPartial = true
      return
    }
    unsafe entries[count] = entry
    unsafe entries[count].valueEnd = UInt32(truncatingIfNeeded: end)
    let length = UInt64(entry.nameCount & 63)
    repeated |= lengths & 1 &<< length
    lengths |= 1 &<< length
    unsafe ofLength[Int(length)] = UInt8(truncatingIfNeeded: count)
    count &+= 1
  }
}
