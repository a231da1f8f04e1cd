/// The places of the outermost members of one object, in the order in which they came, and of the
/// members of its `response`, `item` or `part`, which nearly every reader asks for.
///
/// A scan fills the same tables for each event, so that no event costs an allocation.
package struct Members: ~Copyable {
  /// A member: the start and length of its name, without quotes; the start and end of its value.
  struct Entry: BitwiseCopyable, Sendable {
    var name: UInt32 = 0
    var nameCount: UInt32 = 0
    var value: UInt32 = 0
    var valueEnd: UInt32 = 0
  }

  private let outer: MemberTable
  private let inner: MemberTable

  /// Tables with room for as many members as events have.
  package init() { self.init(room: 32, inner: 64) }

  private init(room: Int, inner innerRoom: Int) {
    outer = MemberTable(room: room)
    inner = MemberTable(room: innerRoom)
  }

  /// Tables for a walk that notes no members.
  static var none: Members { Members(room: 0, inner: 0) }

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

  /// Calls `body` with the name and the value of each member of the object at `object` in `line`.
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

  /// Notes that a name is spelled with an escape: every search then walks the object again.
  mutating func noteEscapedName(isInner: Bool) {
    if isInner { inner.notePartial() } else { outer.notePartial() }
  }

  /// Notes a member with its value.
  @inline(__always)
  mutating func note(_ entry: Entry, isInner: Bool) {
    if isInner { inner.note(entry) } else { outer.note(entry) }
  }

  /// Notes the name, and the start of the value, of a member that `end` ends.
  @inline(__always)
  mutating func begin(_ entry: Entry, isInner: Bool) {
    if isInner { inner.begin(entry) } else { outer.begin(entry) }
  }

  /// Ends the value of the member that has begun.
  @inline(__always)
  mutating func end(at end: Int, isInner: Bool) {
    if isInner { inner.end(at: end) } else { outer.end(at: end) }
  }

  /// Begins to note the members of the object that is the value of `entry`; false when they are not
  /// kept.
  mutating func beginInner(_ entry: Entry, in line: Span<UInt8>) -> Bool {
    let place = Int(entry.name)..<Int(entry.name) + Int(entry.nameCount)
    // If the start of the value was dropped, the bytes there may be anything.
    guard inner.start == 0, entry.value > 0, place.upperBound <= line.count else { return false }
    let name = line.extracting(place)
    let isKept = name.equals("response") || name.equals("item") || name.equals("part")
    if isKept { inner.start = Int(entry.value) }
    return isKept
  }
}

/// The places of the members of one object. Nearly all names of one object differ in length, so the
/// length finds a member.
///
/// It owns one piece of memory, in which its state, the places by length and the members follow
/// each other. With the state in fields of its own, `--usage` and `oresp-text` take 7 to 10 % more
/// time: an event that is handed on then has 20 words in place of two.
@safe struct MemberTable: ~Copyable {
  struct State {
    let room: Int
    var count = 0
    /// A bit for each length of a name, counted modulo 64, that came, and for each that came twice.
    var lengths: UInt64 = 0
    var repeated: UInt64 = 0
    /// The index where the object begins.
    var start = 0
    /// Whether the table lacks a member: a name is spelled with escapes, or there was no room.
    var isPartial = false
  }

  private let state: UnsafeMutablePointer<State>
  private static var placesOffset: Int { 64 }
  private static var entriesOffset: Int { 128 }

  /// The table without room, shared by all walks that note nothing. Nothing writes to it.
  nonisolated(unsafe) private static let none = unsafe memory(room: 0)

  init(room: Int) { unsafe state = room > 0 ? Self.memory(room: room) : Self.none }

  private static func memory(room: Int) -> UnsafeMutablePointer<State> {
    precondition(MemoryLayout<State>.size <= placesOffset)
    // One entry more, whose name is too long for any: it fits none (`notePartial`).
    let size = entriesOffset + (room + 1) * MemoryLayout<Members.Entry>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let last = unsafe memory + size - MemoryLayout<Members.Entry>.stride
    unsafe last.initializeMemory(as: Members.Entry.self, to: Members.Entry(nameCount: .max))
    return unsafe memory.initializeMemory(as: State.self, to: State(room: room))
  }

