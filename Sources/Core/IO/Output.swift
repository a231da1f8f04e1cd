/// What a filter made of one read: bytes for standard output, and what is to be told.
package struct Output: ~Copyable {
  package var bytes: [UInt8] = []
  package var notices: [Notice] = []
  /// Bytes for standard error, which go out behind `bytes` and before the notices.
  package var aside: [UInt8] = []
  /// Whether the last of `aside` is a line without an end, which a notice is to wipe.
  package var hasOpenLine = false
  /// When the filter is to be woken, should no input come (`Clock.steadyMilliseconds`).
  package var wakeAt: Int?
  /// Until when nothing more may be written: the filter left off there, and is then called again
  /// with the same input.
  package var pauseUntil: Int?

  package init() {}

  /// Appends `line` and an LF.
  @inline(__always)
  package mutating func append(line: Span<UInt8>) {
    bytes.append(copying: line)
    bytes.append(ASCII.lf)
  }
}
