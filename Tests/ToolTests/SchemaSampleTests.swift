import Core
import Testing

@testable import oresp_send

@Suite struct SchemaSampleTests {
  @Test(arguments: [
    (#"{"type":"string"}"#, #""rehearsal""#), (#"{}"#, #""rehearsal""#), ("true", #""rehearsal""#),
    (#"{"type":["null","string"]}"#, "null"), (#"{"type":"integer"}"#, "1"),
    (#"{"type":"number","minimum":0.50}"#, "0.50"), (#"{"type":"boolean"}"#, "true"),
    (#"{"type":"integer","maximum":0}"#, "0"), (#"{"enum":["b","a"]}"#, #""b""#),
    (#"{"const":{"a":1}}"#, #"{"a":1}"#), (#"{"anyOf":[{"type":"null"},{}]}"#, "null"),
    (#"{"type":"string","minLength":12}"#, #""rehearsalrehearsal""#),
    (#"{"type":"string","maxLength":3}"#, #""reh""#),
    (#"{"type":"array","items":{"type":"null"},"minItems":2}"#, "[null,null]"),
    (#"{"items":{"type":"null"}}"#, "[null]"),
    (
      #"{"properties":{"a":{"type":"null"},"b":{},"é":{"type":"boolean"}},"required":["é","a","c"]}"#,
      #"{"é":true,"a":null,"c":"rehearsal"}"#
    ),
    (
      ##"{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"required":["a"],"$defs":{"x":{"type":"null"}}}"##,
      #"{"a":null}"#
    ),
    (##"{"$ref":"#"}"##, "null"), (##"{"$ref":"#/none"}"##, "null"),
  ])
  func `a schema has a value that fits it`(schema: String, value: String) {
    #expect(SchemaSample.text(of: .raw(Array(schema.utf8))) == value)
  }

  @Test func `a schema of a thing without an end has one that ends`() {
    let schema = ##"""
      {"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}},"required":["a","b"]}
      """##
    #expect(SchemaSample.text(of: .raw(Array(schema.utf8))).utf8.count < 100_000)
  }
}
