import Foundation
import ProcessSupport
import Testing

@testable import Core
@testable import oresp_send

/// What is told of words that are taken as they stand.
@Suite struct LikelyMeantTests {
  @Test(
    arguments: [
      (
        ["--previous", "a.sse", "Hi"], ["--previous: a.sse is read as an id; @a.sse is the file"]
      ),
      (["--previous", "@a.sse", "Hi"], []), (["--previous", "resp_1", "Hi"], []),
      (["--resume", "a.sse"], []),
      (["--get", "a.sse"], ["--get: a.sse is read as an id; @a.sse is the file"]),
      (
        ["-f", "x", "b.png", "Hi"],
        ["b.png is read as a word of the prompt; -f b.png sends the file"]
      ),
      (["b.png"], ["b.png is read as a word of the prompt; -f b.png sends the file"]),
      (["@b.png"], ["@b.png is read as a word of the prompt; -f b.png sends the file"]),
      (["-f", "x", "x"], ["x is read as a word of the prompt; -f x sends the file"]),
      (["-b", "@x"], ["-b: no file @x exists; name x without @"]),
      (["-S", "@y", "Hi"], []),
      (["--items", "@x", "Hi"], ["--items: no file @x exists; name x without @"]),
      (["--outputs", "@x"], ["--outputs: no file @x exists; name x without @"]),
      (["x"], []), (["What is b.png?"], []), (["none.png"], []), (["-f", "b.png", "Hi"], []),
      (["-s", "b.png", "Hi"], ["--instructions: b.png is read as a text; @b.png is the file"]),
      (["-s", "@b.png", "Hi"], []),
      (
        ["--set-str", "a=b.png", "Hi"], ["--set-str: b.png is read as a text; @b.png is the file"]
      ),
      (["--set", "a=1", "--metadata=a=b.png", "--conversation=x", "Hi"], []),
    ] as [([String], [String])])
  func `a file that is not named as one is told`(arguments: [String], notes: [String]) {
    let command = SendCommand(files: ["a.sse": "", "b.png": "", "x": ""])
    #expect(command.warnings(arguments) == notes)
  }
}
