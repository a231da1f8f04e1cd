import Core
import TestSupport
import Testing

@Suite struct BytesTests {
  @Test(arguments: [
    ("{\r\n \"a\":1,\n\r\"b\":2}\n", "{ \"a\":1,\"b\":2}"), ("", ""), ("\n", ""), ("ab", "ab"),
  ])
  func `line ends are left out`(text: String, joined: String) {
    #expect(String(decoding: Array(text.utf8).span.withoutLineEnds, as: UTF8.self) == joined)
  }

  @Test(arguments: [(" \t{ }\r\n", "{ }"), ("", ""), (" ", ""), ("a", "a"), ("\n\na b", "a b")])
  func `the space around a text is left out`(text: String, trimmed: String) {
    let bytes = Array(text.utf8)
    #expect(String(decoding: bytes[bytes.span.trimmed()], as: UTF8.self) == trimmed)
  }

  @Test func `letters and digits are ASCII letters and digits`() {
    for byte in UInt8.min...UInt8.max {
      let character = Character(Unicode.Scalar(byte))
      let isLetter = character.isASCII && character.isLetter
      #expect(ASCII.isLetter(byte) == isLetter, "\(byte)")
      #expect(ASCII.isLetterOrDigit(byte) == (isLetter || ASCII.isDigit(byte)), "\(byte)")
      let small = character.isASCII ? Array(character.lowercased().utf8) : [byte]
      #expect([ASCII.lowercased(byte)] == small, "\(byte)")
    }
  }

  @Test func `what is no array has no elements`() {
    let line = Array(#"{"a":[1, {"b":2},"c"],"n":{"i":7,"s":"7","d":7.5},"e":[]}"#.utf8)
    let elements = JSONChildren.elements(at: ["a"], in: line.span)
    #expect(
      elements.map { String(decoding: line[$0], as: UTF8.self) } == ["1", #"{"b":2}"#, #""c""#])
    #expect(JSONChildren.elements(at: ["e"], in: line.span).isEmpty)
    #expect(JSONChildren.elements(at: ["n"], in: line.span).isEmpty)
    #expect(JSONChildren.elements(at: ["x"], in: line.span).isEmpty)
    #expect(JSONChildren.integer(of: "n", "i", in: line.span) == 7)
    #expect(JSONChildren.integer(of: "n", "s", in: line.span) == nil)
    #expect(JSONChildren.integer(of: "n", "d", in: line.span) == nil)
    #expect(JSONChildren.raw(of: "n", "s", in: line.span)?.line == Array(#""7""#.utf8))
  }
}
