import Testing

@testable import oresp_send

/// What becomes of the prompt, of items and of standard input.
@Suite struct SendInputTests {
  private static func body(_ items: String) -> String {
    #"{"model":"m","input":[\#(items)],"stream":true}"#
  }

  @Test(arguments: [
    ("{\"a\":1}\n\n {\"b\": 1e3}\n", #"{"a":1},{"b": 1e3}"#), ("{}{}", "{},{}"),
    (" [ {\"a\":[1]}, {} ]\n", #"{"a":[1]},{}"#), ("{\n}", "{}"),
    ("[{\"a\":\r\n  1,\n\t\"b\" : 2}]", #"{"a":1,"b":2}"#), ("[]\n{}", "{}"),
    (#"{"type":"message","id":"msg_1"}"#, #"{"type":"message","id":"msg_1"}"#),
  ])
  func `items stand before the prompt, as they were spelled`(items: String, made: String) throws {
    let message = #"{"type":"message","role":"user","content":"Hi"}"#
    let body = try SendCommand(stdin: items).body(["-m", "m", "Hi", "--items=-"])
    #expect(body == Self.body("\(made),\(message)"))
  }

  @Test(arguments: [
    (#"{"call_id":"c","output":"a\u00e9\n","x":1}"#, "function_call_output", #""a\u00e9\n""#),
    (#"{"output":{"a": [1.0]},"call_id":"c"}"#, "function_call_output", #""{\"a\": [1.0]}""#),
    (#"{"call_id":"c","output":null}"#, "function_call_output", #""null""#),
    (#"{"call_id":"c","output":41.50}"#, "function_call_output", #""41.50""#),
    (
      #"{"type":"function_call","id":"fc","call_id":"c","arguments":"{}","output":"1"}"#,
      "function_call_output", #""1""#
    ),
    (
      #"{"type":"custom_tool_call","call_id":"c","output":[]}"#, "custom_tool_call_output",
      #""[]""#
    ),
  ])
  func `an output is put into an item of its kind`(
    line: String, type: String, output: String
  ) throws {
    let body = try SendCommand(stdin: line).body(["-m", "m", "--outputs=-"])
    #expect(body == Self.body(#"{"type":"\#(type)","call_id":"c","output":\#(output)}"#))
  }

  @Test func `an output of parts stays one`() throws {
    let parts = #"[{"type":"input_image","image_url":"data:image/png;base64,AA=="}]"#
    let line = #"{"call_id":"c","output":\#(parts)}"#
    let body = try SendCommand(stdin: line).body(["-m", "m", "--outputs=-"])
    #expect(
      body == Self.body(#"{"type":"function_call_output","call_id":"c","output":\#(parts)}"#))
  }

  @Test func `a call that the server made itself needs no output`() throws {
    let lines = #"{"type":"mcp_call","id":"m","output":"x"}"# + "\n" + #"{"type":"x","n":1}"#
    let body = try SendCommand(stdin: lines).body(["-m", "m", "--outputs=-"])
    #expect(body == Self.body(#"{"type":"x","n":1}"#))
  }

  @Test func `outputs and items stand in the order in which they were given`() throws {
    let whole = #"{"type":"shell_call_output","output":[]}"#
    let command = SendCommand(stdin: whole, files: ["items": "{}"])
    let body = try command.body([
      "-m", "m", #"--outputs={"call_id":"c1","output":"=@x"}"#, "--items=items",
      #"--outputs={"call_id":"c2","output":"a\n\""}"#, "--outputs=-", "--previous=resp_0",
    ])
    let first = #"{"type":"function_call_output","call_id":"c1","output":"=@x"}"#
    let second = #"{"type":"function_call_output","call_id":"c2","output":"a\n\""}"#
    #expect(
      body == #"{"model":"m","previous_response_id":"resp_0","input":["#
        + #"\#(first),{},\#(second),\#(whole)],"stream":true}"#)
  }

  @Test(arguments: [
    "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r\"}}\n\n",
    "{\"type\":\"response.created\",\"response\":{\"id\":\"a\"}}\n"
      + "{\"type\":\"response.completed\",\"response\":{\"id\":\"r\"}}\n{\"type\":\"keepalive\"}\n",
    "{\"id\":\"r\",\"object\":\"response\",\"status\":\"completed\",\"output\":[]}",
    "{\n \"id\": \"r\",\n \"object\": \"response\"\n}\n",
    "{\"status\":200,\"response_id\":\"a\"}\n{\"status\":200,\"response_id\":\"r\"}\n",
    "{\"custom_id\":\"1\",\"response\":{\"status_code\":200,\"body\":{\"id\":\"r\"}}}\n",
  ])
  func `the response to continue is found in what tells of it`(text: String) throws {
    let body = try SendCommand(stdin: text).body(["-m", "m", "Hi", "--previous=@-"])
    #expect(
      body == #"{"model":"m","previous_response_id":"r","input":"Hi","stream":true}"#)
  }

  @Test(arguments: [
    (#"{"type":"x"}"#, "stdin: no id of a response in it"),
    (#"{"response_id":7}"#, "stdin: no id of a response in it"),
    ("{\"a\":1}\n{\"b\"\n", "line 2: the input is cut off"),
  ])
  func `a response that is not found is told`(text: String, why: String) {
    let told = SendCommand(stdin: text).refusal(["--previous=@-"])
    #expect(told.contains(why) && told.hasSuffix(" (3)"))
  }

  @Test(arguments: [
    ("3", "stdin: line 1, column 1: expected a JSON object"),
    ("{}\n\n[{}, 1]", "stdin: line 3, column 31: expected a JSON object"),
    ("{}\n{\"a\"\n{}", "stdin: line 3, column 1: not JSON"),
    ("{}\n{\"a\":\"\u{1}\"}", "stdin: line 2, column 7: not JSON"),
    ("", "nothing to send"), ("[]", "nothing to send"),
  ])
  func `items that are none are told by their line`(text: String, why: String) {
    for source in ["--items=-", "--outputs=-"] {
      let text = text.replacing("{}", with: #"{"call_id":"c","output":""}"#)
      let told = SendCommand(stdin: text).refusal([source], behind: ["-m", "m"])
      #expect(told.contains(why) && told.hasSuffix(" (3)") == why.hasPrefix("stdin: "))
    }
  }

  @Test(arguments: [
    (#"{"output":"x"}"#, "no call_id"), (#"{"call_id":null,"output":"x"}"#, "no call_id"),
    (#"{"call_id":"","output":"x"}"#, "no call_id"),
    (#"{"type":"function_call","call_id":"c7"}"#, "no output for the call c7"),
    (#"{"type":"shell_call","call_id":"c","output":"x"}"#, "shell_call: the answer has"),
    (#"{"type":"local_shell_call","call_id":"c"}"#, "local_shell_call: the answer has"),
    (#"{"type":"apply_patch_call","call_id":"c"}"#, "apply_patch_call: the answer has"),
    (#"{"type":"computer_call","call_id":"c","output":"x"}"#, "computer_call: the answer has"),
    (#"{"type":"tool_search_call","call_id":"c"}"#, "tool_search_call: the answer has"),
    (#"{"type":"mcp_approval_request","id":"a","output":true}"#, "mcp_approval_request: the ans"),
  ])
  func `an output that cannot be sent is told by its line`(line: String, why: String) {
    let told = SendCommand(stdin: "\n" + line).refusal(["--outputs=-"], behind: ["-m", "m"])
    #expect(told.hasPrefix("stdin: line 2, column 1: ") && told.contains(why))
    #expect(told.hasSuffix(" (3)"))
  }

  @Test(arguments: [
    ["-"], ["@-"], ["/dev/stdin"], ["/dev/fd/0"], ["--", "-"], ["-b", "-"], ["-b-"],
    ["-b/dev/stdin"],
    ["-f", "-"], ["-f", "@-"], ["--items=-"], ["--outputs", "/dev/fd/0"], ["-S-"], ["-P-"],
    ["--previous", "-"], ["--previous=@-"], ["--previous=@/dev/stdin"],
    ["--get", "-"], ["--resume", "@-"], ["-s", "@-"], ["-s", "-"], ["-t-"],
    ["-H", "-"], ["--set", "a=@-"],
    ["--set-str", "a=@/dev/stdin"], ["-t", "@-"], ["-t", "function=f@-"],
    ["-t", "function=f,parameters=-"], ["-H", "@-"],
    ["--path=/x", "-F", "a=@-"],
    ["--path=/x", "-F", "a=@-;type=text/plain"], ["--path=/x", "-F", "a=</dev/stdin"],
    ["--rehearse=@-"], ["--batch=-"],
    ["--api-key-file=-"],
  ])
  func `standard input is read once at most, whatever names it`(arguments: [String]) throws {
    #expect(try SendCommand.stdinName(arguments) != nil)
    let told = SendCommand(stdin: "x").refusal(["-"] + arguments)
    let once = "standard input can be read only once, and several name it: -, "
    #expect(told.hasPrefix(once), "\(told)")
  }

  @Test(arguments: [
    ["-s", "@@-"], ["--metadata", "a=@-"], ["-t", "web_search,city=-"], ["--set", "a=\"@-\""],
    ["--set-str", "a=-"], ["--metadata", "a=-"],
    ["-f", "./-"], ["--path=/x", "-F", "a=-"],
    ["--get", "r"], ["@"],
    ["-t", "function=f,parameters=x-"], ["--", "--"],
  ])
  func `a dash that is a text of its own does not name standard input`(arguments: [String]) throws {
    #expect(try SendCommand.stdinName(arguments) == nil)
  }

  @Test(arguments: [
    ["-f", "file-1"], [#"--outputs={"call_id":"c","output":"x"}"#], ["p"],
    ["-b", #"{"model":"b","input":"i"}"#],
  ])
  func `with something else to say standard input is not touched`(arguments: [String]) throws {
    _ = try SendCommand(stdin: SendCommand.untouched).body(["-m", "m"] + arguments)
  }
}
