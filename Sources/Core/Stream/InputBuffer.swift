/// The bytes that were read and not yet used. Decoders take from its front; what they leave, the
/// start of something unfinished, stays until more has been read behind it.
///
/// A range into `bytes` holds until the next `fill` or `append`.
package struct InputBuffer: ~Copyable {
  /// How many bytes one read asks for: 256 KiB moves a file as fast as any larger size.
  package static let readSize = 256 << 10

  /// How much of a store that grew with a large event is kept for the next: streams with pictures
  /// of a megabyte cost a third of their time when it is given back each time.
  package static let keptSize = 4 << 20

  /// The storage; only `start..<end` has meaning.
  package private(set) var bytes: [UInt8]
  /// Where the first unused byte stands.
  package var start = 0
  /// Where the bytes that were read end.
  package private(set) var end = 0
  /// From which place of the whole input on bytes stay although they are used, for somebody who
  /// needs them later; `nil` where nobody does.
  package var kept: Int?
  /// How many bytes of the input were moved out before `bytes[0]`.
  private var moved = 0

  package init() { bytes = [] }

  /// How many bytes are unused.
  package var count: Int { end - start }

  /// The length of the byte order mark, or of its start, at the first unused byte; 3 if it is whole.
  var markLength: Int {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return zip(mark, bytes[start..<end]).prefix { $0 == $1 }.count
  }

  /// The place of `index` in the whole input, counted in bytes from 0.
  package func offset(of index: Int) -> Int { moved + index }

  /// Makes room behind the unused bytes, at least a read's worth, and lets `read` fill it: it is
  /// given the storage and where the room starts, and returns how many bytes it wrote there.
  package mutating func fill<Failed: Error>(
    _ read: (inout MutableSpan<UInt8>, Int) throws(Failed) -> Int
  ) throws(Failed) -> Int {
    makeRoom(for: Self.readSize)
    let free = end
    var storage = bytes.mutableSpan
    let count = try read(&storage, free)
    end += min(max(count, 0), bytes.count - end)
    return count
  }

  /// Appends `chunk`, as a read of it would have.
  package mutating func append(_ chunk: Span<UInt8>) {
    makeRoom(for: chunk.count)
    bytes.overwrite(at: end, with: chunk)
    end += chunk.count
  }

  /// The unused bytes, which are moved out where that needs no copy; the buffer is empty then.
  package mutating func takeAll() -> [UInt8] {
    var all: [UInt8] = []
    swap(&all, &bytes)
    all.removeLast(all.count - end)
    all.removeFirst(start)
    (moved, start, end) = (moved + end, 0, 0)
    return all
  }

  /// Drops all bytes and starts a new input at offset 0.
  package mutating func reset() {
    (start, end, moved) = (0, 0, 0)
  }

  /// Where the first byte stands that is unused or kept.
  private var front: Int { kept.map { min(start, $0 - moved) } ?? start }

  /// Moves the bytes that are unused or kept to the front, and grows by doubling when they leave
  /// too little room: what comes in small reads behind the start of something unfinished is not
  /// copied for each.
  private mutating func makeRoom(for room: Int) {
    let front = front
    if front == end {
      (moved, start, end) = (moved + end, 0, 0)
    } else if front > 0, bytes.count - end < room {
      bytes.moveToFront(front..<end)
      (moved, start, end) = (moved + front, start - front, end - front)
    }
    guard bytes.count - end < room else { return }
    let size = end == 0 ? room : max(end + room, 2 * max(end, room))
    // Not appended to: without the optimiser that takes a hundred times as long. What is not
    // written yet is not touched, which is a third of the page faults of an empty run; nobody reads
    // it.
    var larger = unsafe [UInt8](unsafeUninitializedCapacity: size) { $1 = size }
    larger.overwrite(at: 0, with: bytes.span.extracting(0..<end))
    bytes = larger
  }
}
