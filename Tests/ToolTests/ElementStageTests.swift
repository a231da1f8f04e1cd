import Core
import TestSupport
import Testing

@testable import oresp_text

/// `--each`: the elements of an array, while the JSON around them is still being written.
@Suite struct ElementStageTests {
  /// What comes of `text` in chunks, and behind how many bytes of it the first element was there.
  private static func run(
    _ chunks: [[UInt8]], _ pointer: String?, _ schema: JSONSchema? = nil
  ) -> (lines: [String], faults: [String], first: Int?) {
    let array = pointer.flatMap(JSONPointer.init).map(TextForm.Elements.at) ?? .ofFirst
    let stage = ElementStage(array, schema, separator: 10)
    var (sink, count, first) = (TextSink(), 0, Int?.none)
    for chunk in chunks {
      stage.append(chunk.span, into: &sink)
      count += chunk.count
      if first == nil, !sink.bytes.isEmpty { first = count }
    }
    stage.end(into: &sink)
    let lines = String(decoding: sink.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return (lines, sink.notices.map { String($0.text(tool: "", input: "").dropFirst(2)) }, first)
  }

  @Test(
    arguments: [
      (nil, "[1, 2 ,3]", ["1", "2", "3"], []),
      (nil, "[]", [], []),
      (
        nil, " { \"a\" : \"[9]\", \"b\": [ {\"c\": [1, 2]} , \"x \\\" ]\", true ] } ",
        ["{\"c\":[1,2]}", "\"x \\\" ]\"", "true"], []
      ),
      (nil, "[1e2,1.0,\"\\u00e9\\/\"]", ["1e2", "1.0", "\"\\u00e9\\/\""], []),
      (
        nil, "{\"a\":{\"b\":[1]},\"c\":[2],\"d\":[3],\"e\":[]}", ["2"],
        ["the answer has another array at /d; --each=/d prints that"]
      ),
      (nil, "{\"a\":1}", [], ["the answer has no array"]),
      (nil, "7", [], ["the answer has no array"]),
      (nil, "[1,12", ["1"], ["the answer is not JSON: the value does not end"]),
      (nil, "[1,tru,2]", ["1"], ["the answer is not JSON: expected true, false or null"]),
      (nil, "[1 2]", ["1"], ["the answer is not JSON: expected a comma or ]"]),
      (nil, "[1,]", ["1"], ["the answer is not JSON: expected a value"]),
      (nil, "{\"a\":[1],}", ["1"], ["the answer is not JSON: expected a member's name"]),
      (nil, "[1]]", ["1"], ["the answer is not JSON: expected nothing after the value"]),
      (nil, "```json\n[1]\n```", [], ["the answer is not JSON: expected a value"]),
      ("", "[1]", ["1"], []), ("", "{\"a\":[1]}", [], ["the answer has no array"]),
      ("/a/b", "{\"b\":[1],\"a\":{\"a\":[2],\"b\":[3,4],\"c\":[5]},\"c\":[]}", ["3", "4"], []),
      ("/1", "[[1],[2,3],[4]]", ["2", "3"], []),
      ("/0/a~1b~0", "[{\"a/b~\":[1]}]", ["1"], []),
      ("/a", "{\"a\":[1],\"a\":[2]}", ["1"], []),
      ("/a", "{\"a\":{\"a\":[1]}}", [], ["the answer has no array at /a"]),
    ] as [(String?, String, [String], [String])])
  func `elements come out however the text is cut`(
    pointer: String?, text: String, lines: [String], faults: [String]
  ) {
    for chunks in splits(of: Array(text.utf8)) {
      let run = Self.run(chunks, pointer)
      #expect(run.lines == lines && run.faults == faults, "\(text) cut as \(chunks): \(run)")
    }
  }

  @Test(
    arguments: [
      (
        nil, #"{"prefixItems":[{"type":"string"},{"type":"integer"}]}"#, #"["a",1,null]"#,
        [#""a""#, "1", "null"], []
      ),
      (
        nil, #"{"prefixItems":[{"type":"string"}],"items":{"type":"integer"}}"#, #"["a","b",1]"#,
        [#""a""#, "1"], [#"/1: expected integer, found "b""#]
      ),
      (
        "/1", #"{"prefixItems":[{},{"items":{"type":"integer"}}]}"#, #"[["a"],[1,"b"]]"#, ["1"],
        [#"/1/1: expected integer, found "b""#]
      ),
      (
        nil, #"{"allOf":[{"items":{"minimum":1}},{"items":{"maximum":3}}]}"#, "[0,1,4]", ["1"],
        ["/0: expected at least 1, found 0", "/2: expected at most 3, found 4"]
      ),
      (nil, #"{"oneOf":[{"items":{"minimum":1}},{"minItems":2}]}"#, "[1]", ["1"], []),
      (
        nil, #"{"anyOf":[{"type":"null"},{"type":"array","items":{"type":"integer"}}]}"#,
        "[1,true]", ["1"],
        [
          "the whole value: meets none of the 2 alternatives of anyOf: "
            + "1: expected null, found an array; 2: /1: expected integer, found true"
        ]
      ),
      (nil, #"{"not":{"items":{"type":"string"}}}"#, "[1]", ["1"], []),
      (
        nil, #"{"properties":{"b":{}},"additionalProperties":{"items":{"type":"null"}}}"#,
        #"{"a":[null,1]}"#, ["null"], ["/a/1: expected null, found 1"]
      ),
      (
        nil, #"{"additionalProperties":false}"#, #"{"a":[1]}"#, [],
        ["/a: no member of this name is allowed"]
      ),
      (
        nil, #"{"type":"object"}"#, "[1]", [], ["the whole value: expected object, found an array"]
      ),
      (nil, #"{"minItems":9,"required":["x"],"enum":[1]}"#, "[1]", ["1"], []),
    ] as [(String?, String, String, [String], [String])])
  func `each element meets the schema of its own place`(
    pointer: String?, schema: String, text: String, lines: [String], faults: [String]
  ) throws {
    let schema = try JSONSchema(FileText(Array(schema.utf8), name: "s.json"))
    let run = Self.run([Array(text.utf8)], pointer, schema)
    #expect(run.lines == lines)
    #expect(run.faults == faults.map { "the answer does not meet the schema: " + $0 })
  }

  @Test func `an element comes with its last byte`() {
    let text = "{\"items\":[{\"n\":1},{\"n\":2}]}"
    #expect(Self.run(text.utf8.map { [$0] }, "/items").first == "{\"items\":[{\"n\":1}".utf8.count)
  }

  @Test(arguments: ["a", "/~", "/a~2"])
  func `what is no pointer is refused`(text: String) { #expect(JSONPointer(text) == nil) }
}
