import Testing

@testable import oresp_send

/// Paths of `--set`; `Tests/CommandLines/bodies.txt` has more.
@Suite struct SendSetTests {
  @Test func `a path has an end`() {
    let steps = String(repeating: "[0]", count: 31)
    #expect(SendCommand().refusal(["--set", "x\(steps)=1"]) == "")
    #expect(
      SendCommand().refusal(["--set", "x\(steps)[0]=1"]).hasSuffix(": expected 32 steps at most"))
  }
}
