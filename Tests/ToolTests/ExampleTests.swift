import Core
import Foundation
import ProcessSupport
import TestSupport
import Testing

/// The examples of the manuals and the README, run as a reader would.
@Suite struct ExampleTests {
  /// One example: all its lines as they are printed.
  private struct Example {
    var lines: [String] = []

    /// What follows the prompts; the whole example where there is none.
    var script: String {
      let typed = lines.filter(Self.isTyped).map { String($0.dropFirst(2)) }
      return (typed.isEmpty ? lines : typed).joined(separator: "\n") + "\n"
    }

    /// What the commands print; `nil` where that is not shown.
    var output: String? {
      guard lines.contains(where: Self.isTyped) else { return nil }
      return lines.filter { !Self.isTyped($0) }.joined(separator: "\n")
        .trimmingCharacters(in: .newlines)
    }

    private static func isTyped(_ line: String) -> Bool {
      line.hasPrefix("$ ") || line.hasPrefix("> ")
    }
  }

  @Test(arguments: Manual.all) func `examples print what the manual says`(manual: Manual) throws {
    try Self.expect(Self.examples(of: manual))
  }

  @Test func `examples print what the README says`() throws {
    try Self.expect(Self.examplesOfReadme())
  }

  /// Runs the examples that show what they print, of which there must be one, in a folder of their
  /// own.
  private static func expect(_ examples: [Example]) throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folder = try TemporaryFolder()
    for example in examples {
      guard let output = example.output else { continue }
      let run = try Program.run(
        "bash", ["-c", example.script], in: URL(filePath: folder.path),
        environment: ["PATH": "\(Tools.folder):\(path)"])
      #expect(run.output.trimmingCharacters(in: .newlines) == output, "\(example.script)")
    }
    #expect(examples.contains { $0.output != nil })
  }

  @Test(arguments: Manual.all) func `examples are sound shell scripts`(manual: Manual) throws {
    for example in try Self.examples(of: manual) {
      let run = try Program.run("bash", ["-n", "-c", example.script])
      #expect(run.status == 0, "\(example.script)\(run.output)")
    }
  }

  /// The literal blocks of the section EXAMPLES.
  private static func examples(of manual: Manual) throws -> [Example] {
    try manual.blocks(of: "EXAMPLES").map { Example(lines: $0) }
  }

  /// The blocks of the README that show a console.
  private static func examplesOfReadme() throws -> [Example] {
    try Repository.text().split(separator: "```console\n").dropFirst().map { block in
      let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
      return Example(lines: lines.prefix { $0 != "```" }.map(String.init))
    }
  }
}
