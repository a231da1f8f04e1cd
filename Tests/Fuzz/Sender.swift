import Core

@testable import oresp_send

/// What people give the tools to do, and what servers answer.
enum Sender {
  private static let variables = [
    "OPENAI_API_KEY": ToolCase.key, "ORESP_REHEARSE": "completed", "ORESP_MODEL": "m",
  ]

  /// The lines before the first empty one are a tool and its arguments, the rest is standard input.
  static func checkOptions(_ input: FuzzInput) {
    var words: [[UInt8]] = []
    var rest = input
    while !rest.bytes.isEmpty {
      let (line, behind) = rest.parted
      rest = behind
      if line.isEmpty { break }
      words.append(line)
    }
    let tools = ["oresp-sse", "oresp-events", "oresp-text", "oresp-send"]
    let first = words.isEmpty ? [] : words.removeFirst()
    let tool = ToolCase(
      tool: tools.first { $0.utf8.elementsEqual(first) }
        ?? tools[Int(FuzzInput(bytes: first).seed % 4)],
      // An argument cannot hold a NUL.
      arguments: words.map { String(system: $0.filter { $0 != 0 }) }, input: rest.bytes,
      files: ["f": rest.bytes, "s": Array(#"{"type":"object"}"#.utf8)], variables: variables)
    let run = tool.checkedRun(seed: input.seed, byBytes: false)
    checkKey(in: run, of: tool)
  }

  /// The first line is the body, and each other one an option for a place in it.
  static func checkPaths(_ input: FuzzInput) {
    let (body, rest) = input.parted
    var arguments = ["-n", "-b", "body"]
    for line in rest.bytes.split(separator: ASCII.lf).prefix(8) {
      let text = String(decoding: line, as: UTF8.self)
      let option = ["--set-str=", "--unset=", "--set="].first { text.hasPrefix($0) }
      arguments.append(option == nil ? "--set=" + text : text)
      checkPath(option == nil ? text : String(text.dropFirst(option?.count ?? 0)))
    }
    let tool = ToolCase(
      tool: "oresp-send", arguments: arguments, input: [], files: ["body": body],
      variables: variables)
    let run = tool.checkedRun(seed: input.seed, byBytes: false)
    guard run.status == 0 || run.status == 2 else { fail("the status is \(run.status)", tool) }
    guard run.status == 0 else { return }
    tool.checkLines(of: run)
    guard run.lines.count == 1 else { fail("the body is no line", tool) }
    var again = tool
    (again.arguments, again.input) = (["-n", "-b", "-"], run.output)
    again.expect(again.run().output, run.output, "a body that is given back is another")
  }

  /// A path reads the same when it is typed as it is told.
  private static func checkPath(_ text: String) {
    guard let (path, _) = try? BodyPathParser.split(text) else { return }
    guard let (again, rest) = try? BodyPathParser.split(path.text), rest == nil,
      again.text == path.text, again.steps.count == path.steps.count
    else { fail("\(text.debugDescription): its path is told as \(path.text.debugDescription)") }
    var value = JSONValue.object([])
    let isSet = (try? value.set(.integer(7), at: path)) != nil
    let isNew = path.steps.contains { if case .append = $0 { true } else { false } }
    if isSet, !isNew, value.value(at: path)?.line != Array("7".utf8) {
      fail(
        "\(path.text): what was set is not there: \(String(decoding: value.line, as: UTF8.self))")
    }
  }

  /// An answer as `curl -i` prints it, or its body alone.
  static func checkReply(_ input: FuzzInput) {
    var generator = input.generator
    let more = [[], ["--no-stream"], ["--background"], ["-v"]]
    let tool = ToolCase(
      tool: "oresp-send",
      arguments: ["--rehearse=@-", "--notices=json", "hi"]
        + (more.randomElement(using: &generator) ?? []),
      input: input.bytes, variables: variables)
    let run = tool.checkedRun(seed: input.seed, byBytes: false)
    checkLater(run, of: tool)
    checkHead(input)
  }

  /// A later stage comes to the same verdict. What the sender dropped for its end was missing may
  /// have had an event in it that it judged.
  private static func checkLater(_ run: ToolRun, of tool: ToolCase) {
    guard run.status > 3, !run.output.isEmpty, !run.errors.span.contains("dropped_bytes") else {
      return
    }
    let later = ToolCase(tool: "oresp-text", arguments: [], input: run.output)
    let status = later.run().status
    guard status != run.status else { return }
    fail("the sender exits with \(run.status), and a later stage with \(status)", tool)
  }

  /// What is made of headers, and of the body however it is cut.
  private static func checkHead(_ input: FuzzInput) {
    var decoder = ReplyHeadDecoder()
    var head: ReplyHead?
    var rest = input
    while head == nil, !rest.bytes.isEmpty {
      let (line, behind) = rest.parted
      head = decoder.append(line.span)
      rest = behind
      let shown = Redaction.header(String(decoding: line, as: UTF8.self))
      if shown.lowercased().hasPrefix("set-cookie:"), !shown.hasSuffix(": [secret]") {
        fail("a cookie is shown: \(shown)")
      }
    }
    guard let head else { return }
    if let wait = RetryAfter.milliseconds(in: head, now: 1_700_000_000),
      !(0...1_000_000_000_000_000 ~= wait)
    {
      fail("a wait of \(wait) ms")
    }
    var cuts = Cuts.random(input.generator)
    var (chunks, place) = ([[UInt8]](), 0)
    while place < rest.bytes.count {
      let count = cuts.next(of: rest.bytes.count - place) ?? 0
      chunks.append(Array(rest.bytes[place..<place + count]))
      place += count
    }
    for fault in [nil, TransportFault(.connectionLost, "reset", advice: "")] {
      let (whole, cut) = (relay([rest.bytes], head, fault), relay(chunks, head, fault))
      guard whole == cut else { fail("the relay makes\n  \(whole)\nand in chunks\n  \(cut)") }
      if !head.isSuccess, whole.output.span.contains(ToolCase.key) {
        fail("the relay shows the key: \(whole)")
      }
      let later = verdict(on: whole.output)
      // What is broken beyond reading may not be passed on.
      if later == .completed, ![.completed, .badInput].contains(whole.status) {
        fail("who reads the output takes it for complete: \(whole)")
      }
      if later != .completed, whole.status == .completed {
        fail("who reads the output takes it for \(later): \(whole)")
      }
    }
  }

  /// What is made of a reply.
  private struct Relayed: Equatable, CustomStringConvertible {
    var output: [UInt8]
    var told: [String]
    var status: ExitStatus

    var description: String {
      ([String(decoding: output, as: UTF8.self)] + told).joined(separator: "\n")
    }
  }

  private static func relay(
    _ chunks: [[UInt8]], _ head: ReplyHead, _ fault: TransportFault?
  ) -> Relayed {
    let reply = Reply(Redaction([Array(ToolCase.key.utf8)]))
    var output = Output()
    reply.begin(head)
    for chunk in chunks {
      _ = reply.receive(chunk.span, into: &output)
      reply.flush(into: &output)
    }
    if case .ended = reply.end(fault, into: &output) {} else { reply.giveUp(into: &output) }
    let told = output.notices.filter { $0.kind != .summary }
    return Relayed(
      output: output.bytes, told: told.map { $0.text(tool: "", input: "") },
      status: told.compactMap(\.status).max() ?? .completed)
  }

  /// How whoever reads `bytes` judges them.
  private static func verdict(on bytes: [UInt8]) -> ExitStatus {
    var settings = EventReader.Settings()
    settings.acceptsAnything = true
    var feed = EventFeed(settings, sorting: .judging)
    var input = InputBuffer()
    var output = Output()
    input.append(bytes.span)
    feed.each(in: &input, isEnd: true, into: &output) { _, _, _ in }
    feed.finish(into: &output)
    guard feed.judge.meets(.objects) else { return .badInput }
    return output.notices.compactMap(\.status).max() ?? .completed
  }

  private static func checkKey(in run: ToolRun, of tool: ToolCase) {
    guard !(run.output + run.errors).span.contains(ToolCase.key) else {
      fail("the key is shown", tool)
    }
  }
}
