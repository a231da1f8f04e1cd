/// Counts and hashes a text that comes in pieces and whole, each perhaps more than once. The text
/// itself is not held.
package struct StreamedValue: Sendable {
  /// The text that came so far.
  package private(set) var text = StreamedText()
  /// Whether a piece of it came.
  package private(set) var hasDeltas = false
  /// Whether the whole of it came.
  package private(set) var isDone = false
  /// Decodes pieces, and holds half a character at the end of one.
  private var decoder = JSONStringDecoder()

  package init() {}

  /// A value of which only the whole text came.
  package init(whole: StreamedText) { (text, isDone) = (whole, true) }

  /// Appends a piece, a JSON string, and its decoded text to `output`.
  package mutating func append(delta: Span<UInt8>, into output: inout [UInt8]) {
    hasDeltas = true
    let start = output.count
    decoder.decode(delta, into: &output)
    text.append(output.span.extracting(start...))
  }

  /// Appends a piece, a JSON string, whose decoded text nobody else needs.
  @inline(__always)
  package mutating func append(delta: Span<UInt8>) {
    guard !decoder.isPending, delta.count > 1, delta.endOfStringRun(from: 1) == delta.count - 1
    else { return appendDecoded(delta) }
    hasDeltas = true
    text.append(delta.extracting(1..<delta.count - 1))
  }

  private mutating func appendDecoded(_ delta: Span<UInt8>) {
    var decoded: [UInt8] = []
    append(delta: delta, into: &decoded)
  }

  /// Appends text that goes on from the last piece.
  package mutating func append(_ more: Span<UInt8>) { text.append(more) }

  /// Appends the unfinished character of the last piece to `output`; no more follows.
  package mutating func finish(into output: inout [UInt8]) {
    let start = output.count
    decoder.finish(into: &output)
    text.append(output.span.extracting(start...))
  }

  /// Puts `whole` in the place of the text that came. Returns the relation of the two, and the
  /// length of that text in bytes.
  @discardableResult
  package mutating func replace(
    with whole: Span<UInt8>
  ) -> (relation: StreamedText.Comparison, former: Int) {
    if decoder.isPending {
      var rest: [UInt8] = []
      finish(into: &rest)
    }
    let former = text.count
    isDone = true
    return (text.replace(with: whole), former)
  }
}
