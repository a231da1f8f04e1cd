import Testing

@testable import oresp_send

@Suite struct SendRequestTests {
  @Test(arguments: [
    (["Hello"], #"{"model":"m","input":"Hello","stream":true}"#),
    (["Hello", "you", "\"there\""], #"{"model":"m","input":"Hello you \"there\"","stream":true}"#),
    (["-"], #"{"model":"m","input":"piped\n","stream":true}"#),
    (["a", "-", "é"], #"{"model":"m","input":"a\npiped\né","stream":true}"#),
    (["-", "é"], #"{"model":"m","input":"piped\né","stream":true}"#),
    (["a", "b", "-"], #"{"model":"m","input":"a b\npiped\n","stream":true}"#),
    ([], #"{"model":"m","input":"piped\n","stream":true}"#),
  ])
  func `the prompt is its words, with standard input in the place of a dash`(
    prompt: [String], body: String
  ) throws {
    #expect(try SendCommand(stdin: "piped\n").body(["-m", "m"] + prompt) == body)
  }

  @Test(arguments: [
    ("x", "a\\nx\\né"), ("x\n\n", "a\\nx\\n\\né"), ("\nx", "a\\n\\nx\\né"),
  ])
  func `standard input in a prompt stands on lines of its own`(
    stdin: String, input: String
  ) throws {
    for name in ["-", "@-", "/dev/stdin", "/dev/fd/0"] {
      let made = try SendCommand(stdin: stdin).body(["-m", "m", "a", name, "é"])
      #expect(made == #"{"model":"m","input":"\#(input)","stream":true}"#)
    }
  }

  @Test(arguments: [
    (#"{"model":"b"}"#, #"{"model":"b","stream":true}"#),
    (#" { "model" : "b" ,"stream" : false } "#, #"{"model":"b","stream":false}"#),
    (
      #"{"x":[1.0e3, "\u00e9"],"stream":true,"model":"b","input":[ ]}"#,
      #"{"x":[1.0e3, "\u00e9"],"stream":true,"model":"b","input":[ ]}"#
    ),
    (#"{"a":1,"model":"b","a":2}"#, #"{"a":1,"model":"b","a":2,"stream":true}"#),
  ])
  func `a body keeps its members as they are`(given: String, body: String) throws {
    let command = SendCommand(files: ["f": given], environment: ["ORESP_MODEL": "e"])
    #expect(try command.body(["-b", "f"]) == body)
    #expect(try SendCommand(stdin: body + "\n").body(["-b", "-"]) == body)
  }

  @Test func `flags and the prompt replace what the body says, in its place`() throws {
    let given = #"{"stream":true,"model":"b","input":"x","n":1,"model":"c"}"#
    let made = try SendCommand(files: ["f": given]).body(["-b", "f", "-m", "m", "--no-stream", "y"])
    #expect(made == #"{"stream":false,"model":"m","input":"y","n":1}"#)
  }

  @Test(arguments: [
    (["p"], "e"), (["-b", "f", "p"], "b"), (["-b", "f", "-m", "m", "p"], "m"),
  ])
  func `the model is the flag's, else the body's, else the environment's`(
    arguments: [String], model: String
  ) throws {
    let command = SendCommand(files: ["f": #"{"model":"b"}"#], environment: ["ORESP_MODEL": "e"])
    #expect(try command.body(arguments).contains(#""model":"\#(model)""#))
    #expect(SendCommand().refusal(["p"], behind: []).contains("model"))
  }

  @Test(arguments: [
    ("piped", #"{"model":"b","input":"piped","stream":true}"#),
    ("", #"{"model":"b","stream":true}"#), (nil, #"{"model":"b","stream":true}"#),
  ])
  func `standard input is the prompt of a body and of a rehearsal, and may be empty`(
    stdin: String?, body: String
  ) throws {
    let command = SendCommand(stdin: stdin, files: ["f": #"{"model":"b"}"#])
    #expect(try command.body(["-b", "f"]) == body)
    #expect(try command.body(["--rehearse", "-m", "b"]) == body)
  }

  @Test(arguments: [
    ([], nil, "nothing to send: give a PROMPT, -f or -b"),
    ([], "", "nothing to send: no PROMPT, and stdin is empty"),
    (["-b", "-"], "1", "stdin: line 1, column 1: expected a JSON object (3)"),
    (["-b", "-"], "{\"a\":", "stdin: line 1, column 6: not JSON: the value does not end (3)"),
    (["-b", "-"], "", "-b: nothing to send: stdin is empty"),
    (["a", "-", "é"], "", "nothing to send: stdin is empty"),
    (["a", "-", "é"], " \n", "nothing to send: stdin is empty"),
    (["-b", "missing"], nil, "missing: errno 2"),
  ])
  func `what cannot be sent is refused`(arguments: [String], stdin: String?, why: String) {
    #expect(SendCommand(stdin: stdin).refusal(arguments, behind: ["-m", "m"]) == why)
  }
}
