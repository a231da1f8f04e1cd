import Core
import TestSupport
import Testing

/// What a scanner makes of a text that comes in chunks: `end N`, `fault N`, `can end` or `more`.
private func scan(_ chunks: [[UInt8]]) -> String {
  var scanner = JSONScanner()
  var count = 0
  for chunk in chunks {
    var position = 0
    switch scanner.scan(chunk.span, &position) {
    case .end: return "end \(count + position)"
    case .fault: return "fault \(count + position)"
    case .more: count += chunk.count
    }
  }
  return scanner.canEnd ? "can end" : "more"
}

@Suite struct JSONScannerTests {
  @Test(
    arguments: [
      ("{}", "end 2"), ("[]", "end 2"), (" {\n} ", "end 4"), ("\"a\"", "end 3"),
      ("true", "end 4"), ("false", "end 5"), ("null", "end 4"), ("0", "can end"), ("-1", "can end"),
      ("12 ", "end 2"), ("1.5e+3,", "end 6"), ("0.0", "can end"), ("1E5", "can end"),
      ("{\"a\":1,\"b\":[1,2,{\"c\":null}]}x", "end 28"), ("[[[]],[]]", "end 9"),
      ("{ \"a\" : \"b\" , \"c\" : -0.5 }", "end 26"),
      ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", "end 24"),
      ("\"é😀\u{7F}\"", "end 9"), ("{\"a\":1}{", "end 7"),
      // Half a value.
      ("", "more"), (" ", "more"), ("{", "more"), ("[1", "more"), ("\"a", "more"), ("tru", "more"),
      ("-", "more"), ("1.", "more"), ("1e", "more"), ("1e+", "more"), ("\"\\", "more"),
      ("\"\\u12", "more"), ("{\"a\"", "more"), ("{\"a\":", "more"), ("{\"a\":1,", "more"),
      // What the grammar does not have.
      ("x", "fault 0"), ("{a", "fault 1"), ("{1", "fault 1"), ("[,", "fault 1"),
      ("[1,]", "fault 3"),
      ("{\"a\",", "fault 4"), ("{\"a\":1,}", "fault 7"), ("{\"a\":}", "fault 5"),
      ("[1 2", "fault 3"),
      ("[1}", "fault 2"), ("{\"a\":1]", "fault 6"), ("01", "end 1"), ("[01]", "fault 2"),
      ("-x", "fault 1"), ("1.x", "fault 2"), (".5", "fault 0"), ("+1", "fault 0"),
      ("1ex", "fault 2"),
      ("tRue", "fault 1"), ("nulL", "fault 3"), ("NaN", "fault 0"), ("'a'", "fault 0"),
      ("\"\\x", "fault 2"), ("\"\\u12g", "fault 5"), ("\"a\nb\"", "fault 2"),
      ("\"\u{0}\"", "fault 1"),
      ("[1.5.5]", "fault 4"), ("[1e5e5]", "fault 4"), ("[1e5.5]", "fault 4"), ("]", "fault 0"),
    ] as [(String, String)])
  func `a value is walked to its end or its fault, however it is cut`(
    text: String, expected: String
  ) {
    for chunks in splits(of: Array(text.utf8)) {
      #expect(scan(chunks) == expected, "\(text) cut as \(chunks.map(\.count))")
    }
  }

  @Test func `brackets nest as deep as there are bytes`() {
    for depth in [63, 64, 65, 128, 129, 300_000] {
      let opening = (0..<depth).map { $0 % 3 == 0 ? "[" : "{\"a\":" }
      let closing = (0..<depth).reversed().map { $0 % 3 == 0 ? "]" : "}" }
      let text = Array((opening.joined() + "1" + closing.joined()).utf8)
      #expect(scan([text]) == "end \(text.count)")
      #expect(scan([Array(text.dropLast())]) == "more")
      var wrong = text
      wrong[text.count - depth / 2] = wrong[text.count - depth / 2] == 0x5D ? 0x7D : 0x5D
      #expect(scan([wrong]) == "fault \(text.count - depth / 2)")
    }
  }

  @Test(arguments: [
    ("{} ", true), (" {}", true), ("{}x", false), ("1", true), ("", false), ("{} {}", false),
  ])
  func `one value is accepted, with white space around it only`(text: String, accepts: Bool) {
    let isAccepted = JSONScanner.accepts(Array(text.utf8).span)
    #expect(isAccepted == accepts)
  }
}
