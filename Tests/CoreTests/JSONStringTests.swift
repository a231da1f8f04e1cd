import Core
import TestSupport
import Testing

@Suite struct JSONStringTests {
  @Test(arguments: [
    (#""""#, ""), (#""abc""#, "abc"), (#""a\"b\\c\/d""#, "a\"b\\c/d"),
    (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
    (#""\ud83d\ude00!""#, "😀!"), (#""\uD83D\uDE00""#, "😀"),
    // Half a pair stands for nothing.
    (#""\ud83d""#, "\u{FFFD}"), (#""\ude00""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"),
    (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
    (#""\u0000""#, "\u{0}"), (#""日本語""#, "日本語"),
  ])
  func `a string is decoded`(spelled: String, text: String) {
    let bytes = JSONString.decoded(Array(spelled.utf8).span)
    #expect(bytes == Array(text.utf8))
  }

  @Test func `a pair of surrogates may come in two deltas`() {
    var decoder = JSONStringDecoder()
    var output: [UInt8] = []
    for delta in [#""a\ud83d""#, #""""#, #""\ude00b""#, #""\ud83d""#] {
      decoder.decode(Array(delta.utf8).span, into: &output)
    }
    decoder.finish(into: &output)
    #expect(output == Array("a😀b\u{FFFD}".utf8))
  }

  @Test(arguments: [
    ("", #""""#), ("a\"b\\c", #""a\"b\\c""#),
    ("\n\r\t\u{1}\u{1F}\u{7F}", "\"\\n\\r\\t\\u0001\\u001f\u{7F}\""),
    ("é😀/", "\"é😀/\""),
  ])
  func `text is encoded with no more escapes than it needs`(text: String, spelled: String) {
    var output: [UInt8] = []
    JSONString.encode(Array(text.utf8).span, into: &output)
    #expect(String(decoding: output, as: UTF8.self) == spelled)
    let decoded = JSONString.decoded(output.span)
    #expect(decoded == Array(text.utf8))
  }

  @Test func `random text comes back from its encoding`() {
    var generator = SeededGenerator()
    for _ in 0..<2000 {
      let count = Int.random(in: 0...40, using: &generator)
      let text = String(
        String.UnicodeScalarView(
          (0..<count).map { _ in
            let value = UInt32.random(
              in: Bool.random(using: &generator) ? 0...0x7F : 0...0x10FFFF, using: &generator)
            return Unicode.Scalar(value) ?? "x"
          }))
      var output: [UInt8] = []
      JSONString.encode(Array(text.utf8).span, into: &output)
      let decoded = JSONString.decoded(output.span)
      let isJSON = JSONScan.accepts(output.span)
      #expect(decoded == Array(text.utf8) && isJSON, "seed \(generator.seed)")
    }
  }

  @Test func `the end of a run is found at every place and length`() {
    for byte: UInt8 in [0x22, 0x5C, 0x00, 0x1F, 0x0A] {
      for length in 0..<70 {
        for place in 0...length {
          var bytes = [UInt8](repeating: 0x61, count: length)
          if place < length { bytes[place] = byte }
          let ends = (bytes.span.endOfStringRun(from: 0), bytes.span.endOfStringRun(from: place))
          #expect(ends == (place, place))
        }
      }
    }
    for byte: UInt8 in [0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F, 0x80, 0xFF] {
      let end = [UInt8](repeating: byte, count: 50).span.endOfStringRun(from: 0)
      #expect(end == 50)
    }
  }
}
