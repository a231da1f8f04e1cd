import CScan

extension Span<UInt8> {
  /// The index of the first `byte` at or after `start`; `nil` when there is none.
  package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    unsafe withUnsafeBufferPointer { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let hit = unsafe memchr(base + start, Int32(byte), bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(hit) - UnsafeRawPointer(base)
    }
  }

  /// The length of the byte order mark, or of its start, at the front; 3 for a whole one.
  package var byteOrderMarkLength: Int {
    let mark: InlineArray<3, UInt8> = [0xEF, 0xBB, 0xBF]
    return mark.indices.first { byte(at: $0) != mark[$0] } ?? 3
  }

  /// The column behind the bytes of a line in UTF-8, from 1. Each character has one byte that does
  /// not continue another.
  package var nextColumn: Int { indices.count { self[$0] & 0xC0 != 0x80 } + 1 }

  /// The byte at `index`; NUL, which stands in no token of JSON, where there is none.
  @inline(__always)
  package func byte(at index: Int) -> UInt8 {
    // One comparison, where a subscript behind one makes three.
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return 0 }
    return unsafe self[unchecked: index]
  }

  /// The result of `find` for the start of the bytes, the index to begin at and their count.
  @inline(__always)
  private func search(from start: Int, _ find: (UnsafePointer<UInt8>?, Int, Int) -> Int) -> Int {
    precondition(start >= 0)
    return unsafe withUnsafeBufferPointer { unsafe find($0.baseAddress, start, $0.count) }
  }

  /// The index of the first byte at or after `start` that ends or breaks a run inside a JSON
  /// string: a quote, a backslash, or a control character; `count` when there is none.
  @inline(__always)
  package func endOfStringRun(from start: Int) -> Int {
    unsafe search(from: start, cscan_string_run)
  }

  /// The same for a run of ASCII: a byte above 0x7F breaks it, too.
  @inline(__always)
  package func endOfASCIIStringRun(from start: Int) -> Int {
    unsafe search(from: start, cscan_ascii_string_run)
  }

  /// The index of the first LF or CR at or after `start`; `count` when there is none.
  @inline(__always)
  package func endOfLine(from start: Int) -> Int { unsafe search(from: start, cscan_line) }

  /// The index of the first byte at or after `start` above 0x7F; `count` when there is none.
  @inline(__always)
  package func endOfASCIIRun(from start: Int) -> Int { unsafe search(from: start, cscan_ascii_run) }

  /// The index of the first byte at or after `start` that is no printable ASCII: a control
  /// character or above 0x7E; `count` when there is none.
  @inline(__always)
  package func endOfPrintableRun(from start: Int) -> Int {
    unsafe search(from: start, cscan_printable_run)
  }

  /// The eight bytes from `index` on, which must be there.
  package func word(at index: Int) -> UInt64 {
    precondition(index >= 0 && index + 8 <= count)
    return unsafe withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }
  }

  /// Whether the bytes are exactly the bytes of `text`.
  @inline(__always)
  package func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && starts(with: text)
  }

  /// Whether `other` has the same bytes. Most are ids: a call of memcmp would take longer than to
  /// compare them here.
  @inline(__always)
  package func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBytes { own in
      unsafe other.withUnsafeBytes { other in
        var index = 0
        guard own.count >= 8 else {
          while index < own.count {
            guard unsafe own[index] == other[index] else { return false }
            index += 1
          }
          return true
        }
        let last = own.count - 8
        while index < last {
          let word = unsafe own.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          guard unsafe word == other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          else { return false }
          index += 8
        }
        // Some of the last eight may be in the word before.
        return unsafe own.loadUnaligned(fromByteOffset: last, as: UInt64.self)
          == other.loadUnaligned(fromByteOffset: last, as: UInt64.self)
      }
    }
  }

  /// Whether the bytes of `text` stand at `start`.
  @inline(__always)
  package func starts(with text: StaticString, at start: Int = 0) -> Bool {
    unsafe starts(with: text.utf8Start, text.utf8CodeUnitCount, at: start)
  }

  /// Whether the bytes of `other` stand at `start`.
  @inline(__always)
  package func starts(with other: Span<UInt8>, at start: Int) -> Bool {
    unsafe other.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { return 0...count ~= start }
      return unsafe starts(with: base, $0.count, at: start)
    }
  }

  @inline(__always)
  private func starts(with other: UnsafePointer<UInt8>, _ length: Int, at start: Int) -> Bool {
    guard start >= 0, count - start >= length else { return false }
    // Bytes that are there have an address.
    return unsafe length == 0
      || withUnsafeBufferPointer {
        unsafe memcmp($0.baseAddress.unsafelyUnwrapped + start, other, length) == 0
      }
  }

  /// The range of the bytes without the white space around them.
  package func trimmed(_ isSpace: (UInt8) -> Bool = ASCII.isSpace) -> Range<Int> {
    var start = 0
    var end = count
    while end > 0, isSpace(self[end - 1]) { end -= 1 }
    while start < end, isSpace(self[start]) { start += 1 }
    return start..<end
  }

  /// A copy without LF and CR. Of a JSON text it is the same text on one line: line ends stand only
  /// between its tokens.
  package var withoutLineEnds: [UInt8] {
    var joined = [UInt8](copying: self)
    joined.removeLineEnds()
    return joined
  }
}

