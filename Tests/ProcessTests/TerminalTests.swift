import ProcessSupport
import Testing

/// `oresp-text` with a terminal on its standard output.
@Suite(.waiting) struct TerminalTests {
  /// A delta with characters in it that do something to a terminal, and how it is to be shown.
  static let hostile = #"a\u001b[2Jb\u009b1mc\u202ed\u0007\te"#
  static let shown = "a^[[2Jb<U+009B>1mc<U+202E>d^G\te"
  static let exact = "a\u{1B}[2Jb\u{9B}1mc\u{202E}d\u{7}\te"

  @Test func `text is on a terminal once its delta is in`() throws {
    let process = try ToolProcess("oresp-text", input: .open, terminals: [1, 2])
    var expected = ""
    for (event, piece) in zip(SampleStream.events.dropFirst(3), SampleStream.pieces) {
      process.write(SampleStream.block(event))
      expected += piece
      try #require(process.output { $0.utf8.count >= expected.utf8.count } == expected)
    }
    process.closeInput()
    // Nothing said that the response had begun.
    #expect(process.finish().outcome == .exited(0))
  }

  @Test func `a notice in the middle of a text stands on a line of its own on a terminal`() throws {
    let events = SampleStream.events
    let error = "data: {\"type\":\"error\",\"message\":\"m\"}\n\n"
    for terminals in [[1, 2], [2], []] as [Set<Int32>] {
      let process = try ToolProcess("oresp-text", input: .open, terminals: terminals)
      process.write(SampleStream.stream(Array(events.prefix(4))) + error)
      _ = process.errors { $0.contains("error: m\n") }
      process.write(SampleStream.stream(Array(events.dropFirst(4))))
      process.closeInput()
      let run = process.finish()
      #expect(run.text == SampleStream.text)
      #expect(run.errors == (terminals.count == 2 ? "\n" : "") + "oresp-text: error: m\n")
    }
  }

  @Test(arguments: [("60", true, 59), ("300", true, 100), ("60", false, 79)])
  func `help fits the terminal, and has 79 columns elsewhere`(
    columns: String, isTerminal: Bool, width: Int
  ) throws {
    let run = try ToolProcess(
      "oresp-events", ["--help=status"], environment: ["COLUMNS": columns],
      terminals: isTerminal ? [1] : []
    ).finish()
    let widest = run.text.split(separator: "\n").map(\.count).max() ?? 0
    #expect(widest <= width && widest > width - 8)
    #expect(run.outcome == .exited(0))
  }

  @Test(
    arguments: [
      ([1], [], true), ([], [], false), ([1], ["-q"], false), ([1], ["--no-stream"], false),
    ] as [(Set<Int32>, [String], Bool)])
  func `events on a terminal come with a word on what prints their text`(
    terminals: Set<Int32>, arguments: [String], isSaid: Bool
  ) throws {
    let words = arguments + ["--rehearse", "Hi"]
    let run = try ToolProcess("oresp-send", words, input: .nothing, terminals: terminals).finish()
    #expect(run.errors.contains("| oresp-text") == isSaid, "\(run.errors)")
  }

  @Test func `a list on a terminal has lines that fit, and tabs in a pipe`() throws {
    for terminals in [[1], []] as [Set<Int32>] {
      let run = try ToolProcess("oresp-send", ["--provider=help"], terminals: terminals).finish()
      let lines = Finished.lines(run.text)
      #expect(lines.allSatisfy { $0.count < 80 } == terminals.contains(1))
      #expect(lines.allSatisfy { $0.contains("\t") } == terminals.isEmpty)
      #expect(lines.contains { $0.hasPrefix("xai") && $0.contains("https://api.x.ai/v1") })
    }
  }

  @Test(arguments: VerdictTests.endings)
  func `the exit status on a terminal is the same`(ending: VerdictTests.Ending) throws {
    let input = ToolProcess.Input.text(VerdictTests.stream(ending))
    let process = try ToolProcess("oresp-text", input: input, terminals: [1, 2])
    let run = process.finish()
    #expect(run.outcome == .exited(ending.status))
    #expect(run.text == SampleStream.text)
    #expect(run.errors.isEmpty == (ending.status == 0))
  }

