import Core

/// The output of the stages of one stream: text, notices, and code blocks that become files.
struct TextSink {
  var bytes: [UInt8] = []
  var notices: [Notice] = []
  var blocks: [CodeBlock] = []
  /// Whether a NUL ends a text, as no text contains one.
  private let endsAtNUL: Bool
  /// Whether the bytes that went out last ended neither a line nor a text.
  private var hasLeftLineOpen = false

  /// Text that waits is long from this size on, and has room for so much from then on: it would take
  /// twice its size each time that it grows.
  private static let longSize = 16 << 20
  private static let longRoom = 72 << 20

  init(endingAtNUL: Bool = false) { endsAtNUL = endingAtNUL }

  /// Whether the last byte ends neither a line nor a text.
  var isLineOpen: Bool { bytes.last.map { leavesLineOpen($0) } ?? hasLeftLineOpen }

  private func leavesLineOpen(_ last: UInt8) -> Bool {
    last != ASCII.lf && !(endsAtNUL && last == 0)
  }

  /// Notes that text which ends in `last` went out beside it.
  @inline(__always)
  mutating func note(endingIn last: UInt8) { hasLeftLineOpen = leavesLineOpen(last) }

  /// Notes that the line was ended behind what went out.
  mutating func noteLineEnd() { hasLeftLineOpen = false }

  /// Makes room for more, if the text is long.
  @inline(__always)
  mutating func makeRoom() {
    if bytes.count >= Self.longSize { bytes.reserveCapacity(Self.longRoom) }
  }

  /// Appends all that `other` has, and empties it.
  mutating func append(emptying other: inout TextSink) {
    other.moveText(into: &bytes)
    notices += other.notices
    blocks += other.blocks
    other.notices = []
    other.blocks = []
  }

  /// Moves the text to the end of `output`; room for more stays.
  @inline(__always)
  mutating func moveText(into output: inout [UInt8]) {
    guard let last = bytes.last else { return }
    note(endingIn: last)
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
