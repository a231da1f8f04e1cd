import Testing

@testable import oresp_send

/// The order of members; `Tests/CommandLines/bodies.txt` has the parameters.
@Suite struct SendParameterTests {
  @Test func `the model is first, the options as given, and the input before stream`() throws {
    let options = [
      (["--metadata=a=b"], "metadata"), (["--store"], "store"), (["-s", "x"], "instructions"),
      (["-t", "computer"], "tools"), (["--effort=low"], "reasoning"), (["--include=x"], "include"),
      (["-m", "m"], nil), (["--set=unknown=1"], nil), (["hi"], nil),
    ]
    for shift in options.indices {
      let turned = Array(options[shift...] + options[..<shift])
      let body = try SendCommand().ask(turned.flatMap(\.0)).body()
      #expect(
        body.members.map(\.name)
          == ["model"] + turned.compactMap(\.1) + ["input", "stream", "unknown"])
    }
  }

  @Test(arguments: [
    (#"{"a":1,"stream":true}"#, #"{"model":"m","a":1,"input":"hi","stream":true,"top_p":1}"#),
    (#"{"input":"x","model":"n"}"#, #"{"input":"hi","model":"m","top_p":1,"stream":true}"#),
  ])
  func `a member that is there keeps its place`(given: String, body: String) throws {
    #expect(try SendCommand().body(["-m", "m", "-b", given, "--top-p=1", "hi"]) == body)
  }
}
