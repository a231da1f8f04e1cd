/// What a filter made of one read: bytes for standard output, and what is to be told.
package struct Output: ~Copyable {
  package var bytes: [UInt8] = []
  package var notices: [Notice] = []

  package init() {}

  /// Appends `line` and an LF.
  @inline(__always)
  package mutating func append(line: Span<UInt8>) {
    bytes.append(copying: line)
    bytes.append(ASCII.lf)
  }
}
