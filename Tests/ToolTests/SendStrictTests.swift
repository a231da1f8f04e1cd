import Core
import Testing

@testable import oresp_send

private func strictFault(_ schema: String) -> String {
  StrictRules.fault(in: .raw(Array(schema.utf8))) ?? "ok"
}

private func object(_ properties: String, required: String = #""a""#) -> String {
  #"{"type":"object","properties":{\#(properties)},"required":[\#(required)],"additionalProperties":false}"#
}

/// Objects inside each other, so many levels.
private func nested(_ levels: Int) -> String {
  (0..<levels).reduce(#"{"type":"null"}"#) { inner, _ in object(#""a":\#(inner)"#) }
}

private func choice(_ count: Int, _ length: Int = 4) -> String {
  let values = (0..<count).map { number in
    let digits = String(number)
    return "\"" + String(repeating: "0", count: max(0, length - digits.count)) + digits + "\""
  }
  return #"{"enum":[\#(values.joined(separator: ","))]}"#
}

@Suite struct SendStrictTests {
  @Test(
    arguments: [
      (object(#""a":{"type":"string"}"#), "ok"),
      (object(#""a":{"type":["array","null"],"items":{"const":1}}"#), "ok"),
      (object(##""a":{"anyOf":[{"type":"null"},{"$ref":"#"}]}"##), "ok"),
      (#"{"anyOf":[{"type":"object"}]}"#, "/anyOf: the whole may not be an anyOf"),
      (
        #"{"type":"array","items":{"type":"null"}}"#,
        "the schema: the whole must have the type object"
      ),
      ("{}", "the schema: the whole must have the type object"),
      (#"{"type":["object","null"]}"#, "the schema: the whole must have the type object"),
      (
        #"{"type":"object"}"#,
        #"the schema: strict needs "additionalProperties": false for an object"#
      ),
      (
        #"{"type":"object","additionalProperties":{"type":"null"}}"#,
        #"the schema: strict needs "additionalProperties": false for an object"#
      ),
      (
        object(#""a":{"type":"null"},"b":{"type":"null"}"#),
        #"the schema: strict needs all members required, and "b" is not"#
      ),
      (object("", required: #""x""#), #"the schema: the member "x" is required and not described"#),
      (object(#""a":{}"#), "/properties/a: strict needs a type, anyOf, $ref, enum or const"),
      (object(#""a":true"#), "/properties/a: strict allows no schema that is true or false"),
      (
        object(#""additionalProperties":false"#, required: #""additionalProperties""#),
        "/properties/additionalProperties: strict allows no schema that is true or false"
      ),
      (object(#""a":{"type":"array"}"#), "/properties/a: strict needs items for an array"),
      (
        object(#""a":{"type":"array","items":{"type":"object"}}"#),
        #"/properties/a/items: strict needs "additionalProperties": false for an object"#
      ),
      (
        object(##""a":{"$ref":"#/$defs/d"}"##).dropLast() + #","$defs":{"d":{"type":"object"}}}"#,
        #"/$defs/d: strict needs "additionalProperties": false for an object"#
      ),
      (
        object(#""a":{"oneOf":[]}"#),
        #"/properties/a: structured outputs have no keyword "oneOf""#
      ),
      (
        object(#""a/~":{"anyOf":[{"type":"null"},{}]}"#, required: #""a/~""#),
        "/properties/a~1~0/anyOf/1: strict needs a type, anyOf, $ref, enum or const"
      ),
    ] as [(String, String)])
  func `a schema keeps the rules of strict, or the first that it breaks is told`(
    schema: String, expected: String
  ) {
    #expect(strictFault(schema) == expected)
  }

  @Test func `no more than 5000 members are allowed`() {
    for (count, expected) in [
      (5000, "ok"), (5001, "the schema: strict allows 5000 members in all"),
    ] {
      let names = (0..<count).map { "\"m\($0)\"" }
      let members = names.map { $0 + #":{"type":"null"}"# }.joined(separator: ",")
      let schema = object(members, required: names.joined(separator: ","))
      #expect(strictFault(schema) == expected)
    }
  }

  @Test func `a schema keeps to the limits of size`() {
    let enumerated = "/properties/a: strict allows "
    for (schema, expected) in [
      (nested(10), "ok"),
      (
        nested(11),
        String(repeating: "/properties/a", count: 10)
          + ": strict allows 10 objects inside each other"
      ),
      (
        String(object(#""a":{"type":"null"}"#).dropLast()) + #","$defs":{"d":\#(nested(10))}}"#,
        "ok"
      ),
      (object(#""a":\#(choice(1000, 1))"#), "ok"),
      (object(#""a":\#(choice(1001, 1))"#), enumerated + "1000 values of enum in all"),
      (object(#""a":\#(choice(250, 100))"#), "ok"),
      // What is counted is the values, not the quotes around them.
      (object(#""a":\#(choice(300, 50))"#), "ok"),
      (
        object(#""a":\#(choice(301, 50))"#),
        enumerated + "15000 characters in an enum of more than 250 values"
      ),
      (
        object(#""a":\#(choice(5, 30_000))"#),
        enumerated + "120000 characters in names and values in all"
      ),
    ] {
      let got = strictFault(schema)
      #expect(got == expected, "\(schema.prefix(80))")
    }
  }
}
