import Core

@testable import oresp_events
@testable import oresp_send
@testable import oresp_sse
@testable import oresp_text

/// What a tool came to.
struct ToolRun: Equatable {
  var output: [UInt8] = []
  var errors: [UInt8] = []
  var status: Int32 = 0

  /// Whether it told nothing.
  var isSilent: Bool { errors.isEmpty }

  /// The lines of standard output, without their ends.
  var lines: [ArraySlice<UInt8>] { output.split(separator: ASCII.lf) }
}

/// A command line, and what there is for it to read and to know.
struct ToolCase {
  var tool: String
  var arguments: [String]
  var input: [UInt8]
  var files: [String: [UInt8]] = [:]
  var variables: [String: String] = [:]

  /// The key of the server, which nothing may show.
  static let key = "sk-fuzz-0123456789abcdef"

  func run(_ cuts: Cuts = .whole) -> ToolRun {
    let world = World(input: input, files: files, cuts)
    World.current = world
    defer { World.current = nil }
    let streams = Streams(input: World.stdin, output: World.stdout, errors: World.stderr) {
      [variables] in variables[$0]
    }
    let status: Int32 =
      switch tool {
      case "oresp-sse": SSETool.command.run(arguments, on: streams)
      case "oresp-events": EventsTool.command.run(arguments, on: streams)
      case "oresp-text": TextTool.command.run(arguments, on: streams)
      default: SendTool.command.run(arguments, on: streams)
      }
    return ToolRun(
      output: world.output, errors: world.errors, status: status)
  }

  /// Runs it on the whole input, and checks that it comes to the same when the input is cut: at
  /// random, and with `byBytes` at every byte of one that is not long. Checks what every run
  /// promises, too.
  func checkedRun(seed: UInt64, byBytes: Bool = true) -> ToolRun {
    let whole = run()
    check(whole)
    // Behind an error, only what came with it is read, for nothing else may come.
    if whole.status > 2, arguments.contains(where: { $0.hasPrefix("--u") }) { return whole }
    expect(run(.random(SeededGenerator(seed: seed))), whole, "cut at random")
    if byBytes, input.count <= 1024 { expect(run(.bytes), whole, "byte by byte") }
    return whole
  }

  /// Checks that `run` is `other`, or else tells that it is not so `how`.
  func expect(_ run: ToolRun, _ other: ToolRun, _ how: String) {
    guard run != other else { return }
    expect(run.output, other.output, "the output is another \(how)")
    expect(run.errors, other.errors, "the notices are others \(how)")
    fail("the status is \(run.status), not \(other.status), \(how)", self)
  }

  func expect(_ bytes: [UInt8], _ other: [UInt8], _ what: String) {
    guard bytes != other else { return }
    let place = zip(bytes, other).prefix { $0 == $1 }.count
    func shown(_ bytes: [UInt8]) -> String {
      let start = max(0, place - 100)
      return String(decoding: bytes.dropFirst(start).prefix(300), as: UTF8.self).debugDescription
    }
    fail("\(what), from byte \(place) on:\n  \(shown(bytes))\n  \(shown(other))", self)
  }

  /// What holds for any run of any tool.
  private func check(_ run: ToolRun) {
    guard 0...8 ~= run.status else { fail("the status is \(run.status)", self) }
    guard run.status != 2 || !run.isSilent || arguments.contains("-q") else {
      fail("nothing tells why the status is 2", self)
    }
    var sanitizer = TerminalSanitizer()
    var shown: [UInt8] = []
    sanitizer.append(run.errors.span, into: &shown)
    sanitizer.finish(into: &shown)
    let isAside = arguments.contains { $0.hasSuffix("=stderr") || $0 == "--no-sanitize" }
    if !isAside { expect(run.errors, shown, "what is told has control characters in it") }
  }

  /// Whether all that it reads is JSON and UTF-8, which `oresp-sse` looks at and the other filters
  /// only where they read on.
  var isSound: Bool {
    let run = ToolCase(tool: "oresp-sse", arguments: [], input: input).run()
    return !run.output.span.contains("oresp.unparsed") && !run.errors.span.contains("not UTF-8")
  }

  /// Checks that each line of standard output is a JSON text.
  func checkLines(of run: ToolRun) {
    guard run.output.isEmpty || run.output.last == ASCII.lf else {
      fail("the last line has no end", self)
    }
    for line in run.lines {
      guard let why = JSONText.fault(in: line) else { continue }
      fail("a line is not JSON (\(why)): \(String(decoding: line, as: UTF8.self))", self)
    }
  }

  /// The same with other arguments or another input.
  func with(_ arguments: String..., on input: [UInt8]? = nil) -> ToolCase {
    var other = self
    other.arguments = arguments
    other.input = input ?? self.input
    return other
  }
}

/// Tells what was found, and ends so that the fuzzer keeps the input.
func fail(_ why: String, _ tool: ToolCase? = nil) -> Never {
  World.current = nil
  var text = "\nFOUND: \(why)\n"
  if let tool {
    let words = tool.arguments.map { $0.contains(" ") || $0.isEmpty ? "'\($0)'" : $0 }
    text += "  by: \(([tool.tool] + words).joined(separator: " "))\n"
    for (name, bytes) in tool.files {
      text += "  file \(name): \(String(decoding: bytes, as: UTF8.self).debugDescription)\n"
    }
    text += "  on: \(String(decoding: tool.input, as: UTF8.self).debugDescription)\n"
  }
  _ = Array(text.utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  abort()
}
