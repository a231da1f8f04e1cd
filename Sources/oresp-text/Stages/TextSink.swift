package import Core

/// The output of the stages of one stream: text, notices, and code blocks that become files.
package struct TextSink {
  package var bytes: [UInt8] = []
  package var notices: [Notice] = []
  package var blocks: [CodeBlock] = []

  package init() {}

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
