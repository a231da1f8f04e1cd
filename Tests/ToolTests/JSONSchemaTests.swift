import Core
import Testing
import oresp_text

/// What a schema says of a value: `ok`, or place and reason.
private func verdict(_ schema: String, _ value: String) throws -> String {
  let schema = try JSONSchema(FileText(Array(schema.utf8), name: "s.json"))
  let fault = schema.fault(in: Array(value.utf8).span)
  return fault?.message() ?? "ok"
}

/// Why a schema is refused; `ok` when it is not.
private func refusal(_ schema: String) -> String {
  do {
    _ = try JSONSchema(FileText(Array(schema.utf8), name: "s.json"))
    return "ok"
  } catch {
    guard case .other(let why, .usage) = error else { return "\(error)" }
    return why
  }
}

private let tree = ##"""
  {"type":"object","properties":{"n":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#"}}},
   "required":["n","kids"],"additionalProperties":false}
  """##

private let shapes = ##"""
  {"anyOf":[{"$ref":"#/$defs/circle"},{"$ref":"#/$defs/square"},{"type":"null"}],
   "$defs":{"circle":{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},
     "required":["kind","r"]},
    "square":{"type":"object","properties":{"kind":{"const":"square"},"a":{"type":"object","properties":
      {"x":{"type":"number"}}}},"required":["kind","a"]}}}
  """##

@Suite struct JSONSchemaTests {
  @Test(
    arguments: [
      // Types.
      (#"{"type":"string"}"#, #""a""#, "ok"),
      (#"{"type":"string"}"#, "1", "the whole value: expected string, found 1"),
      (#"{"type":["string","null"]}"#, "null", "ok"),
      (
        #"{"type":["string","null"]}"#, "[]",
        "the whole value: expected string or null, found an array"
      ),
      (#"{"type":"boolean"}"#, "true", "ok"),
      (#"{"type":"object"}"#, "{}", "ok"), (#"{"type":"array"}"#, "[1]", "ok"),
      (#"{"type":"null"}"#, "{}", "the whole value: expected null, found an object"),
      (#"{"type":"number"}"#, "1.5e3", "ok"),
      (#"{"type":"integer"}"#, "1.0", "ok"), (#"{"type":"integer"}"#, "1e400", "ok"),
      (#"{"type":"integer"}"#, "15e-1", "the whole value: expected integer, found 15e-1"),
      (#"{"type":"integer"}"#, "150e-1", "ok"), (#"{"type":"integer"}"#, "-0.0", "ok"),
      (
        #"{"type":"integer"}"#, "0.1e-99999999999999999999",
        "the whole value: expected integer, found 0.1e-99999999999999999999"
      ),
      ("{}", "[{}]", "ok"), (" {} ", " 1 ", "ok"),
      // Constants.
      (#"{"enum":["a",1,null]}"#, "1.0", "ok"), (#"{"enum":["a",1,null]}"#, #""\u0061""#, "ok"),
      (#"{"enum":["a",1,null]}"#, "2", #"the whole value: expected one of "a", 1, null, found 2"#),
      (#"{"const":{"a":[1,2],"b":"x"}}"#, #"{ "b":"x", "a":[1.0,20e-1] }"#, "ok"),
      (
        #"{"const":{"a":[1,2]}}"#, #"{"a":[2,1]}"#,
        #"the whole value: expected {"a":[1,2]}, found an object"#
      ),
      (
        #"{"const":9007199254740993}"#, "9007199254740992",
        "the whole value: expected 9007199254740993, found 9007199254740992"
      ),
      (
        #"{"const":{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}}"#,
        #"{"h":8,"g":7,"f":6,"e":5,"d":4,"c":3,"b":2,"a":1}"#, "ok"
      ),
      (#"{"const":{"a":1}}"#, #"{"a":1,"a":2}"#, "ok"),
      (
        #"{"const":{"a":1}}"#, #"{"a":2,"a":1}"#,
        #"the whole value: expected {"a":1}, found an object"#
      ),
      (#"{"const":0}"#, "-0", "ok"),
      (#"{"const":false}"#, "0", "the whole value: expected false, found 0"),
      (#"{"enum":[[],{}]}"#, "{}", "ok"),
      // Strings.
      (#"{"minLength":2}"#, #""😀""#, "the whole value: expected at least 2 characters, found 1"),
      (#"{"maxLength":1}"#, #""\ud83d\ude00""#, "ok"),
      (#"{"maxLength":2}"#, #""abc""#, "the whole value: expected at most 2 characters, found 3"),
      (#"{"maxLength":2.0}"#, "12345", "ok"),
      // Not checked.
      (#"{"pattern":"("}"#, #""abc""#, "ok"), (#"{"format":"date"}"#, #""2024-13-01""#, "ok"),
      // Arrays.
      (#"{"items":{"type":"integer"}}"#, "[1,2]", "ok"),
      (#"{"items":{"type":"integer"}}"#, #"[1,"2"]"#, #"/1: expected integer, found "2""#),
      (#"{"minItems":2}"#, "[1]", "the whole value: expected at least 2 elements, found 1"),
      (#"{"maxItems":0}"#, "[1]", "the whole value: expected at most 0 elements, found 1"),
      (#"{"items":false}"#, "[]", "ok"),
      (#"{"items":false}"#, "[1]", "/0: the schema allows no value here"),
      (#"{"items":{"items":{"type":"null"}}}"#, "[[],[null,0]]", "/1/1: expected null, found 0"),
      (
        #"{"prefixItems":[{"type":"null"},{"type":"string"}],"items":{"type":"integer"}}"#,
        #"[null,"a",1]"#, "ok"
      ),
      (#"{"prefixItems":[{"type":"null"}],"items":false}"#, "[1]", "/0: expected null, found 1"),
      (#"{"prefixItems":[{}],"items":false}"#, "[1,2]", "/1: the schema allows no value here"),
      (#"{"uniqueItems":true}"#, #"[1,"1",{"a":1,"b":2},{"b":2},[1],1.1]"#, "ok"),
      (
        #"{"uniqueItems":true}"#, #"[{"a":1,"b":2},{"b":2.0,"a":1}]"#,
        "the whole value: expected elements that differ, found an object twice"
      ),
      (#"{"uniqueItems":false}"#, "[1,1]", "ok"),
      // Schemas of the same value.
      (#"{"allOf":[{"minimum":1},{"maximum":3}]}"#, "2", "ok"),
      (
        #"{"allOf":[{"minimum":1},{"maximum":3}]}"#, "4",
        "the whole value: expected at most 3, found 4"
      ),
      (#"{"not":{"type":"null"}}"#, "1", "ok"),
      (
        #"{"properties":{"a":{"not":{"type":"null"}}}}"#, #"{"a":null}"#,
        "/a: expected a value that does not meet the schema of not"
      ),
      (#"{"oneOf":[{"minimum":1},{"maximum":3}]}"#, "4", "ok"),
      (
        #"{"oneOf":[{"minimum":1},{"maximum":3}]}"#, "2",
        "the whole value: meets 2 alternatives of oneOf, not one"
      ),
      (
        #"{"oneOf":[{"type":"null"},{"minimum":3}]}"#, "2",
        "the whole value: meets none of the 2 alternatives of oneOf: 1: expected null, found 2; 2: expected at least 3, found 2"
      ),
      // Objects.
      (
        #"{"patternProperties":{"^x":{"type":"null"}},"additionalProperties":false}"#,
        #"{"x1":1}"#, "ok"
      ),
      (
        #"{"patternProperties":{"^x":{}},"properties":{"x":{"type":"null"}}}"#, #"{"x":1}"#,
        "/x: expected null, found 1"
      ),
      (#"{"if":{},"then":false,"minProperties":9}"#, "{}", "ok"),
      (#"{"required":["a","b"]}"#, #"{"a":1}"#, #"the whole value: the member "b" is missing"#),
      (#"{"required":["a"]}"#, #"{"\u0061":1}"#, "ok"),
      (
        #"{"properties":{"a":{"type":"string"}}}"#, #"{"a":1,"b":2}"#,
        "/a: expected string, found 1"
      ),
      (
        #"{"properties":{"a":{}},"additionalProperties":false}"#, #"{"a":1,"b":2}"#,
        "/b: no member of this name is allowed"
      ),
      (#"{"additionalProperties":{"type":"null"}}"#, #"{"x":0}"#, "/x: expected null, found 0"),
      (#"{"additionalProperties":true}"#, #"{"x":0}"#, "ok"),
      (
        #"{"additionalProperties":false,"properties":{"é":{}}}"#, "{\"e\u{301}\":0}",
        "/e\u{301}: no member of this name is allowed"
      ),
      (
        #"{"properties":{"a/b":{"properties":{"c~d":{"type":"null"}}}}}"#, #"{"a/b":{"c~d":1}}"#,
        "/a~1b/c~0d: expected null, found 1"
      ),
      (#"{"properties":{"a":{"const":1}}}"#, #"{"a":1,"a":2}"#, "/a: expected 1, found 2"),
      // Choices.
      (shapes, #"{"kind":"circle","r":1}"#, "ok"), (shapes, "null", "ok"),
      (
        shapes, #"{"kind":"square","a":{"x":""}}"#,
        #"the whole value: meets none of the 3 alternatives of anyOf: 1: /kind: expected "circle", found "square"; 2: /a/x: expected number, found ""; 3: expected null, found an object"#
      ),
      (
        shapes, #"{"kind":"circle"}"#,
        #"the whole value: meets none of the 3 alternatives of anyOf: 1: the member "r" is missing; 2: /kind: expected "square", found "circle"; 3: expected null, found an object"#
      ),
      (
        shapes, "5",
        "the whole value: meets none of the 3 alternatives of anyOf: 1: expected object, found 5; 2: expected object, found 5; 3: expected null, found 5"
      ),
      (#"{"anyOf":[{"type":"string"}]}"#, "5", "the whole value: expected string, found 5"),
      (
        #"{"anyOf":[{"properties":{"a":{"const":1}}},{"properties":{"a":{"type":"string"}}}]}"#,
        #"{"a":2}"#,
        "the whole value: meets none of the 2 alternatives of anyOf: 1: /a: expected 1, found 2; 2: /a: expected string, found 2"
      ),
      (#"{"enum":["a"],"type":"string"}"#, "5", "the whole value: expected string, found 5"),
      (
        #"{"anyOf":[{"minimum":3},{"type":"null"}]}"#, "2",
        "the whole value: meets none of the 2 alternatives of anyOf: 1: expected at least 3, found 2; 2: expected null, found 2"
      ),
      // References.
      (tree, #"{"n":1,"kids":[{"n":2,"kids":[]}]}"#, "ok"),
      (
        tree, #"{"n":1,"kids":[{"n":2,"kids":[{"n":"3","kids":[]}]}]}"#,
        #"/kids/0/kids/0/n: expected integer, found "3""#
      ),
      (
        ##"{"$ref":"#/definitions/a","definitions":{"a":{"type":"null"}}}"##, "1",
        "the whole value: expected null, found 1"
      ),
      (##"{"$ref":"#/$defs/a%20b~1","$defs":{"a b/":{"type":"null"}}}"##, "null", "ok"),
      (
        ##"{"properties":{"a":{"type":"null"},"b":{"$ref":"#/properties/a"}}}"##, #"{"b":1}"#,
        "/b: expected null, found 1"
      ),
      (
        ##"{"$ref":"#/$defs/a","minimum":3,"$defs":{"a":{"type":"integer"}}}"##, "2",
        "the whole value: expected at least 3, found 2"
      ),
      // What only annotates.
      (
        #"{"title":"t","description":"d","default":1,"examples":[2],"$schema":"x","$id":"y","$comment":"z"}"#,
        "1", "ok"
      ),
      // The forms of a request.
      (#"{"type":"json_schema","name":"n","strict":true,"schema":{"type":"null"}}"#, "null", "ok"),
      (#"{"name":"n","schema":{"type":"null"}}"#, "1", "the whole value: expected null, found 1"),
      (
        #"{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"null"}}}"#, "null", "ok"
      ),
    ] as [(String, String, String)])
  func `a value meets a schema, or its fault has a place and a reason`(
    schema: String, value: String, expected: String
  ) throws {
    #expect(try verdict(schema, value) == expected)
  }

  @Test(
    arguments: [
      ("minimum", "5", "at least", ["5", "5.0", #""4""#], ["4.999"]),
      ("minimum", "-5", "at least", ["-5"], ["-5.1"]),
      ("maximum", "1e400", "at most", ["1e399"], ["1e401"]),
      ("maximum", "9007199254740992", "at most", [], ["9007199254740993"]),
      ("exclusiveMinimum", "0", "more than", ["1e-400"], ["0.0", "-1"]),
      ("exclusiveMaximum", "0", "less than", ["-1e-400"], ["0"]),
      ("exclusiveMaximum", "10", "less than", ["9.99", "-11"], ["10"]),
      ("multipleOf", "0.01", "a multiple of", ["19.99"], []),
      ("multipleOf", "0.1", "a multiple of", [], ["0.30000000000000001"]),
      ("multipleOf", "7", "a multiple of", [], ["1e400"]),
      ("multipleOf", "5", "a multiple of", ["1e400"], []),
      ("multipleOf", "3", "a multiple of", ["123456789012345678901234567890"], []),
      ("multipleOf", "10", "a multiple of", [], ["15"]),
      ("multipleOf", "2.5", "a multiple of", ["7.5", "-5"], []),
      ("multipleOf", "2", "a multiple of", ["0"], []),
      ("multipleOf", "72057594037927936", "a multiple of", ["1e56", "3e99"], ["1e55", "3e55"]),
    ] as [(String, String, String, [String], [String])])
  func `a number keeps to a bound exactly, however it is spelled`(
    keyword: String, bound: String, words: String, good: [String], bad: [String]
  ) throws {
    for value in good { #expect(try verdict(#"{"\#(keyword)":\#(bound)}"#, value) == "ok") }
    for value in bad {
      let why = "the whole value: expected \(words) \(bound), found \(value)"
      #expect(try verdict(#"{"\#(keyword)":\#(bound)}"#, value) == why)
    }
  }

  @Test(
    arguments: [
      ("{", "line 1, column 2: not JSON: the value does not end"),
      ("[]", "the schema: a schema is an object"), ("true", "the schema: a schema is an object"),
      (#"{"allOf":[]}"#, "/allOf: expected at least one schema"),
      (
        #"{"properties":{"a/b":{"items":{"uniqueItem":true}}}}"#,
        #"/properties/a~1b/items/uniqueItem: there is no keyword "uniqueItem""#
      ),
      (#"{"$defs":{"x":{"no":{}}}}"#, #"/$defs/x/no: there is no keyword "no""#),
      (#"{"anyOf":[{},{"not":1}]}"#, "/anyOf/1/not: a schema is an object, or true or false"),
      (##"{"not":{"$ref":"#"}}"##, "the schema: the schema refers to itself without end"),
      (#"{"type":"strin"}"#, "/type: no type is called strin"),
      (#"{"type":[]}"#, "/type: expected at least one type"),
      (#"{"type":1}"#, "/type: expected a string"),
      (#"{"enum":1}"#, "/enum: expected an array"),
      (#"{"enum":[]}"#, "/enum: expected at least one value"),
      (#"{"required":[1]}"#, "/required: expected strings"),
      (#"{"properties":[]}"#, "/properties: expected schemas by name"),
      (#"{"properties":{"a":1}}"#, "/properties/a: a schema is an object, or true or false"),
      (#"{"anyOf":[]}"#, "/anyOf: expected at least one schema"),
      (#"{"anyOf":{}}"#, "/anyOf: expected an array of schemas"),
      (#"{"minimum":"1"}"#, "/minimum: expected a number"),
      (#"{"multipleOf":0}"#, "/multipleOf: expected a number above 0 of 17 digits at most"),
      (#"{"multipleOf":-1}"#, "/multipleOf: expected a number above 0 of 17 digits at most"),
      (#"{"minLength":-1}"#, "/minLength: expected a whole number from 0 on"),
      (#"{"minLength":1.5}"#, "/minLength: expected a whole number from 0 on"),
      (#"{"maxItems":1e99}"#, "/maxItems: expected a whole number from 0 on"),
      (##"{"$ref":"#/$defs/a"}"##, "/$ref: #/$defs/a leads to nothing"),
      (#"{"$ref":"other.json"}"#, "/$ref: other.json is no reference within the schema (#/…)"),
      (##"{"$ref":"#a"}"##, "/$ref: #a is no reference within the schema (#/…)"),
      (##"{"$ref":"#/%g0"}"##, "/$ref: #/%g0 is no reference within the schema (#/…)"),
      (##"{"$ref":"#"}"##, "the schema: the schema refers to itself without end"),
      (
        ##"{"items":{"$ref":"#/$defs/a"},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}}}"##,
        "/$defs/b: the schema refers to itself without end"
      ),
      (#"{"type":"json_schema","name":"n"}"#, "there is no schema in it"),
      // What has another type is no wrapper, whatever else is in it.
      (
        #"{"type":"object","schema":{"type":"string"}}"#,
        #"/schema: there is no keyword "schema""#
      ),
    ] as [(String, String)])
  func `what is no schema of the subset is refused with its place`(schema: String, why: String) {
    #expect(refusal(schema) == "s.json: " + why)
  }

  @Test func `the wrapper of a request gives name, strict and the schema as it is spelled`() throws
  {
    let text = #" {"name":"n\u0061","strict":false, "schema": {"type" : "null"} } "#
    let wrapped = SchemaDocument(Array(text.utf8).span)
    let document = try #require(wrapped)
    #expect(document.name == "na")
    #expect(document.isStrict == false && document.description == nil)
    #expect(String(decoding: document.schema, as: UTF8.self) == #"{"type" : "null"}"#)
    let found = SchemaDocument(Array("{}\n".utf8).span)
    let bare = try #require(found)
    #expect(bare.name == nil && bare.isStrict == nil && bare.schema == Array("{}".utf8))
  }

  @Test func `what is nested too deep is a fault and no crash`() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: #"{"n":1,"kids":["#, count: levels) + String(repeating: "]}", count: levels)
    }
    #expect(try verdict(tree, nested(160)) == "ok")
    let deep = try verdict(tree, nested(1000))
    #expect(deep.hasSuffix(": nested too deep to be validated (500 levels)"))
    let value = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
    #expect(try verdict(#"{"enum":[[]]}"#, value) == "the whole value: expected [], found an array")
    func schema(_ levels: Int) -> String {
      String(repeating: #"{"items":"#, count: levels) + "{}" + String(repeating: "}", count: levels)
    }
    #expect(try verdict(schema(500), "[[[1]]]") == "ok")
    #expect(refusal(schema(501)).contains("schemas are nested deeper than 500 levels"))
  }

  @Test func `alternatives are tried once at each place`() throws {
    let schema =
      ##"{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}],"$defs":{"a":{"required":["x"],"properties":{"x":{"$ref":"#"}}},"b":{"required":["x"],"properties":{"x":{"$ref":"#"},"z":{}}}}}"##
    let value = String(repeating: #"{"x":"#, count: 60) + "{}" + String(repeating: "}", count: 60)
    let got = try verdict(schema, value)
    #expect(got.hasPrefix("the whole value: meets none of the 2") && got.utf8.count < 1000)
  }

  @Test func `a schema that several references lead to is tried once at each place`() throws {
    let schema =
      ##"{"properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}"##
    let value = String(repeating: #"{"a":"#, count: 40) + "1" + String(repeating: "}", count: 40)
    #expect(try verdict(schema, value) == "ok")
  }
}
