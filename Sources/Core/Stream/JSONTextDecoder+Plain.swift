extension JSONTextDecoder {
  /// Where the object starts that comes next, if values come one a line and none has begun already.
  @inline(__always)
  mutating func plainStart(_ input: inout InputBuffer) -> Int? {
    guard isLineByLine, !isInside else { return nil }
    while input.start < input.end, input.bytes[input.start] == ASCII.lf {
      line += 1
      input.start += 1
    }
    guard input.start < input.end, input.bytes[input.start] == ASCII.openBrace else { return nil }
    return input.start
  }

  /// Takes the object at `value`, which `plainStart` saw begin and which an LF follows.
  @inline(__always)
  mutating func takePlain(_ value: Range<Int>, of input: inout InputBuffer) {
    (firstLine, offset) = (line, input.offset(of: input.start))
    input.start = value.upperBound
  }
}
