/// JSON without white space between its tokens.
package enum CompactJSON {
  /// Appends `value`, one JSON value, its tokens as they are spelled.
  package static func append(_ value: Span<UInt8>, to output: inout [UInt8]) {
    var (start, index) = (0, 0)
    while index < value.count {
      switch value[index] {
      case ASCII.quote: index = JSONStringEnd(value, from: index + 1).index
      case let byte where ASCII.isSpace(byte):
        output.append(copying: value.extracting(start..<index))
        index += 1
        start = index
      default: index += 1
      }
    }
    output.append(copying: value.extracting(start...))
  }
}
