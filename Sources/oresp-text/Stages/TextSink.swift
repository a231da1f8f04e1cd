package import Core

/// What the stages of one stream made: text, what is to be reported, and code blocks that become
/// files.
package struct TextSink {
  package var bytes: [UInt8] = []
  package var notices: [Notice] = []
  package var blocks: [CodeBlock] = []

  package init() {}

  /// Appends what `other` has, and leaves that its room only.
  mutating func append(emptying other: inout TextSink) {
    bytes += other.bytes
    other.bytes.removeAll(keepingCapacity: true)
    guard !other.notices.isEmpty || !other.blocks.isEmpty else { return }
    notices += other.notices
    blocks += other.blocks
    (other.notices, other.blocks) = ([], [])
  }
}
