import Core
import Foundation
import Testing

/// The examples of the manuals, run as a reader would.
@Suite struct ManualExampleTests {
  /// One example: all its lines as the manual prints them.
  private struct Example {
    var lines: [String] = []

    /// What follows the prompts; the whole example where there is none.
    var script: String {
      let typed = lines.filter(Self.isTyped).map { String($0.dropFirst(2)) }
      return (typed.isEmpty ? lines : typed).joined(separator: "\n") + "\n"
    }

    /// What is printed; `nil` where the manual does not show it.
    var output: String? {
      guard lines.contains(where: Self.isTyped) else { return nil }
      return lines.filter { !Self.isTyped($0) }.joined(separator: "\n")
    }

    private static func isTyped(_ line: String) -> Bool {
      line.hasPrefix("$ ") || line.hasPrefix("> ")
    }
  }

  @Test(arguments: pages) func `examples print what the manual says`(page: CommandPage) throws {
    let examples = try Self.examples(of: page)
    let tools = try #require(Self.tools, "not run by swift test")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    for example in examples {
      guard let output = example.output else { continue }
      let run = try Program.run(
        "bash", ["-c", example.script], environment: ["PATH": "\(tools):\(path)"])
      #expect(run.output.trimmingCharacters(in: .newlines) == output, "\(example.script)")
    }
    #expect(examples.contains { $0.output != nil })
  }

  @Test(arguments: pages) func `examples are sound shell scripts`(page: CommandPage) throws {
    for example in try Self.examples(of: page) {
      let run = try Program.run("bash", ["-n", "-c", example.script])
      #expect(run.status == 0, "\(example.script)\(run.output)")
    }
  }

  /// The directory of the built tools, beside the bundle of the tests.
  private static var tools: String? {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") }
    guard let bundle, let end = bundle.range(of: ".xctest") else { return nil }
    return URL(filePath: String(bundle[..<end.lowerBound])).deletingLastPathComponent().path
  }

  /// The literal blocks of the section EXAMPLES.
  private static func examples(of page: CommandPage) throws -> [Example] {
    let manual = try String(contentsOf: Repository.manual(page), encoding: .utf8)
    var examples: [Example] = []
    var (isInSection, isInExample) = (false, false)
    for line in manual.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(".Sh ") { isInSection = line == ".Sh EXAMPLES" }
      if line == ".Ed" { isInExample = false }
      if isInExample { examples[examples.count - 1].lines.append(unescaped(line)) }
      guard isInSection, line.hasPrefix(".Bd -literal") else { continue }
      isInExample = true
      examples.append(Example())
    }
    return examples
  }

  private static func unescaped(_ line: Substring) -> String {
    let escapes = [("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"), ("\\&", ""), ("\\e", "\\")]
    return escapes.reduce(String(line)) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }
}
