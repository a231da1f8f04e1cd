import Testing

@testable import oresp_send

@Suite struct SendSchemaTests {
  /// An object that keeps to the rules, with `rest` in it.
  private static func object(_ rest: String = "") -> String {
    #"{\#(rest)"type":"object", "properties":{},"required":[],"additionalProperties":false}"#
  }

  private static let schema = Self.object()

  /// The command with `text` in the file `path`, and the format it makes.
  private static func format(
    _ text: String, path: String = "dir/person.v1.json", _ arguments: [String] = []
  ) throws -> String {
    let command = SendCommand(stdin: text, files: [path: text])
    return try command.rest(["-S", path] + arguments)
  }

  private static func made(_ name: String, _ rest: String) -> String {
    #"{"text":{"format":{"type":"json_schema","name":"\#(name)",\#(rest)}}}"#
  }

  @Test func `a schema is wrapped and keeps its spelling`() throws {
    let rest = #""schema":\#(Self.schema),"strict":true"#
    #expect(try Self.format(Self.schema + "\n") == Self.made("person", rest))
    #expect(try Self.format(Self.schema, path: "-") == Self.made("answer", rest))
    #expect(try Self.format(Self.schema, path: "日本.json") == Self.made("answer", rest))
    #expect(try Self.format(Self.schema, path: "a b.json") == Self.made("a_b", rest))
    #expect(try Self.format(Self.schema, path: "/dev/fd/63") == Self.made("answer", rest))
    #expect(try Self.format(Self.schema, path: "/proc/self/fd/6") == Self.made("answer", rest))
    let named = try Self.format(Self.schema, ["--set-str=text.format.name=x-1_Y"])
    #expect(named == Self.made("x-1_Y", rest))
    let loose = #""schema":\#(Self.schema),"strict":false"#
    let made = try Self.format(Self.schema, ["--set=text.format.strict=false"])
    #expect(made == Self.made("person", loose))
  }

  @Test func `a title names a schema`() throws {
    let schema = Self.object(#""title":"A person, é","#)
    let rest = #""schema":\#(schema),"strict":true"#
    #expect(try Self.format(schema) == Self.made("A_person____", rest))
  }

  @Test(arguments: [
    #"{"name":"n","strict":false,"schema":\#(schema),"description":"d"}"#,
    #"{"type":"json_schema","name":"n","strict":false,"schema":\#(schema),"description":"d"}"#,
    #"{"type":"json_schema","json_schema":{"name":"n","strict":false,"description":"d","#
      + #""schema":\#(schema)}}"#,
  ])
  func `a schema may have its name around it`(text: String) throws {
    let rest = #""description":"d","schema":\#(Self.schema),"strict":"#
    #expect(try Self.format(text) == Self.made("n", rest + "false"))
  }

  @Test func `a schema of a thing called schema is one`() throws {
    let schema = #"{"type":"object","schema":{"type":"string"}}"#
    let made = try Self.format(schema)
    #expect(made.contains(#""schema":{"type":"object","schema":"#))
  }

  @Test func `verbosity and format stand side by side`() throws {
    let made = try Self.format(Self.schema, path: "s", ["--verbosity=low"])
    #expect(made.hasPrefix(#"{"text":{"format":{"type":"json_schema","#))
    #expect(made.hasSuffix(#""strict":true},"verbosity":"low"}}"#))
  }

  @Test(arguments: [
    ("[]", [], "f: a JSON Schema is an object (2)"),
    ("{", [], "f: line 1, column 2: not JSON: the value does not end (2)"),
    (#"{"json_schema":{"schema":1}}"#, [], "f: a JSON Schema is an object (2)"),
    (#"{"type":"json_schema","name":"n"}"#, [], "f: there is no schema in it (2)"),
    ("{}", ["-S", "none"], "none: errno 2"),
    ("{}", ["-S", ""], "-S: expected the name of a file"),
    (schema, ["-b", "t"], "--schema: text.format: text is a string, not an object"),
  ])
  func `what is no schema is refused`(text: String, arguments: [String], why: String) {
    let command = SendCommand(files: ["f": text, "t": #"{"text":"x"}"#])
    #expect(command.refusal(["-S", "f"] + arguments) == why)
  }

  @Test func `standard input that is no schema is bad input`() {
    let command = SendCommand(stdin: "[]")
    #expect(command.refusal(["-S", "-"]) == "stdin: a JSON Schema is an object (3)")
  }
}
