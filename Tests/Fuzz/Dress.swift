import Core

/// A form in which the same events can come.
enum Dress: CaseIterable {
  case lines, linesWithCRLF, spacedLines, array
  case blocks, blocksWithCRLF, blocksWithCR, spacedBlocks, commentedBlocks, unnamedBlocks, marked

  /// `lines`, events one a line, in this form.
  func dressed(_ lines: [ArraySlice<UInt8>]) -> [UInt8] {
    func each(_ before: String, _ after: String) -> [UInt8] {
      lines.flatMap { Array(before.utf8) + $0 + Array(after.utf8) }
    }
    return switch self {
    case .lines: each("", "\n")
    case .linesWithCRLF: each("", "\r\n")
    case .spacedLines: each("\n \t", " \n\n")
    case .array: [ASCII.openBracket] + lines.joined(separator: [ASCII.comma]) + [ASCII.closeBracket]
    case .blocks: blocks(of: each("", "\n"), [])
    case .blocksWithCRLF:
      blocks(of: each("", "\n"), []).flatMap { $0 == ASCII.lf ? [13, 10] : [$0] }
    case .blocksWithCR: blocks(of: each("", "\n"), []).map { $0 == ASCII.lf ? 13 : $0 }
    case .spacedBlocks: Array("\u{FEFF}\n\n".utf8) + each("data: \t ", " \n\n\n\n")
    case .commentedBlocks: each(": a\nid: 1\n:\ndata: ", "\nretry: 5\nx: y\n\n")
    case .unnamedBlocks: each("data: ", "\n\n")
    case .marked: blocks(of: each("", "\n"), ["--done"])
    }
  }

  /// What `--reverse` makes of `lines`.
  private func blocks(of lines: [UInt8], _ more: [String]) -> [UInt8] {
    ToolCase(tool: "oresp-sse", arguments: ["-r"] + more, input: lines).run().output
  }

  /// Whether the members that the toolkit adds are taken off.
  var losesOwn: Bool {
    switch self {
    case .blocks, .blocksWithCRLF, .blocksWithCR, .marked: true
    default: false
    }
  }
}

extension ToolCase {
  /// Checks that it comes to what it came to, which is `run`, when the same events come in other
  /// forms. Events that something is wrong with are left alone: where it stands may be told.
  func checkDressed(_ run: ToolRun, _ generator: SeededGenerator) {
    let split = ToolCase(tool: "oresp-sse", arguments: [], input: input).run()
    guard split.status == 0, split.isSilent, !split.output.isEmpty else { return }
    // Lines of Chat Completions are others than the events that they become.
    let asItIs = ToolCase(tool: "oresp-sse", arguments: ["--from=events"], input: input).run()
    guard asItIs.output == split.output else { return }
    let hasOwn = split.output.span.contains("\"oresp\"")
    var generator = generator
    for _ in 0..<2 {
      guard let dress = Dress.allCases.randomElement(using: &generator) else { return }
      if dress.losesOwn, hasOwn { continue }
      var other = self
      other.input = dress.dressed(split.lines)
      let again = other.run()
      other.expect(again.output, run.output, "the output is another, dressed as \(dress)")
      guard again.status == run.status else {
        fail("the status is \(again.status), not \(run.status), dressed as \(dress)", other)
      }
    }
  }
}
