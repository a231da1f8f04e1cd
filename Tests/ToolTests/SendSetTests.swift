import Testing

@testable import oresp_send

@Suite struct SendSetTests {
  private static let body =
    #"{"a":{"b":[1, {"c":2.0}],"d.e":0},"s":"x","n":null,"é":1,"z":[ ]}"#

  private static let command = SendCommand(
    stdin: "piped", files: ["body": body, "v.json": " [1, 2] \n", "t.txt": "a \"b\"\n", "bad": "{"])

  @Test(
    arguments: [
      (["--set", "a.b[1].c=3e0"], #"{"a":{"b":[1,{"c":3e0}],"d.e":0},"#),
      (["--set", "a.b[-1]=0"], #"{"a":{"b":[1,0],"d.e":0},"#),
      (["--set", "a.b[+]=true"], #"{"a":{"b":[1,{"c":2.0},true],"d.e":0},"#),
      (["--set", "a.b[2]=true"], #"{"a":{"b":[1,{"c":2.0},true],"d.e":0},"#),
      (["--set", #"a."d.e"=1"#], #"{"a":{"b":[1, {"c":2.0}],"d.e":1},"#),
      (["--set", #".a["d\u002ee"]=1"#], #"{"a":{"b":[1, {"c":2.0}],"d.e":1},"#),
      (["--set", #".a.["d.e"]= 1 "#], #"{"a":{"b":[1, {"c":2.0}],"d.e":1},"#),
      (["--set", #"["a"].b=@v.json"#], #"{"a":{"b":[1, 2],"d.e":0},"#),
      (["--unset", "a.b[0]"], #"{"a":{"b":[{"c":2.0}],"d.e":0},"#),
      (["--unset", "a.b[-2]"], #"{"a":{"b":[{"c":2.0}],"d.e":0},"#),
      (["--unset", "a.b"], #"{"a":{"d.e":0},"#), (["--unset", "a"], "{"),
      (["--unset", "a.x.y"], #"{"a":{"b":[1, {"c":2.0}],"d.e":0},"#),
      (["--unset", "a.b[2].c"], #"{"a":{"b":[1, {"c":2.0}],"d.e":0},"#),
      (["--unset", "s[0]"], #"{"a":{"b":[1, {"c":2.0}],"d.e":0},"#),
    ] as [([String], String)])
  func `a path leads to a place, and nothing else changes`(
    arguments: [String], start: String
  ) throws {
    let made = try Self.command.body(["-m", "m", "-b", "body"] + arguments)
    let rest = #""s":"x","n":null,"é":1,"z":[ ],"model":"m","input":"piped","stream":true}"#
    #expect(made == start + rest)
  }

  @Test(
    arguments: [
      (["--set=x.y.z=1"], #""x":{"y":{"z":1}}"#), (["--set=x[0].y=1"], #""x":[{"y":1}]"#),
      (["--set=x[+][+]=1"], #""x":[[1]]"#), (["--set=n.x=1"], #""n":{"x":1}"#),
      (["--set=z[+]=null"], #""z":[null]"#), (["--set-str=s=1"], #""s":"1""#),
      (["--set-str=s==="], #""s":"==""#), (["--set-str=s="], #""s":"""#),
      (["--set-str=s=@t.txt"], #""s":"a \"b\"\n""#), (["--set-str=s=@-"], #""s":"piped""#),
      (["--set-str=s=@@t.txt"], #""s":"@t.txt""#), (["--set-str", #"é"=x"="#], ""),
      (["--set-str=é=x"], #""é":"x""#), (["--set=s=1", "--set=s=2"], #""s":2"#),
      (["--set=s=1", "--unset=s", "--set=s={}"], #""s":{}"#),
      (["--temperature=1", "--set=temperature=9"], #""temperature":9"#),
      (["--set=temperature=9", "--temperature=1"], #""temperature":9"#),
      (["--set=stream=false"], #""stream":false"#), (["--set-str=model=o"], #""model":"o""#),
    ] as [([String], String)])
  func `what is missing on the way is made, and the last word counts`(
    arguments: [String], part: String
  ) throws {
    guard part != "" else {
      #expect(Self.command.refusal(arguments).contains("character 2: expected . or [ or ="))
      return
    }
    #expect(try Self.command.body(["-m", "m", "-b", "body"] + arguments).contains(part))
  }

  @Test(
    arguments: [
      (["--set", "a..b=1"], "--set: a..b=1: character 3: expected a name"),
      (["--set", "=1"], "--set: =1: character 1: expected a name"),
      (["--set", ""], "--set: : character 1: expected a name"),
      (["--set", "a."], "--set: a.: character 3: expected a name"),
      (
        ["--set", "[0]=1"],
        "--set: [0]=1: character 1: a request is an object: expected a name"
      ),
      (
        ["--set", "a[]=1"],
        "--set: a[]=1: character 3: expected a place such as 0 or -1, + to append, "
          + "or a name in quotes"
      ),
      (
        ["--set", "é[b]=1"],
        "--set: é[b]=1: character 3: expected a place such as 0 or -1, + to append, "
          + "or a name in quotes"
      ),
      (
        ["--set", "a[1=2"],
        "--set: a[1=2: character 3: expected a place such as 0 or -1, "
          + "+ to append, or a name in quotes"
      ),
      (
        ["--set", "a[99999999999]=2"],
        "--set: a[99999999999]=2: character 3: expected a place "
          + "such as 0 or -1, + to append, or a name in quotes"
      ),
      (["--set", "a[+=2"], "--set: a[+=2: character 4: expected ]"),
      (["--set", "a]=2"], "--set: a]=2: character 2: expected . or [ or ="),
      (
        ["--set", "a.\"b=2"],
        "--set: a.\"b=2: character 3: expected a name in quotes, spelled as JSON"
      ),
      (["--set", "a.b"], "--set: a.b: expected PATH=JSON"),
      (["--set-str", "a.b"], "--set-str: a.b: expected PATH=TEXT"),
      (
        ["--set", "a=b"],
        "--set: a: line 1, column 1: not JSON: expected a value; for a text there is --set-str"
      ),
      (
        ["--set", "a="],
        "--set: a: line 1, column 1: not JSON: the value does not end; for a text there is --set-str"
      ),
      (
        ["--set", "a=1 2"],
        "--set: a: line 1, column 3: not JSON: expected nothing after the value; for a text there is --set-str"
      ),
      (
        ["--set", "a=@"],
        "--set: a: expected the name of a file after @; for a text there is --set-str"
      ),
      (["--set", "a=@none"], "none: errno 2"),
      (["--set", "a=@bad"], "bad: line 1, column 2: not JSON: the value does not end (2)"),
      (["--unset", "a=1"], "--unset: a=1: expected PATH without ="),
      (["--unset", "a[+]"], "--unset: a[+]: [+] is for --set"),
      (["-b", "body", "--set", "s.x=1"], "--set: s.x: s is a string, not an object"),
      (["-b", "body", "--set", "a.b.x=1"], "--set: a.b.x: a.b is an array, not an object"),
      (["-b", "body", "--set", "a[0]=1"], "--set: a[0]: a is an object, not an array"),
      (
        ["-b", "body", "--set", "a.b[0][+]=1"], "--set: a.b[0][+]: a.b[0] is a number, not an array"
      ),
      (
        ["-b", "body", "--set", #"a."d.e".x=1"#],
        #"--set: a."d.e".x: a."d.e" is a number, not an object"#
      ),
      (
        ["-b", "body", "--set", "a.b[3]=1"],
        "--set: a.b[3]: a.b has 2 elements, so there is no [3]; [+] appends"
      ),
      (
        ["-b", "body", "--set", "a.b[-3]=1"],
        "--set: a.b[-3]: a.b has 2 elements, so there is no [-3]; [+] appends"
      ),
      (["--set", "x[-1]=1"], "--set: x[-1]: x has 0 elements, so there is no [-1]; [+] appends"),
    ] as [([String], String)])
  func `a bad path is told with its place`(arguments: [String], why: String) {
    #expect(Self.command.refusal(arguments) == why)
  }

  @Test func `a path has an end`() {
    let steps = String(repeating: "[0]", count: 31)
    #expect(Self.command.refusal(["--set", "x\(steps)=1"]) == "")
    #expect(
      Self.command.refusal(["--set", "x\(steps)[0]=1"]).hasSuffix(": expected 32 steps at most"))
  }

  @Test(arguments: [
    "--set=tools[0].authorization=\"t\"", "--set-str=tools[0].authorization=t",
  ])
  func `a secret is not taken from the command line`(argument: String) {
    let why = Self.command.refusal([argument])
    #expect(why.contains("a secret is not for the command line"))
  }

  @Test func `a model may be set, taken away, or come from a template`() throws {
    let command = SendCommand(stdin: "x", environment: ["ORESP_MODEL": "e"])
    #expect(try command.body(["hi", "--set-str=model=o"]).hasPrefix(#"{"model":"o","#))
    #expect(try command.body(["hi", "--unset=model"]).hasPrefix(#"{"input":"#))
    #expect(try command.body(["--template=p"]) == #"{"prompt":{"id":"p"},"stream":true}"#)
    #expect(try command.body(["--template=p", "-"]).contains(#""input":"x""#))
    #expect(try command.body(["--template=p", "-m", "m"]).hasPrefix(#"{"model":"m","#))
    #expect(try command.body(["--set=input=[]"]) == #"{"model":"e","input":[],"stream":true}"#)
    #expect(try SendCommand().body(["hi", "--unset=model"]).hasPrefix(#"{"input":"#))
  }
}
