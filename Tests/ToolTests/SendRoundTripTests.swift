import Testing

/// What `-n` prints is sent again as it is.
@Suite struct SendRoundTripTests {
  private static let command = SendCommand(
    files: [
      "s.json": "{\n \"type\": \"object\",\n \"é\": \"\\u00e9\"}\n", "t.json": "[ ]",
      "p.json":
        #"{"a\u002fb":1e3,"x":{"y":[1.50,{"z":null}],"y":2},"model":"p","stream":null}"#,
      "text": "a\u{7F}\t\"\\\u{1}\u{2028}é👋🏽\n",
    ])

  @Test(arguments: [
    [], ["-s", "@text"], ["-P", "p.json"], ["-b", "p.json"], ["-P", "p.json", "-b", "p.json"],
    ["-S", "s.json", "--set=text.format.strict=false"], ["--json"], ["--no-stream"],
    ["--template=p@1", "--set-str=prompt.variables.a=@text"],
    ["-t", "web_search,domains=a;b", "-t", "function=f@s.json", "-t", "@t.json"],
    ["--tool-choice=allowed=a;b"], ["--metadata=é=\u{1F600}", "--temperature=0.70"],
    ["--include=sources", "--set=stream_options.include_obfuscation=false"],
    ["--set=x.y[0]=2.0", "-P", "p.json"], ["--set-str", #""a\u0000\"."="#],
    ["--set=model=null"], ["--set=stream=null"], ["--set", #"tools[+]={"type" : "x"}"#],
    ["-P", "p.json", "--unset=x.y[1].z", "--effort=low"],
  ])
  func `a printed body is sent to the byte`(arguments: [String]) throws {
    let printed = try Self.command.body(["-m", "m", "hi"] + arguments)
    var command = Self.command
    command.stdin = printed + "\n"
    command.environment["ORESP_MODEL"] = "environment"
    #expect(try command.body(["-b", "-"]) == printed)
    #expect(try command.body(["-P", "-"]) == printed)
  }
}
