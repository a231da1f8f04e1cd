import Core

@testable import oresp_events
@testable import oresp_text

/// Answers that are to meet a schema.
enum Schema {
  /// The first line is the schema, and the rest the text of the answer.
  static func check(_ input: FuzzInput) {
    let (schema, text) = input.parted
    let tool = answer(text.bytes, schema)
    let run = tool.checkedRun(seed: input.seed, byBytes: false)
    tool.checkLines(of: run)
    // References would lead elsewhere.
    guard run.status < 2, !schema.contains(UInt8(ascii: "$")) else { return }
    func wrapped(_ bytes: [UInt8], _ before: String, _ after: String) -> [UInt8] {
      Array(before.utf8) + bytes + Array(after.utf8)
    }
    var same = [
      (text.bytes, wrapped(schema, "\r\n\t ", " \n")),
      (text.bytes, wrapped(schema, #"{"anyOf":[false,"#, "]}")),
      (text.bytes, wrapped(schema, ##"{"$ref":"#/$defs/a","$defs":{"a":"##, "}}")),
    ]
    if JSONText.fault(in: text.bytes[...]) == nil {
      same += [
        (wrapped(text.bytes, "[", "]"), wrapped(schema, #"{"items":"#, "}")),
        (wrapped(text.bytes, #"{"a":"#, "}"), wrapped(schema, #"{"properties":{"a":"#, "}}")),
      ]
    }
    var generator = input.generator
    guard let (inner, outer) = same.randomElement(using: &generator) else { return }
    let again = answer(inner, outer)
    let status = again.run().status
    guard status == run.status else {
      fail("a schema that says the same gives \(status), not \(run.status)", again)
    }
  }

  private static func answer(_ text: [UInt8], _ schema: [UInt8]) -> ToolCase {
    let start =
      #"{"type":"response.completed","response":{"id":"r","status":"completed","output":["#
      + #"{"type":"message","id":"m","content":[{"type":"output_text","text":"#
    var document = Array(start.utf8)
    JSONString.encode(text.span, into: &document)
    document += Array("}]}]}}\n".utf8)
    return ToolCase(
      tool: "oresp-text", arguments: ["-S", "s"], input: document, files: ["s": schema])
  }
}
