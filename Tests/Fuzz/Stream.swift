import Core

/// Streams, documents and lists in any form, as the three filters read them.
enum Stream {
  /// A command line, and what its output is.
  struct Mode {
    let words: String
    /// Whether each line of the output is a JSON text.
    var isLines = false
    /// Whether the form that events come in makes no difference.
    var isOfEvents = false

    func on(_ input: [UInt8]) -> ToolCase {
      var words = words.split(separator: " ").map(String.init)
      let tool = words.removeFirst()
      return ToolCase(tool: tool, arguments: words, input: input, files: Stream.files)
    }
  }

  /// Whatever the modes name.
  private static let files: [String: [UInt8]] = [
    "prices": Array(#"{"m":{"input":1.25,"cached_input":0.125,"output":10}}"#.utf8)
  ]

  private static func modes(
    _ tool: String, _ lines: [String], isLines: Bool = false, isOfEvents: Bool = false
  ) -> [Mode] {
    lines.map { Mode(words: tool + " " + $0, isLines: isLines, isOfEvents: isOfEvents) }
  }

  /// The modes of one target.
  struct Modes {
    let list: [Mode]

    static let sse = Modes(
      list: modes(
        "oresp-sse",
        [
          "", "--stamp --tag=t", "--until-end", "--until-end=2",
          "--from=chat", "--from=events", "--envelope", "--notices=json",
        ], isLines: true)
        + modes(
          "oresp-sse",
          [
            "-r", "-r --done", "-r --envelope", "-r --from=chat", "--check", "--check --envelope",
          ]))

    static let reader = Modes(
      list: modes("oresp-sse", [""], isLines: true, isOfEvents: true)
        + modes(
          "oresp-events",
          [
            "", "-k -t output_text.delta", "-T *.delta", "-e --index=0 --item-type=message",
            "--after=1 --before=5", "-m 2", "--until-end", "--nth=1", "--status=json",
          ], isLines: true, isOfEvents: true)
        + modes("oresp-events", ["-c"], isOfEvents: true)
        + modes("oresp-text", [""], isOfEvents: true))

    static let rebuild = Modes(
      list: modes(
        "oresp-events",
        [
          "-R", "-R --partial", "--items", "--calls", "--calls=pending", "--citations", "--usage",
          "--cost --prices=prices", "-R --nth=2",
        ], isLines: true, isOfEvents: true)
        + modes("oresp-events", ["--stats"], isLines: true)
        + modes("oresp-events", ["--timeline", "--timeline=svg"]))

    static let check = Modes(
      list: modes("oresp-events", ["--check", "--check=strict", "--check=openresponses"])
        + modes(
          "oresp-events", ["--check=json", "--check=strict,json", "--check=openresponses,json"],
          isLines: true))

    static let text = Modes(
      list: modes(
        "oresp-text",
        [
          "", "-n", "-0", "-c footnotes", "-c markdown", "-c json", "-c only", "--sources",
          "-c footnotes --sources", "--reasoning", "--all", "--all=stderr",
          "--all -c markdown", "--tools", "--refusal", "--transcript", "-x", "-x=json", "-x -0",
          "--message=last", "--message=2", "--commentary", "--commentary=stderr", "--sanitize",
          "--message=none --reasoning", "--all -0", "--until-end",
        ], isOfEvents: true)
        + modes(
          "oresp-text", ["-j", "-x -j", "--message=last -j"], isLines: true, isOfEvents: true))

    /// The mode that `line` says; any other line stands for one of them, too.
    func named(_ line: [UInt8]) -> Mode {
      list.first { $0.words.utf8.elementsEqual(line) }
        ?? list[Int(FuzzInput(bytes: line).seed % UInt64(list.count))]
    }
  }

  /// The first line of an input says the mode, and the rest is what is read.
  static func check(_ input: FuzzInput, _ modes: Modes) {
    let (line, rest) = input.parted
    let mode = modes.named(line)
    let tool = mode.on(rest.bytes)
    let run = tool.checkedRun(seed: input.seed)
    if mode.isLines, tool.tool == "oresp-sse" || tool.isSound { tool.checkLines(of: run) }
    if mode.isOfEvents { tool.checkDressed(run, input.generator) }
    switch mode.words {
    case "oresp-sse ":
      checkText(rest.bytes)
      checkReverse(of: tool, run, [])
    case "oresp-sse --envelope": checkReverse(of: tool, run, ["--envelope"])
    default: break
    }
  }

  /// What was split and joined again is the whole.
  private static func checkReverse(of tool: ToolCase, _ run: ToolRun, _ form: [String]) {
    guard run.status == 0, run.isSilent else { return }
    var back = tool
    (back.arguments, back.input) = (form + ["-r"], run.output)
    var again = tool
    again.input = back.run().output
    let hasOwn = run.output.span.contains("\"oresp\"")
    if !hasOwn { again.expect(again.run().output, run.output, "there and back") }
  }

  /// The scanner, which leaves UTF-8 to others, and a plain walk agree on what JSON is.
  private static func checkText(_ text: [UInt8]) {
    guard UTF8Repair.isValid(text.span) else { return }
    let (mine, own) = (JSONText.fault(in: text[...]), JSONScan.fault(in: text.span))
    guard (mine == nil) != (own == nil) else { return }
    fail("JSON or not? \(mine ?? "sound") or \(own.map { "\($0)" } ?? "sound")")
  }
}

extension Span<UInt8> {
  /// Whether `text` stands in it.
  func contains(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard count >= wanted.count else { return false }
    return (0...count - wanted.count).contains { start in
      wanted.indices.allSatisfy { self[start + $0] == wanted[$0] }
    }
  }
}
