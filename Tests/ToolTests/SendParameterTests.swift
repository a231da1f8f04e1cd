import Testing

@testable import oresp_send

/// The order of members; `Tests/CommandLines/bodies.txt` has the parameters.
@Suite struct SendParameterTests {
  @Test func `members have one order, however the options stand`() throws {
    let arguments = [
      "--metadata=a=b", "--store", "--include=sources", "--top-p=1",
      "--max-output-tokens=20", "--verbosity=low", "--effort=low", "--tool-choice=auto", "-t",
      "computer", "hi", "-s", "x", "-m", "m", "--set=unknown=1",
    ]
    let order = [
      "model", "instructions", "input", "tools", "tool_choice", "reasoning", "text",
      "max_output_tokens", "top_p", "include", "store", "metadata", "stream", "unknown",
    ]
    for shift in 0..<arguments.count where arguments[shift].hasPrefix("-") {
      let turned = Array(arguments[shift...] + arguments[..<shift])
      let body = try SendCommand().ask(turned).body()
      #expect(body.members.map(\.name) == order)
    }
  }
}
