import Core

/// The bytes of a reply that were not passed on yet. One buffer serves the reader of events and the
/// output, each at its own pace.
struct HeldReply: ~Copyable {
  /// The buffer of the reader. Bytes that it has read stay until they are passed on.
  var input = InputBuffer()
  /// The count of bytes that were passed on or dropped: the held ones start there in the reply.
  private(set) var passed = 0
  /// The last four bytes that were passed on.
  private var tail: [UInt8] = []

  init() { input.kept = 0 }

  /// The end of the held bytes, counted from the start of the reply.
  var end: Int { input.offset(of: input.end) }
  var count: Int { end - passed }
  var bytes: [UInt8] { Array(input.bytes[index(passed)..<input.end]) }
  /// The place of the first byte of the content in the reply.
  private var contentStart = 0

  /// The first bytes of the content, behind white space and a byte order mark. Nothing was passed on.
  var opening: [UInt8] {
    mutating get {
      while contentStart < input.end {
        let mark = input.bytes.span.extracting(contentStart..<input.end).byteOrderMarkLength
        guard mark == 3 || ASCII.isSpace(input.bytes[contentStart]) else { break }
        contentStart += mark == 3 ? mark : 1
      }
      return Array(input.bytes[contentStart..<input.end].prefix(ReplyKind.openingSize))
    }
  }

  /// Whether the held bytes are one JSON value.
  var isJSON: Bool { JSONScan.accepts(input.bytes.span.extracting(text)) }
  /// Whether they are the start of one, and not all of it.
  var breaksOff: Bool { JSONScan.breaksOff(input.bytes.span.extracting(text)) }

  /// The held content, by its places in the buffer.
  private var text: Range<Int> { index(max(passed, contentStart))..<input.end }

  private func index(_ place: Int) -> Int { place - input.offset(of: 0) }

  /// Passes on the bytes before place `end` of the reply.
  mutating func pass(upTo end: Int, into output: inout [UInt8]) {
    guard passed < end else { return }
    output.append(copying: input.bytes.span.extracting(index(passed)..<index(end)))
    tail = Array((tail + input.bytes[index(passed)..<index(end)].suffix(4)).suffix(4))
    passed = end
    input.kept = passed
  }

  /// Passes on all bytes, which nobody reads here.
  mutating func passAll(into output: inout [UInt8]) {
    pass(upTo: end, into: &output)
    input.start = input.end
  }

  /// Drops the bytes before place `end` of the reply: they are repeats, or were passed on in another
  /// form.
  mutating func drop(upTo end: Int) {
    passed = max(passed, end)
    input.kept = passed
  }

  /// Gets ready for another reply.
  mutating func restart() {
    input.reset()
    input.kept = 0
    passed = 0
    contentStart = 0
  }

  /// Ends a blank line that was cut between its CR and its LF: `"data: x\r\n\r"`
  mutating func endLine(into output: inout Output) {
    if tail.suffix(2) == [ASCII.lf, ASCII.cr] { output.bytes.append(ASCII.lf) }
    tail = []
  }

  /// Ends a block that was passed on without its blank line, which does not come any more.
  mutating func endBlock(into output: inout Output) {
    let isWhole = endsBlock
    endLine(into: &output)
    if !isWhole { output.bytes.append("\n\n") }
  }

  /// Whether a blank line ends what was passed on.
  private var endsBlock: Bool {
    var rest = tail[...]
    guard let last = rest.popLast() else { return true }
    if last == ASCII.lf, rest.last == ASCII.cr { rest.removeLast() }
    return [last, rest.last ?? ASCII.lf].allSatisfy { $0 == ASCII.lf || $0 == ASCII.cr }
  }
}
