/// The bytes that were read and not yet used. Decoders use them from the front; the start of
/// something unfinished stays until more has been read behind it.
///
/// A range into `bytes` holds until the next `fill` or `append`.
package struct InputBuffer: ~Copyable {
  /// The bytes that one read asks for: 256 KiB moves a file as fast as any larger size.
  package static let readSize = 256 << 10

  /// The largest storage, in bytes, that is kept for the next event: a stream with pictures of a
  /// megabyte takes a third longer when storage is freed each time.
  package static let keptSize = 4 << 20

  /// The storage; only `start..<end` has meaning.
  package private(set) var bytes: [UInt8]
  /// The index of the first unused byte.
  package var start = 0
  /// The index behind the last byte that was read.
  package private(set) var end = 0
  /// The offset in the whole input of the first used byte to keep for a later reader; `nil` to keep
  /// none.
  package var kept: Int?
  /// The offset of `bytes[0]` in the whole input.
  private var moved = 0

  package init() { bytes = [] }

  /// The number of unused bytes.
  package var count: Int { end - start }

  /// The length of the byte order mark, or of its start, at the first unused byte; 3 for a whole
  /// one.
  var markLength: Int { markLength(at: start) }

  /// The same at `index`.
  func markLength(at index: Int) -> Int { bytes.span.extracting(index..<end).byteOrderMarkLength }

  /// The offset of `index` in the whole input, in bytes from 0.
  package func offset(of index: Int) -> Int { moved + index }

  /// Makes room behind the unused bytes, at least a read's worth, for `read` to fill: it gets the
  /// storage and the start of the room, and returns the number of bytes that it wrote.
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

  /// Appends `chunk`, as a read of it would.
  package mutating func append(_ chunk: Span<UInt8>) {
    makeRoom(for: chunk.count)
    bytes.overwrite(at: end, with: chunk)
    end += chunk.count
  }

  /// Returns the unused bytes, without a copy where that is possible, and empties the buffer.
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

  /// The index of the first byte that is unused or kept.
  private var front: Int { kept.map { min(start, $0 - moved) } ?? start }

  /// Moves the bytes that are unused or kept to the front, and grows by doubling when they leave
  /// too little room: small reads behind the start of something unfinished do not each copy it.
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
    // Without the optimiser, appending takes a hundred times as long. Room that nobody writes stays
    // untouched memory: an empty run has a third fewer page faults.
    var larger = unsafe [UInt8](unsafeUninitializedCapacity: size) { $1 = size }
    larger.overwrite(at: 0, with: bytes.span.extracting(0..<end))
    bytes = larger
  }
}