  @Test(
    arguments: [
      ([], true, shown), (["--no-sanitize"], true, exact), ([], false, exact),
      (["--sanitize"], false, shown),
    ] as [([String], Bool, String)])
  func `what a terminal would obey is made visible there`(
    arguments: [String], isTerminal: Bool, text: String
  ) throws {
    let stream = SampleStream.stream(SampleStream.events([Self.hostile]))
    let run = try ToolProcess(
      "oresp-text", arguments, input: .text(stream), terminals: isTerminal ? [1] : []
    ).finish()
    #expect(run.text.unicodeScalars.elementsEqual((text + "\n").unicodeScalars))
    #expect(run.outcome == .exited(0))
  }

  @Test(
    arguments: [
      ("oresp-sse", ["--envelope"]), ("oresp-sse", ["-r"]), ("oresp-events", []),
      ("oresp-text", []), ("oresp-sse", ["--sanitize"]),
      ("oresp-text", ["-o", "/dev/stdout"]),
    ] as [(String, [String])])
  func `no tool hands a terminal what it would obey`(tool: String, arguments: [String]) throws {
    // A pipe gets what came, unless the user decides.
    let event = "{\"type\":\"response.output_text.delta\",\"delta\":\"a\u{9B}b\u{202E}c\u{7F}d\"}\n"
    let exact = "a\u{9B}b\u{202E}c\u{7F}d"
    let shown = "a<U+009B>b<U+202E>c^?d"
    let input = arguments == ["--envelope"] ? "data: \(event)\n" : event
    for isTerminal in [true, false] {
      let run = try ToolProcess(
        tool, arguments, input: .text(input), terminals: isTerminal ? [1] : []
      ).finish()
      let isShown = isTerminal || arguments == ["--sanitize"]
      #expect(
        run.text.unicodeScalars.contains(isShown ? shown.unicodeScalars : exact.unicodeScalars))
      #expect(run.status == 0)
    }
    let kept = try ToolProcess(
      tool, arguments + ["--no-sanitize"], input: .text(input), terminals: [1]
    ).finish()
    #expect(kept.text.unicodeScalars.contains(exact.unicodeScalars))
  }

  @Test func `the sender hands a terminal no answer that it would obey`() throws {
    let stream = SampleStream.stream(SampleStream.events([Self.hostile]))
    for (isTerminal, more, text) in [
      (true, [], "b<U+009B>1mc<U+202E>d"), (false, [], "b\u{9B}1mc\u{202E}d"),
      (true, ["--no-sanitize"], "b\u{9B}1mc\u{202E}d"),
    ] as [(Bool, [String], String)] {
      let sender = try Sender(.stream(Array(unescaped(stream).utf8)))
      let run = try ToolProcess(
        "oresp-send", more + sender.arguments, environment: sender.environment,
        terminals: isTerminal ? [1] : []
      ).finish()
      #expect(run.text.unicodeScalars.contains(text.unicodeScalars))
      #expect(run.outcome == .exited(0))
    }
  }

  @Test func `what the sender tells of an answer stands below it`() throws {
    let script = "oresp-send --rehearse=incomplete hi | oresp-text"
    let told = "oresp-send: the response is incomplete: max_output_tokens"
    var others: [[String]] = []
    for _ in 0..<10 {
      let (lines, outcome) = try TerminalSession(["-c", script], columns: 200).finish()
      #expect(outcome == .exited(6))
      let last = lines.filter { !$0.isEmpty }.suffix(2)
      if last.first != "It has" || last.last?.hasPrefix(told) != true { others.append(lines) }
    }
    // A reader that gets no processor in time is late.
    #expect(others.count < 3, "\(others)")
  }

  @Test func `a log of the sender that is a terminal gets nothing that it would obey`() throws {
    let stream = unescaped(SampleStream.stream(SampleStream.events([Self.hostile])))
    var answer = Answer.stream(Array(stream.utf8))
    answer.headers.append(("X-Request-ID", "b\u{9B}1mc\u{202E}d"))
    for (isTerminal, more, text) in [
      (true, [], "b<U+009B>1mc<U+202E>d"), (false, [], "b\u{9B}1mc\u{202E}d"),
      (true, ["--no-sanitize"], "b\u{9B}1mc\u{202E}d"),
    ] as [(Bool, [String], String)] {
      let sender = try Sender(answer)
      let run = try ToolProcess(
        "oresp-send", ["-q", "--log", "/dev/stderr"] + more + sender.arguments,
        environment: sender.environment, terminals: isTerminal ? [2] : []
      ).finish()
      #expect(run.errors.unicodeScalars.contains(text.unicodeScalars), "\(run.errors)")
      #expect(run.outcome == .exited(0))
    }
  }

  @Test func `the terminal of the session is shown what the sender got, and obeys none of it`()
    throws
  {
    var answer = Answer.stream(SampleStream.bytes)
    answer.steps.append(.send(Array(": c\u{1B}[2Jd\n\n".utf8)))
    let sender = try Sender(answer)
    let script = "oresp-send --log /dev/tty \"$@\" >/dev/tty 2>&1"
    let session = try TerminalSession(
      ["-c", script, "bash"] + sender.arguments, columns: 2000, environment: sender.environment)
    let (lines, outcome) = session.finish()
    #expect(lines.contains(": c^[[2Jd"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix(#"{"time":"#) }, "\(lines)")
    #expect(outcome == .exited(0))
  }

  @Test func `a character that is cut by the end of the answer is shown`() throws {
    var sender = try Sender(Answer(steps: [.send([0x61, 0xC3])]))
    sender.arguments = ["--path=/files/file_1/content", "-X", "GET", "-q"]
    let run = try ToolProcess(
      "oresp-send", sender.arguments, environment: sender.environment, terminals: [1]
    ).finish()
    #expect(run.text == "a<C3>")
  }

  /// `stream` with the characters themselves where it spells them by escapes that JSON does not
  /// need.
  private func unescaped(_ stream: String) -> String {
    stream.replacing("\\u009b", with: "\u{9B}").replacing("\\u202e", with: "\u{202E}")
  }

  @Test func `what a server says of a failure is made harmless wherever it is told`() throws {
    let body = #"{"error":{"message":"no\u001b[2J\u009bkey","code":"invalid_api_key"}}"#
    for terminals in [[1, 2], []] as [Set<Int32>] {
      let sender = try Sender(.body(body, status: 401))
      let run = try ToolProcess(
        "oresp-send", sender.arguments, environment: sender.environment, terminals: terminals
      ).finish()
      #expect(run.errors.contains(#"no\u{1b}[2J\u{9b}key"#), "\(run.errors)")
      #expect(!run.errors.unicodeScalars.contains("\u{1B}"))
      #expect(!run.text.unicodeScalars.contains("\u{1B}"))
      #expect(run.outcome == .exited(4))
    }
  }

  @Test func `a notice in JSON has escapes for what a terminal would obey`() throws {
    let name = "no\u{1B}[1m\u{9B}\u{202E}\u{E0041}file"
    let run = try ToolProcess.run("oresp-sse", ["--notices=json", name])
    #expect(run.errors.contains(#"no\u001b[1m\u009b\u202e\udb40\udc41file: No such file"#))
  }

  @Test func `a character that is cut by a read is put together before it is judged`() throws {
    let process = try ToolProcess("oresp-text", input: .open, terminals: [1])
    for byte in SampleStream.stream(SampleStream.events(["é😀"])).utf8 { process.write([byte]) }
    process.closeInput()
    #expect(process.finish().text == "é😀\n")
  }

  @Test func `other kinds of text are made harmless on the terminal of standard error`() throws {
    let event = #"{"type":"response.reasoning_text.delta","output_index":0,"delta":"a\u001bb"}"#
    let process = try ToolProcess(
      "oresp-text", ["--reasoning=stderr"], input: .text(event), terminals: [2])
    #expect(process.finish().errors == "--- reasoning\na^[b\n")
  }
}
