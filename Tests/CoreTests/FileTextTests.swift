import Core
import Testing

@Suite struct FileTextTests {
  @Test(
    arguments: [
      ("", "f: line 1, column 1: not JSON: the value does not end"),
      ("{\n \"m\": }", "f: line 2, column 7: not JSON: expected a value"),
      ("{} {}", "f: line 1, column 4: not JSON: expected nothing after the value"),
      ("[\"äß😀\" 1]", "f: line 1, column 8: not JSON: expected a comma or ]"),
    ])
  func `a file that is no JSON is told with line and column`(text: String, message: String) {
    for status in [ExitStatus.usage, .badInput] {
      let file = FileText(Array(text.utf8), name: "f", status: status)
      do {
        try file.checkJSON()
        Issue.record("\(text) was taken")
      } catch {
        #expect(error.message == message)
        #expect(error.status == status)
      }
    }
  }

  @Test func `a file that is not UTF-8 is told with its first byte that is not`() throws {
    let file = FileText(Array("[\n\"a".utf8) + [0xFF] + Array("\"]".utf8), name: "f")
    do {
      try file.checkJSON()
      Issue.record("it was taken")
    } catch { #expect(error.message == "f: line 2, column 3: not UTF-8") }
    try FileText(Array(" [1]\n".utf8), name: "f").checkJSON()
    #expect(file.fault("no schema in it").message == "f: no schema in it")
  }
}
