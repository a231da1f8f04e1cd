import Core
import TestSupport
import Testing

private func sanitize(_ chunks: [[UInt8]]) -> [UInt8] {
  var sanitizer = TerminalSanitizer()
  var output: [UInt8] = []
  for chunk in chunks { sanitizer.append(chunk.span, into: &output) }
  sanitizer.finish(into: &output)
  return output
}

@Suite struct TerminalSanitizerTests {
  @Test(
    arguments: [
      ("plain text\n\twith a tab\n", "plain text\n\twith a tab\n"),
      ("naïve 東京 🚆 👩‍👧 e\u{301}", "naïve 東京 🚆 👩‍👧 e\u{301}"),
      ("\u{1B}[31mred\u{1B}]0;t\u{7}", "^[[31mred^[]0;t^G"), ("a\u{0}b\u{8}", "a^@b^H"),
      ("\u{7F}", "^?"),
      ("\u{1F}\u{1C}", "^_^\\"), ("a\r\nb", "a\r\nb"), ("a\rb", "a^Mb"), ("a\r", "a^M"),
      ("a\r\r\nb", "a^M\r\nb"), ("\r\u{1B}", "^M^["),
      ("\u{80}\u{9B}31m\u{9F}\u{A0}", "<U+0080><U+009B>31m<U+009F>\u{A0}"),
      ("a\u{202E}b\u{202C}", "a<U+202E>b<U+202C>"), ("\u{2066}\u{2069}", "<U+2066><U+2069>"),
      ("\u{200E}\u{200F}\u{61C}", "<U+200E><U+200F><U+061C>"),
      ("\u{2028}\u{2029}", "<U+2028><U+2029>"),
      ("\u{200D}\u{2027}\u{202F}", "\u{200D}\u{2027}\u{202F}"),
      ("🏴\u{E0067}\u{E007F}\u{E0067}", "🏴\u{E0067}\u{E007F}<U+E0067>"), ("\u{E0080}", "\u{E0080}"),
      ("🏴a\u{E0067}", "🏴a<U+E0067>"), ("🏴\n\u{E0067}", "🏴\n<U+E0067>"),
      ("🏴\u{E0067}é\u{E0067}", "🏴\u{E0067}é<U+E0067>"), ("🏴\u{E0001}", "🏴<U+E0001>"),
      ("🏳\u{E0067}", "🏳<U+E0067>"),
      ("\u{2060}\u{FEFF}\u{180E}\u{115F}", "<U+2060><U+FEFF><U+180E><U+115F>"),
      ("\u{3164}\u{34F}\u{206A}\u{206F}", "<U+3164><U+034F><U+206A><U+206F>"),
      ("\u{FFF9}\u{FFFA}\u{FFFB}\u{FFFC}", "<U+FFF9><U+FFFA><U+FFFB>\u{FFFC}"),
      ("\u{200C}\u{200D}\u{FE0F}", "\u{200C}\u{200D}\u{FE0F}"),
      ("\u{200B}\u{AD}\u{2061}\u{2064}", "<U+200B><U+00AD><U+2061><U+2064>"),
      ("\u{1160}\u{FFA0}\u{2800}", "<U+1160><U+FFA0><U+2800>"),
      ("\u{1D172}\u{1D173}\u{1D17A}\u{1D17B}", "\u{1D172}<U+1D173><U+1D17A>\u{1D17B}"),
      ("\u{E00FF}\u{E0100}\u{E01EF}\u{E01F0}", "\u{E00FF}<U+E0100><U+E01EF>\u{E01F0}"),
    ] as [(String, String)])
  func `what does something to a terminal becomes visible, however it is cut`(
    text: String, expected: String
  ) {
    for chunks in splits(of: Array(text.utf8)) {
      let output = sanitize(chunks)
      #expect(output == Array(expected.utf8), "cut as \(chunks.map(\.count))")
    }
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0x62], "a<FF>b"), ([0xC3], "<C3>"), ([0xE2, 0x80], "<E2><80>"),
      ([0xE2, 0x80, 0x61], "<E2><80>a"), ([0xC0, 0xAF], "<C0><AF>"),
      ([0xED, 0xA0, 0x80], "<ED><A0><80>"),
      ([0xF0, 0x9F, 0x9A, 0x0A], "<F0><9F><9A>\n"), ([0x9B, 0x33], "<9B>3"),
      ([0xF4, 0x90, 0x80, 0x80], "<F4><90><80><80>"), ([0xC3, 0x1B], "<C3>^["), ([0x85], "<85>"),
    ] as [([UInt8], String)])
  func `what is not UTF-8 becomes visible, however it is cut`(bytes: [UInt8], expected: String) {
    for chunks in splits(of: bytes) {
      let output = sanitize(chunks)
      #expect(output == Array(expected.utf8), "cut as \(chunks.map(\.count))")
    }
  }

  @Test func `random bytes come out free of controls and the same however they are cut`() {
    var generator = SeededGenerator()
    for _ in 0..<500 {
      let bytes = (0..<60).map { _ in
        UInt8.random(in: Bool.random(using: &generator) ? 0...255 : 0x20...0x7E, using: &generator)
      }
      let whole = sanitize([bytes])
      let cut = sanitize(randomCuts(of: bytes, 4, using: &generator))
      #expect(whole == cut, "seed \(generator.seed)")
      let harmful = String(decoding: whole, as: UTF8.self).unicodeScalars.filter {
        TerminalHarm.isHarmful($0.value) && !["\n", "\t", "\r"].contains($0)
      }
      let isValid = UTF8Repair.isValid(whole.span)
      #expect(harmful.isEmpty && isValid, "seed \(generator.seed)")
    }
  }

  @Test func `the end of a printable run is found at every place and length`() {
    for byte: UInt8 in [0x00, 0x0A, 0x1F, 0x7F, 0x80, 0xFF] {
      for length in 0..<40 {
        for place in 0...length {
          var bytes = [UInt8](repeating: 0x7E, count: length)
          if place < length { bytes[place] = byte }
          let ends = (
            bytes.span.endOfPrintableRun(from: 0), bytes.span.endOfPrintableRun(from: place)
          )
          #expect(ends == (place, place))
        }
      }
    }
  }
}
