import Testing

@testable import oresp_send

@Suite struct SendPresetTests {
  private static let command = SendCommand(
    stdin: "piped",
    files: [
      "/h/.config/oresp/presets/one.json":
        #"{"model":"one","reasoning":{"effort":"low","context":"auto"},"tools":[{"type":"a"}],"#
        + #""text":{"format":{"type":"json_schema","name":"n"},"verbosity":"low"},"#
        + #""prompt":{"id":"p","version":"1"},"metadata":{"a":"1","b":"1"}}"#,
      "/h/.config/oresp/presets/two.json":
        #"{"reasoning":{"effort":"high"},"tools":[],"text":{"format":{"type":"text"}},"#
        + #""prompt":{"id":"q"},"metadata":{"b":"2"},"temperature":1.0}"#,
      "/h/.config/oresp/presets/.hidden.json": "{}", "/h/.config/oresp/presets/notes.txt": "{}",
      "/x/oresp/presets/three.json": #"{"model":"three"}"#, "four.json": #"{"model":"four"}"#,
      "dir/five": #"{"model":"five","input":"own"}"#, "/h/.config/oresp/presets/bad.json": "[]",
      "body": #"{"input":"b","metadata":{"c":"3"},"temperature":2}"#,
    ], environment: ["HOME": "/h"])

  @Test func `a later preset counts over an earlier one, member by member`() throws {
    let made = try Self.command.body(["-P", "one", "-P", "two", "hi"])
    #expect(
      made == #"{"model":"one","reasoning":{"effort":"high","context":"auto"},"#
        + #""tools":[],"text":{"format":{"type":"text"},"verbosity":"low"},"#
        + #""prompt":{"id":"q"},"metadata":{"a":"1","b":"2"},"temperature":1.0,"#
        + #""input":"hi","stream":true}"#)
  }

  @Test func `a body counts over presets, and options over both`() throws {
    let made = try Self.command.body([
      "-P", "two", "-b", "body", "--metadata=c=4", "--effort=none", "-m", "m",
    ])
    #expect(
      made == #"{"model":"m","reasoning":{"effort":"none"},"tools":[],"#
        + #""text":{"format":{"type":"text"}},"prompt":{"id":"q"},"#
        + #""metadata":{"b":"2","c":"4"},"temperature":2,"input":"b","stream":true}"#)
  }

  @Test func `a name with a slash or a suffix is a file`() throws {
    #expect(try Self.command.body(["-P", "four.json", "hi"]).contains(#""model":"four""#))
    #expect(try Self.command.body(["-P", "dir/five", "hi"]).contains(#""model":"five""#))
    var command = Self.command
    command.stdin = #"{"model":"stdin"}"#
    #expect(try command.body(["-P", "-", "hi"]).contains(#""model":"stdin""#))
    command.environment["XDG_CONFIG_HOME"] = "/x"
    #expect(try command.body(["-P", "three", "hi"]).contains(#""model":"three""#))
    command.environment["XDG_CONFIG_HOME"] = "x"
    #expect(try command.body(["-P", "one", "hi"]).contains(#""model":"one""#))
  }

  @Test func `a preset with an input or a template needs no standard input`() throws {
    #expect(try Self.command.body(["-P", "dir/five"]).contains(#""input":"own""#))
    #expect(!(try Self.command.body(["-P", "one"])).contains("input"))
    #expect(try Self.command.body(["-P", "four.json"]).contains(#""input":"piped""#))
  }

  @Test(arguments: [
    (["-P", "tow"], "/h/.config/oresp/presets/tow.json: errno 2"),
    (["-P", ""], "-P: expected a name"),
    (
      ["-P", "bad"],
      "/h/.config/oresp/presets/bad.json: line 1, column 1: expected a JSON object; "
        + "a list of tools is for -t @FILE, of items for --items FILE (2)"
    ),
    (["-P", "none.json"], "none.json: errno 2"),
    (["-P", "-", "-"], "standard input can be read only once, and several name it: -P, -"),
  ])
  func `a preset that is not there, or none, is told with its file`(
    arguments: [String], why: String
  ) {
    #expect(Self.command.refusal(arguments) == why)
  }

  @Test func `the presets are listed with their files`() throws {
    let folder = "/h/.config/oresp/presets"
    #expect(
      try PresetFolder(Self.command.sources).rows
        == ["bad", "one", "two"].map { [$0, "\(folder)/\($0).json"] })
    #expect(try PresetFolder(SendCommand(environment: ["HOME": "/none"]).sources).rows.isEmpty)
  }

  @Test func `without a home there is no folder`() {
    let why = SendCommand().refusal(["-P", "one"])
    #expect(why == "--preset: no folder of presets: neither XDG_CONFIG_HOME nor HOME is set")
    let none = SendCommand(environment: ["HOME": "/n"]).refusal(["-P", "one"])
    #expect(none == "/n/.config/oresp/presets/one.json: errno 2")
  }

  @Test func `objects too deep to be merged are refused`() {
    let deep = String(repeating: #"{"a":"#, count: 40) + "1" + String(repeating: "}", count: 40)
    let why = SendCommand(files: ["p.json": deep]).refusal(["-P", "p.json", "-P", "p.json"])
    #expect(why == "objects deeper than 32 are not merged (2)")
    #expect(SendCommand(files: ["p.json": deep]).refusal(["-P", "p.json"]) == "")
  }
}
