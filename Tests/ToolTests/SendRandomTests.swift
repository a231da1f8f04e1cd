import Core
import TestSupport
import Testing

@testable import oresp_send

/// Whatever is typed, a request comes out that is JSON and is sent again as it is, or an error.
@Suite struct SendRandomTests {
  private static let parts = [
    "a", "b.c", "tools", "[0]", "[-1]", "[+]", "[", "]", ".", "\"", "\"x.y\"", "=", "=1", "={}",
    "=[1,{}]", "=null", "=\"s\"", "é", "\\", ",", ";", "@f", "@", "@@", "@-", "web_search",
    "mcp=l@https://x", "shell", "custom=n", ",lark=", ",files=", ",local", ",domains=", "input",
    "reasoning", "file_search=v", "{\"type\":\"x\"}", ",filter=", "{\"a\":[1,2]}", "allowed=",
  ]

  private static let options = [
    "--set=", "--set-str=", "--unset=", "-t", "--tool-choice=", "--metadata=",
    "--template=",
    "--include=", "-S", "-P", "-s", "-b", "--temperature=", "--effort=",
  ]

  private static let command = SendCommand(
    stdin: #"{"tools":[{"type":"a","n":[1]}],"reasoning":{"effort":"low"},"input":"i"}"#,
    files: ["f": #"{"name":"f","schema":{},"a":{"b":1},"tools":"none"}"#])

  @Test func `what is made of anything typed is sent again as it is`() throws {
    var generator = SeededGenerator()
    var made = 0
    for _ in 0..<1000 {
      let count = Int.random(in: 1...4, using: &generator)
      let arguments = (0..<count).map { _ in
        let words = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
          Self.parts[Int.random(in: 0..<Self.parts.count, using: &generator)]
        }
        let option = Self.options[Int.random(in: 0..<Self.options.count, using: &generator)]
        return option + words.joined()
      }
      let seed = "\(arguments), seed \(generator.seed)"
      guard let body = try? Self.command.body(["-m", "m", "hi"] + arguments) else { continue }
      made += 1
      let isJSON = JSONScan.accepts(Array(body.utf8).span)
      #expect(isJSON, "\(seed)")
      if body.contains(#""model""#), body.contains(#""stream""#) {
        var again = Self.command
        again.stdin = body
        #expect(try again.body(["-b", "-"]) == body, "\(seed)")
      }
    }
    #expect(made > 50, "seed \(generator.seed)")
  }
}