extension [UInt8] {
  /// Appends the bytes of `span`.
  package mutating func append(copying span: Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the UTF-8 of `text`.
  package mutating func append(_ text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends the UTF-8 of `text`.
  package mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  /// A copy of the bytes of `span`.
  package init(copying span: Span<UInt8>) {
    self = unsafe span.withUnsafeBufferPointer { unsafe [UInt8]($0) }
  }

  /// Becomes a copy of the bytes of `span`, unless it is one.
  mutating func set(to span: Span<UInt8>) {
    if !span.equals(self.span) { self = [UInt8](copying: span) }
  }

  /// Copies the bytes of `range` to the front, or to `start`; the count stays.
  package mutating func moveToFront(_ range: Range<Int>, at start: Int = 0) {
    precondition(0...range.lowerBound ~= start && range.upperBound <= count)
    unsafe withUnsafeMutableBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe memmove(base + start, base + range.lowerBound, range.count)
    }
  }

  /// Removes each LF and CR, without a second copy of the bytes.
  package mutating func removeLineEnds() {
    var kept = span.endOfLine(from: 0)
    var start = kept + 1
    while start < count {
      let end = span.endOfLine(from: start)
      moveToFront(start..<end, at: kept)
      kept += end - start
      start = end + 1
    }
    removeLast(count - kept)
  }

  /// Overwrites the bytes from `start` on with the run inside a JSON string that goes on at `index`
  /// in `span` (`endOfStringRun`), as far as there is room; bytes behind it may be overwritten.
  /// Returns the length of the run.
  mutating func overwrite(
    at start: Int, withStringRunOf span: Span<UInt8>, from index: Int
  ) -> Int {
    precondition(0...count ~= start && 0...span.count ~= index)
    return unsafe withUnsafeMutableBufferPointer { bytes in
      unsafe span.withUnsafeBufferPointer { source in
        guard let base = bytes.baseAddress, let from = source.baseAddress else { return 0 }
        return unsafe cscan_copy_run(
          base + start, bytes.count - start, from + index, source.count - index)
      }
    }
  }

  /// Overwrites the bytes from `start` on with the bytes of `span`, which must fit.
  package mutating func overwrite(at start: Int, with span: Span<UInt8>) {
    precondition(start >= 0 && span.count <= count - start)
    unsafe withUnsafeMutableBufferPointer { bytes in
      unsafe span.withUnsafeBufferPointer { source in
        guard let base = bytes.baseAddress, let from = source.baseAddress else { return }
        unsafe memmove(base + start, from, source.count)
      }
    }
  }
}

extension String {
  /// The text of `span`, with U+FFFD for bytes that are not UTF-8.
  package init(decoding span: Span<UInt8>) {
    self = unsafe span.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
