import Core
import TestSupport
import Testing

@Suite struct StreamedTextTests {
  private static let text = Array("The sky is blue — 青い空 — because light is scattered.".utf8)

  private static func taken(_ chunks: [[UInt8]]) -> StreamedText {
    var text = StreamedText()
    for chunk in chunks { text.append(chunk.span) }
    return text
  }

  @Test func `a whole goes on from what came, however that was cut`() {
    for chunks in splits(of: Self.text) {
      let taken = Self.taken(chunks)
      let same = taken.compare(with: Self.text.span)
      #expect(same == .continues(from: Self.text.count), "cut as \(chunks.map(\.count))")
      let longer = Self.text + [1, 2]
      let more = taken.compare(with: longer.span)
      #expect(more == .continues(from: Self.text.count))
      let less = taken.compare(with: Self.text.span.extracting(1...))
      #expect(less == .isShorter)
    }
    for count in 0...Self.text.count {
      let comparison = Self.taken([Array(Self.text[..<count])]).compare(with: Self.text.span)
      #expect(comparison == .continues(from: count))
    }
  }

  @Test func `a whole that differs anywhere conflicts`() {
    let taken = Self.taken([Self.text])
    for index in Self.text.indices {
      for bit in 0..<8 {
        var other = Self.text
        other[index] ^= 1 << UInt8(bit)
        let comparison = taken.compare(with: other.span)
        #expect(comparison == .conflicts, "byte \(index), bit \(bit)")
      }
      var swapped = Self.text
      swapped.swapAt(index, (index + 8) % swapped.count)
      let comparison = taken.compare(with: swapped.span)
      #expect((comparison == .conflicts) == (swapped != Self.text), "\(index)")
    }
  }
}
