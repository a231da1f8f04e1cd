import Core

/// The output of the stages of one stream: text, notices, and code blocks that become files.
struct TextSink {
  var bytes: [UInt8] = []
  var notices: [Notice] = []
  var blocks: [CodeBlock] = []

  /// Appends all that `other` has, and empties it; the room for its bytes stays.
  mutating func append(emptying other: inout TextSink) {
    bytes += other.bytes
    other.bytes.removeAll(keepingCapacity: true)
    guard !other.notices.isEmpty || !other.blocks.isEmpty else { return }
    notices += other.notices
    blocks += other.blocks
    (other.notices, other.blocks) = ([], [])
  }
}
