import Core
import Testing

@Suite struct StreamedValueTests {
  @Test(
    arguments: [
      (["\"ab\"", "\"c\""], "abc", .continues(from: 3)), (["\"ab\""], "abc", .continues(from: 2)),
      ([], "abc", .continues(from: 0)), (["\"ab\""], "a", .isShorter),
      (["\"ab\""], "bbc", .conflicts),
      // A character in two pieces, and half of one.
      ([#""\ud83d""#, #""\ude00""#], "😀", .continues(from: 4)),
      ([#""\ud83d""#], "\u{FFFD}", .continues(from: 3)),
    ] as [([String], String, StreamedText.Comparison)])
  func `a whole is compared with the pieces`(
    pieces: [String], whole: String, expected: StreamedText.Comparison
  ) {
    var value = StreamedValue()
    var text: [UInt8] = []
    for piece in pieces {
      let delta = Array(piece.utf8)
      value.append(delta: delta.span, into: &text)
    }
    #expect(value.hasDeltas != pieces.isEmpty)
    #expect(!value.isDone)
    #expect(value.replace(with: Array(whole.utf8).span).relation == expected)
    #expect(value.isDone)
    #expect(value.hasDeltas != pieces.isEmpty)
    let count = whole.utf8.count
    #expect(value.replace(with: Array(whole.utf8).span) == (.continues(from: count), count))
  }
}
