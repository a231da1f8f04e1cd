import Core
import Testing

@testable import oresp_send

@Suite struct SingleLineTests {
  @Test(arguments: [
    (#"{"a": [1, 2],"b" : { }}"#, #"{"a": [1, 2],"b" : { }}"#),
    ("{\n  \"a\": [\r\n    1.0,\n    2\n  ],\n\t\"b\": {\n}}", #"{"a":[1.0,2],"b":{}}"#),
    ("[\"a \\\"\\\\\",\n\"\u{FF}\" ]", "[\"a \\\"\\\\\",\"\u{FF}\"]"), ("1\n", "1"),
    (#"{"a":"b"#, #"{"a":"b"#), ("[\n\"\\", "[\"\\"),
  ])
  func `what is spelled on several lines has no white space between its tokens on one`(
    text: String, line: String
  ) {
    let made = JSONValue.raw(Array(text.utf8)).singleLine
    #expect(String(decoding: made, as: UTF8.self) == line)
  }
}
