/// Bytes that stand in the input as long as it does not move, and in a copy from then on.
package struct HeldBytes: ~Copyable {
  /// Where the bytes stand in the input; `nil` when they are in `copy`.
  package private(set) var range: Range<Int>? = 0..<0
  /// The bytes, when they do not stand in the input.
  package private(set) var copy: [UInt8] = []

  package init() {}

  package var count: Int { range?.count ?? copy.count }

  package mutating func clear() {
    range = 0..<0
    if copy.isEmpty { return }
    // A copy that grew with one huge event does not stay.
    if copy.capacity > InputBuffer.keptSize { copy = [] }
    copy.removeAll(keepingCapacity: true)
  }

  package mutating func set(_ newRange: Range<Int>) {
    clear()
    range = newRange
  }

  /// Appends a line: an LF, then the bytes of `line`.
  package mutating func append(line: Range<Int>, of input: borrowing InputBuffer) {
    keep(from: input)
    copy.append(ASCII.lf)
    copy.append(copying: input.bytes.span.extracting(line))
  }

  /// Copies the bytes, because the input is about to move.
  package mutating func keep(from input: borrowing InputBuffer) {
    guard let held = range else { return }
    copy.append(copying: input.bytes.span.extracting(held))
    range = nil
  }

  /// Calls `body` with the bytes.
  package func read<Result>(
    in input: borrowing InputBuffer, _ body: (Span<UInt8>) -> Result
  ) -> Result {
    if let range { body(input.bytes.span.extracting(range)) } else { body(copy.span) }
  }
}
