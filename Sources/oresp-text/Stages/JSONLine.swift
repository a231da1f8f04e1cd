import Core

/// A JSON value on one line.
package enum JSONLine {
  /// Appends `value`, one whole JSON value, without white space between its tokens; everything else
  /// stays as it is spelled.
  package static func append(_ value: Span<UInt8>, to output: inout [UInt8]) {
    var start = 0
    var index = 0
    while index < value.count {
      switch value[index] {
      case ASCII.quote:
        index += 1
        while true {
          index = value.endOfStringRun(from: index)
          guard index < value.count, value[index] == ASCII.backslash else { break }
          index += 2
        }
        index = min(index + 1, value.count)
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
