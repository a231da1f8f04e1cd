/// A text that comes in pieces, as its end and whole, each perhaps more than once: how much of it
/// came. Of the text itself nothing is held.
package struct StreamedValue: Sendable {
  /// All that came.
  package private(set) var text = StreamedText()
  /// Whether a piece of it came.
  package private(set) var hasDeltas = false
  /// Whether the whole of it came.
  package private(set) var isDone = false
  /// What is left of the last piece: half a character.
  private var decoder = JSONStringDecoder()

  package init() {}

  /// Takes a piece, a JSON string, and appends to `output` what it stands for.
  package mutating func append(delta: Span<UInt8>, into output: inout [UInt8]) {
    hasDeltas = true
    let start = output.count
    decoder.decode(delta, into: &output)
    text.append(output.span.extracting(start...))
  }

  /// Takes text that goes on from what came.
  package mutating func append(_ more: Span<UInt8>) { text.append(more) }

  /// Appends to `output` what the last piece left unfinished; nothing follows it any more.
  package mutating func finish(into output: inout [UInt8]) {
    let start = output.count
    decoder.finish(into: &output)
    text.append(output.span.extracting(start...))
  }

  /// Takes `whole`, the whole text, and says how it relates to what came before.
  package mutating func complete(with whole: Span<UInt8>) -> StreamedText.Comparison {
    var rest: [UInt8] = []
    finish(into: &rest)
    isDone = true
    return text.compare(with: whole)
  }

  /// Puts `whole` in the place of all that came before.
  package mutating func replace(with whole: Span<UInt8>) {
    let had = hasDeltas
    self = StreamedValue()
    (hasDeltas, isDone) = (had, true)
    text.append(whole)
  }
}
