import Foundation
import ProcessSupport
import Testing

let filters = ["oresp-sse", "oresp-events", "oresp-text"]

/// What the three filters do alike with files, pipes and the command line.
struct FilterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What `tool` makes of the sample stream, so many times.
  private func expected(of tool: String, times: Int = 1) -> String {
    let once = tool == "oresp-text" ? SampleStream.text : SampleStream.events.asLines
    return String(repeating: once, count: times)
  }

  @Test(arguments: filters)
  func `a file that is not there is status 2`(tool: String) throws {
    let run = try ToolProcess.run(tool, [folder.path + "/none"])
    #expect(run.outcome == .exited(2))
    #expect(run.errors == "\(tool): \(folder.path)/none: No such file or directory\n")
    #expect(run.text.isEmpty)
  }

  @Test(arguments: filters)
  func `a folder is status 2`(tool: String) throws {
    let run = try ToolProcess.run(tool, [folder.path])
    #expect(run.outcome == .exited(2))
    #expect(run.errors == "\(tool): \(folder.path): Is a directory\n")
  }

  @Test(arguments: filters)
  func `a file that is not there does not keep the others from being read`(tool: String) throws {
    let file = try folder.file("a.sse", SampleStream.stream)
    let run = try ToolProcess.run(tool, [folder.path + "/none", file])
    #expect(run.outcome == .exited(2))
    #expect(run.errors == "\(tool): \(folder.path)/none: No such file or directory\n")
    #expect(run.text == expected(of: tool))
  }

  @Test(arguments: [("oresp-sse", Int32(3)), ("oresp-events", 0), ("oresp-text", 3)])
  func `an empty input is a fault where events are needed`(tool: String, status: Int32) throws {
    let run = try ToolProcess.run(tool)
    #expect(run.outcome == .exited(status))
    let why = "no events: the input is empty"
    #expect(run.errors == (status == 0 ? "" : "\(tool): \(why)\n"))
    #expect(run.text == "")
  }

  @Test(arguments: filters)
  func `a closed standard input is status 2`(tool: String) throws {
    let run = try ToolProcess.bash("\"$1\" <&-", [tool])
    #expect(run.outcome == .exited(2))
    #expect(run.errors == "\(tool): stdin: Bad file descriptor\n")
  }

  @Test(arguments: filters)
  func `a closed standard output is status 2`(tool: String) throws {
    let run = try ToolProcess.bash("\"$1\" >&-", [tool], input: .bytes(SampleStream.bytes))
    #expect(run.outcome == .exited(2))
    #expect(run.errors == "\(tool): stdout: Bad file descriptor\n")
  }

  @Test(
    .needs(FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
    arguments: filters)
  func `a full disk is status 2`(tool: String) throws {
    let run = try ToolProcess.bash("\"$1\" >/dev/full", [tool], input: .bytes(SampleStream.bytes))
    #expect(run.outcome == .exited(2))
    #expect(run.errors == "\(tool): stdout: No space left on device\n")
  }

  @Test(arguments: filters, ["", "trap '' PIPE"])
  func `a pipe that nobody reads any more ends a tool in silence`(
    tool: String, before: String
  ) throws {
    // More than a pipe holds, so that a write finds the reader gone.
    let file = try folder.file("a.sse", SampleStream.stream(SampleStream.events(Self.longText)))
    let script = before + "\n{ \"$1\" \"$2\"; echo $? >&2; } | true"
    let run = try ToolProcess.bash(script, [tool, file])
    #expect(run.errors == "141\n")
  }

  private static let longText = Array(repeating: "twenty characters or", count: 8000)

  @Test(arguments: filters)
  func `a reader that has enough ends a tool though its input stays open`(tool: String) throws {
    let script = "{ \"$1\"; echo $? >&2; } | head -n 1"
    let process = try ToolProcess("bash", ["-c", script, "bash", tool], input: .open)
    // The sample again and again is one response that stands there twice, which is a warning.
    while process.write(SampleStream.bytes) {}
    #expect(Finished.lines(process.finish().errors).last == "141")
  }

  @Test(arguments: filters)
  func `files are read one after another and a dash is standard input`(tool: String) throws {
    let file = try folder.file("a.sse", SampleStream.stream)
    let dashed = try folder.file("-a.sse", SampleStream.stream)
    let cases: [(arguments: [String], times: Int)] = [
      ([], 1), (["-"], 1), ([file], 1), ([file, file], 2), ([file, "-", dashed], 3),
      (["--", dashed], 1), ([file, "--", "-"], 2),
    ]
    for (arguments, times) in cases {
      let run = try ToolProcess.run(tool, arguments, input: .bytes(SampleStream.bytes))
      #expect(run.outcome == .exited(0), "\(arguments)")
      #expect(run.text == expected(of: tool, times: times), "\(arguments)")
      let warnings = Finished.lines(run.errors)
      #expect(warnings.count == (times > 1 ? 1 : 0), "\(arguments)")
      #expect(warnings.allSatisfy { $0.hasSuffix(": resp_1 comes twice, and counts twice") })
    }
  }

  @Test(arguments: filters)
  func `an unknown option is status 2 and nothing is read`(tool: String) throws {
    let run = try ToolProcess.run(tool, ["--no-such-option"], input: .bytes(SampleStream.bytes))
    #expect(run.outcome == .exited(2))
    #expect(run.errors.hasPrefix("\(tool): "))
    #expect(run.errors.contains("no-such-option"))
    #expect(run.text.isEmpty)
  }

  @Test(arguments: filters + ["oresp-send"])
  func `help and version are data on standard output`(tool: String) throws {
    let help = try ToolProcess.run(tool, ["--help"])
    #expect(help.outcome == .exited(0))
    #expect(help.text.hasPrefix("Usage: \(tool) "))
    let version = try ToolProcess.run(tool, ["-V"])
    #expect(version.outcome == .exited(0))
    #expect(version.text.hasPrefix("\(tool) "))
    #expect(help.errors + version.errors == "")
  }
}

extension [String] {
  /// The strings as lines of text.
  var asLines: String { map { $0 + "\n" }.joined() }
}
