import Core

/// The output of the stages of one stream: text, notices, and code blocks that become files.
struct TextSink {
  var bytes: [UInt8] = []
  /// Whether the last byte ends neither a line nor a text. It stays when the bytes went out.
  var isLineOpen = false
  var notices: [Notice] = []
  var blocks: [CodeBlock] = []

  /// Text that waits is long from this size on, and has room for so much from then on: it would take
  /// twice its size each time that it grows.
  private static let longSize = 16 << 20
  private static let longRoom = 72 << 20

  /// Makes room for more, if the text is long.
  @inline(__always)
  mutating func makeRoom() {
    if bytes.count >= Self.longSize { bytes.reserveCapacity(Self.longRoom) }
  }

  /// Appends all that `other` has, and empties it; the room for its bytes stays.
  @inline(__always)
  mutating func append(emptying other: inout TextSink) {
    other.moveText(into: &bytes)
    guard !other.notices.isEmpty || !other.blocks.isEmpty else { return }
    notices += other.notices
    blocks += other.blocks
    other.notices = []
    other.blocks = []
  }

  /// Moves the text to the end of `output`; room for more stays.
  @inline(__always)
  mutating func moveText(into output: inout [UInt8]) {
    if output.isEmpty {
      swap(&bytes, &output)
    } else if bytes.count >= Self.longSize {
      moveLong(into: &output)
    } else {
      output += bytes
      bytes.removeAll(keepingCapacity: true)
    }
  }

  /// Does the same with long text, which is not copied.
  private mutating func moveLong(into output: inout [UInt8]) {
    bytes.insert(contentsOf: output, at: 0)
    swap(&bytes, &output)
    bytes = []
  }
}
