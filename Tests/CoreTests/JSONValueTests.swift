import Core
import Testing

@Suite struct JSONValueTests {
  @Test func `what is not changed of an object keeps its spelling and place`() throws {
    let text = #"{ "b":1.0 , "a" : [ 1e2 ], "n":{"x":-0} }"#
    let parsed = JSONValue(object: Array(text.utf8).span)
    var value = try #require(parsed)
    value["a"] = .text("é\n")
    value["z"] = .bool(true)
    value["b"] = nil
    let line = String(decoding: value.line, as: UTF8.self)
    #expect(line == #"{"a":"é\n","n":{"x":-0},"z":true}"#)
  }

  @Test(arguments: ["[]", "1", "{", "{}x", "{\"a\":1}}", "", "{\"a\":}"])
  func `only one whole object is taken`(text: String) {
    let value = JSONValue(object: Array(text.utf8).span)
    #expect(value == nil)
  }

  @Test func `names are told apart by their code points`() throws {
    var value = JSONValue.object([("e\u{301}", .integer(1))])
    value["\u{e9}"] = .integer(2)
    #expect(value.line == Array("{\"e\u{301}\":1,\"\u{e9}\":2}".utf8))
  }

  @Test func `all kinds of values are written`() {
    let value = JSONValue.array([
      .null, .bool(false), .integer(-5), .text("a"), .raw([0x37]), .array([]), .object([]),
    ])
    #expect(value.line == Array(#"[null,false,-5,"a",7,[],{}]"#.utf8))
  }
}
