/// The white space and the byte order marks in front of an input, of which no line is kept.
struct LeadingSpace {
  /// The number of its lines that have ended.
  private(set) var lines = 0
  private var endsInCR = false
  /// The number of unused bytes, from the first one on, that are known to belong to it.
  private var searched = 0

  /// Passes its lines. Returns the index of the first byte behind it, or the end; `nil` when more
  /// must be read first. What stands before that byte on its line stays: an event stream ends at
  /// ` data:`.
  mutating func pass(_ input: inout InputBuffer, isEnd: Bool) -> Int? {
    var index = input.start + searched
    while index < input.end {
      let byte = input.bytes[index]
      if byte == 0xEF {
        let length = input.markLength(at: index)
        if length < 3, index + length == input.end, !isEnd { return nil }
        guard length == 3 else { break }
        index += 3
      } else {
        guard ASCII.isSpace(byte) else { break }
        index += 1
        if byte == ASCII.cr || byte == ASCII.lf {
          if byte == ASCII.cr || !endsInCR { lines += 1 }
          input.start = index
        }
        endsInCR = byte == ASCII.cr
      }
      searched = index - input.start
    }
    if searched > InputBuffer.readSize {
      input.start = index
      searched = 0
    }
    return index
  }
}
