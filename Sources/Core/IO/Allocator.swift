import CProcess

/// The memory of the process.
package enum Allocator {
  /// Has large blocks return to the system once they are free. The C library keeps them for others of
  /// the same size, but the next line of a long text is longer by a few bytes: with a chat of 24 MB
  /// `oresp-sse` took 80 MB, and takes 56.
  package static func returnsLargeBlocks() { cprocess_return_large_blocks() }
}