  deinit {
    if unsafe state.pointee.room > 0 { unsafe UnsafeMutableRawPointer(state).deallocate() }
  }

  /// The number of the first member with each length of a name, counted modulo 64.
  @inline(__always)
  private var ofLength: UnsafeMutablePointer<UInt8> {
    unsafe (UnsafeMutableRawPointer(state) + Self.placesOffset).assumingMemoryBound(to: UInt8.self)
  }

  @inline(__always)
  private var entries: UnsafeMutablePointer<Members.Entry> {
    unsafe (UnsafeMutableRawPointer(state) + Self.entriesOffset)
      .assumingMemoryBound(to: Members.Entry.self)
  }

  /// Notes that the table lacks a member. Each search then goes past the table to `search`, which
  /// walks the object: most lines need no look at `isPartial` for that.
  @inline(never)
  func notePartial() {
    unsafe state.pointee.isPartial = true
    unsafe state.pointee.lengths = .max
    unsafe state.pointee.repeated = .max
    for length in 0..<64 { unsafe ofLength[length] = UInt8(truncatingIfNeeded: state.pointee.room) }
  }

  var start: Int {
    @inline(__always) get { unsafe state.pointee.start }
    nonmutating set { unsafe state.pointee.start = newValue }
  }

  @inline(__always)
  func value(of name: StaticString, in line: Span<UInt8>) -> Range<Int>? {
    let length = name.utf8CodeUnitCount & 63
    let bit: UInt64 = 1 &<< UInt64(length)
    if unsafe state.pointee.lengths & bit == 0 { return nil }
    let index = unsafe Int(ofLength[length])
    if unsafe isEntry(entries[index], name, in: line) { return value(at: index) }
    return unsafe state.pointee.repeated & bit == 0 ? nil : search(name, in: line, behind: index)
  }

  @inline(__always)
  private func value(at index: Int) -> Range<Int> {
    let entry = unsafe entries[index]
    return Int(entry.value)..<Int(entry.valueEnd)
  }

  func each(in line: Span<UInt8>, _ body: (Span<UInt8>, Span<UInt8>) -> Void) {
    if unsafe state.pointee.isPartial { return Self.walk(line, from: start, body) }
    for index in unsafe 0..<state.pointee.count {
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
  private func search(
    _ name: StaticString, in line: Span<UInt8>, behind first: Int
  ) -> Range<Int>? {
    if unsafe state.pointee.isPartial {
      return JSONChildren.value(of: name, in: line, at: start)
    }
    var index = first + 1
    while unsafe index < state.pointee.count {
      if unsafe isEntry(entries[index], name, in: line) { return value(at: index) }
      index += 1
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
  func removeAll() { unsafe state.pointee = State(room: state.pointee.room) }

  /// Notes a member with its value.
  @inline(__always)
  func note(_ entry: Members.Entry) {
    let count = unsafe state.pointee.count
    guard unsafe count < state.pointee.room else { return notePartial() }
    unsafe entries[count] = entry
    noteLength(entry.nameCount, of: count)
  }

  @inline(__always)
  func begin(_ entry: Members.Entry) {
    let count = unsafe state.pointee.count
    guard unsafe count < state.pointee.room else { return }
    unsafe entries[count] = entry
  }

  @inline(__always)
  func end(at end: Int) {
    let count = unsafe state.pointee.count
    guard unsafe count < state.pointee.room else { return notePartial() }
    unsafe entries[count].valueEnd = UInt32(truncatingIfNeeded: end)
    noteLength(unsafe entries[count].nameCount, of: count)
  }

  /// Notes the length of the name of the member numbered `count`, which is the last.
  @inline(__always)
  private func noteLength(_ nameCount: UInt32, of count: Int) {
    let length = UInt64(nameCount & 63)
    let bit: UInt64 = 1 &<< length
    if unsafe state.pointee.lengths & bit == 0 {
      unsafe state.pointee.lengths |= bit
      unsafe ofLength[Int(length)] = UInt8(truncatingIfNeeded: count)
    } else {
      unsafe state.pointee.repeated |= bit
    }
    unsafe state.pointee.count = count &+ 1
  }
}
