import Testing

@testable import oresp_send

@Suite struct JSONLayoutTests {
  @Test(arguments: [
    (#"{"a": [1, 2],"b" : { }}"#, #"{"a": [1, 2],"b" : { }}"#),
    ("{\n  \"a\": [\r\n    1.0,\n    2\n  ],\n\t\"b\": {\n}}", #"{"a": [1.0,2],"b": {}}"#),
    ("[\"a\\\"\\\\\",\n\"\u{FF}\" ]", "[\"a\\\"\\\\\",\"\u{FF}\" ]"), ("1\n", "1"),
    (#"{"a":"b"#, #"{"a":"b"#), ("[\n\"\\", "[\"\\"),
  ])
  func `one line has no white space about what were line breaks`(text: String, line: String) {
    #expect(String(decoding: JSONLayout.line(Array(text.utf8)), as: UTF8.self) == line)
  }
}
