import Foundation
import ProcessSupport
import Testing

/// `oresp-send --batch` against a loopback server.
@Suite(.waiting) struct BatchTests {
  /// A batch of `count` requests, named `r0`, `r1` and so on.
  private static func jobs(_ count: Int) -> String {
    (0..<count).map { number in
      #"{"custom_id":"r\#(number)","method":"POST","url":"/v1/responses","#
        + #""body":{"model":"m","input":"\#(number)"}}"# + "\n"
    }.joined()
  }

  private static func document(_ number: Int) -> String {
    #"{"id":"resp_\#(number)","object":"response","status":"completed","output":[]}"#
  }

  private static func number(of request: LoopbackServer.Request) -> Int {
    Int(request.json["input"] as? String ?? "") ?? -1
  }

  private func sender(
    _ arguments: [String], _ answer: @escaping @Sendable (LoopbackServer.Request) -> Answer
  ) throws -> Sender {
    var sender = Sender(try LoopbackServer(answer))
    sender.arguments = ["--batch"] + arguments
    return sender
  }

  private func cut(_ path: String, by count: UInt64) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.truncate(atOffset: file.seekToEnd() - count)
  }

  /// What is answered to the first attempt of some requests: faults of each kind.
  private static func fault(_ number: Int) -> Answer? {
    let document = Array(document(number).utf8)
    return switch number % 40 {
    case 0: .body(#"{"error":{"message":"slow"}}"#, status: 429, headers: [("Retry-After-Ms", "9")])
    case 10: .body(#"{"error":{"message":"oops"}}"#, status: 500)
    case 20:
      Answer(
        headers: [("Content-Type", "application/json")], steps: [.send(document.dropLast(7)), .cut])
    case 30: .body(String(decoding: document.dropLast(7), as: UTF8.self))
    default: nil
    }
  }

  @Test func `a batch that is killed five times has each answer once`() throws {
    let (count, atOnce) = (1000, 16)
    let attempts = Shared<[Int: Int]>([:])
    let server = try LoopbackServer { request in
      let number = Self.number(of: request)
      let attempt = attempts.update { attempts in
        attempts[number, default: 0] += 1
        return attempts[number] ?? 0
      }
      return attempt == 1
        ? Self.fault(number) ?? .body(Self.document(number))
        : .body(Self.document(number))
    }
    let folder = try TemporaryFolder()
    let jobs = try folder.file("jobs", Self.jobs(count))
    let out = folder.path + "/out"
    var random = SystemRandomNumberGenerator()
    func size() -> Int {
      let status = try? FileManager.default.attributesOfItem(atPath: out)
      return status?[.size] as? Int ?? 0
    }
    func start() throws -> ToolProcess {
      let script =
        "exec oresp-send --batch \"$0\" -q -j \(atOnce) --done \"$1\" >>\"$1\""
      return try ToolProcess(
        "bash", ["-c", script, jobs, out], environment: ["OPENAI_BASE_URL": server.baseURL])
    }
    for turn in 1...5 {
      let process = try start()
      let wanted = size() + Int.random(in: 1...15_000, using: &random)
      let deadline = Date(timeIntervalSinceNow: hangGuardSeconds)
      while size() < wanted, Date() < deadline { usleep(500) }
      kill(process.processID, SIGKILL)
      #expect(process.finish().outcome == .killed(signal: SIGKILL))
      // As a kill in the midst of a write leaves it.
      if turn.isMultiple(of: 2) { try cut(out, by: UInt64(5 * turn)) }
    }
    let last = try start().finish()
    #expect(last.outcome == .exited(0))
    let lines = Finished.lines(try String(contentsOfFile: out, encoding: .utf8)).map(json)
    #expect(lines.count == count)
    #expect(Set(lines.map { $0["custom_id"] as? String ?? "" }).count == count)
    #expect(lines.allSatisfy { ($0["response"] as? [String: Any])?["status_code"] as? Int == 200 })
    // Beside the faults, only what was on its way at a kill, or taken away, was asked for again.
    #expect(server.requests.count <= count + count / 10 + 5 * atOnce + 2)
  }

  @Test func `as many requests as -j says are on their way at once, and no more`() throws {
    let (inside, most, gate) = (Shared(0), Shared(0), Gate())
    let sender = try sender(["-j", "4"]) { request in
      let now = inside.update { inside in
        inside += 1
        return inside
      }
      most.update { $0 = max($0, now) }
      if now == 4 { gate.open() }
      gate.wait()
      inside.update { $0 -= 1 }
      return .body(Self.document(Self.number(of: request)))
    }
    let run = try sender.run(input: .text(Self.jobs(12)))
    #expect(run.outcome == .exited(0) && run.errors == "oresp-send: 12 requests: 12 completed\n")
    #expect(run.lines.count == 12)
    #expect(most.value == 4)
  }

  @Test func `a request is started as soon as its line is there`() throws {
    let sender = try sender([]) { .body(Self.document(Self.number(of: $0))) }
    let process = try sender.start(input: .open)
    let lines = Finished.lines(Self.jobs(2))
    process.write(lines[0] + "\n")
    #expect(process.output { $0.hasSuffix("\n") }.contains(#""custom_id":"r0""#))
    process.write(lines[1])
    process.closeInput()
    let run = process.finish()
    #expect(run.outcome == .exited(0) && run.lines.count == 2)
  }

  @Test func `a pause that one request is asked for holds all`() throws {
    let sender = try sender(["-j", "1"]) { request in
      request.number == 0
        ? .body("{}", status: 429, headers: [("Retry-After-Ms", "50")])
        : .body(Self.document(Self.number(of: request)))
    }
    let run = try sender.run(input: .text(Self.jobs(3)))
    #expect(run.outcome == .exited(0))
    #expect(sender.server.requests.map(Self.number) == [0, 0, 1, 2])
  }

  @Test func `a key that is wrong stops the batch, and what is left is done by the next run`()
    throws
  {
    let refuses = Shared(true)
    let folder = try TemporaryFolder()
    let jobs = try folder.file("jobs", Self.jobs(5))
    let sender = try sender([]) { request in
      refuses.value && request.number == 1
        ? .body(
          #"{"error":{"code":"invalid_api_key","message":"\#(Sender.key) is wrong"}}"#, status: 401)
        : .body(Self.document(Self.number(of: request)))
    }
    let script = #"oresp-send --batch "$1" -j 1 --done "$2" >>"$2""#
    let send = {
      try ToolProcess.bash(
        script, [jobs, folder.path + "/out"], environment: sender.environment)
    }
    let run = try send()
    #expect(run.outcome == .exited(4))
    #expect(
      run.errors == """
        oresp-send: no more requests are sent: HTTP 401: invalid_api_key: [key] is wrong
        oresp-send: 5 requests: 1 completed, 1 refused for good (4), 3 not sent

        """)
    refuses.update { $0 = false }
    let next = try send()
    #expect(next.outcome == .exited(0))
    #expect(next.errors == "oresp-send: 5 requests: 4 completed, 1 done before\n")
    let text = try String(contentsOfFile: folder.path + "/out", encoding: .utf8)
    #expect(!text.contains(Sender.key))
    let names = Finished.lines(text).map { json($0)["custom_id"] as? String }
    #expect(names == ["r0", "r1", "r1", "r2", "r3", "r4"])
  }

  /// A batch of one request, with `out` as its file of what is done.
  private static let going = "oresp-send --batch jobs --done out -q >>out"

  /// A folder with a batch, and what an earlier run has left in `out`.
  private static func folder(_ left: String? = nil) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = try folder.file("jobs", jobs(1))
    if let left { _ = try folder.file("out", left) }
    return folder
  }

  @Test func `of two runs with one file one sends, and the other is status 5`() throws {
    let (asked, gate) = (Gate(), Gate())
    let sender = try sender([]) { request in
      asked.open()
      gate.wait()
      return .body(Self.document(Self.number(of: request)))
    }
    let folder = try Self.folder()
    let script = "cd \(folder.path); exec " + Self.going
    let first = try ToolProcess("bash", ["-c", script], environment: sender.environment)
    asked.wait()
    let second = try ToolProcess.bash(
      script + " --api-key-cmd 'touch asked'", environment: sender.environment)
    #expect(second.outcome == .exited(5))
    #expect(
      second.errors
        == "oresp-send: out: another run is using it; if the lock is your own, lock another file\n")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/asked"))
    gate.open()
    #expect(first.finish().outcome == .exited(0))
    #expect(sender.server.requests.count == 1)
    #expect(try ToolProcess.bash(script, environment: sender.environment).outcome == .exited(0))
    #expect(sender.server.requests.count == 1)
  }

  @Test(arguments: ["", " -n"])
  func `a file that is locked is not touched, and a dry run reads it`(dry: String) throws {
    let sender = try sender([]) { .body(Self.document(Self.number(of: $0))) }
    let cut = #"{"custom_id":"x"}"# + "\n" + #"{"custom_id":"r0","#
    let folder = try Self.folder(cut)
    let run = try ToolProcess.bash(
      """
      cd \(folder.path); exec 9<out; flock 9
      oresp-send --batch jobs --done out\(dry) 9<&-; status=$?; cat out; exit $status
      """, environment: sender.environment)
    #expect(run.outcome == .exited(dry.isEmpty ? 5 : 0))
    #expect(run.text.hasSuffix(cut) && run.text.contains("r0"))
    #expect(sender.server.requests.isEmpty)
  }

  @Test(arguments: [
    ("oresp-send --batch jobs -q --done out -n | wc -l; ls", "1\njobs\n"),
    ("oresp-send --batch jobs -q --done out >>all; ls; wc -c <out", "all\njobs\nout\n0\n"),
    // An output that overwrites the file of what is done.
    ("oresp-send --batch jobs -q --done out >out 2>told; echo $?; wc -c <out", "2\n0\n"),
    (
      "exec 9</dev/null; flock 9; oresp-send --batch jobs -q --done /dev/null 9<&- | wc -l", "1\n"
    ),
    ("oresp-send --batch jobs -q --done <(cat /dev/null) | wc -l", "1\n"),
    // A run that sends nothing makes none.
    ("oresp-send --batch none -q --done out 2>&1 | wc -l; ls", "1\njobs\n"),
    ("mkdir none; oresp-send --batch none -q --done out 2>&1 | wc -l; ls", "1\njobs\nnone\n"),
    ("oresp-send --rehearse --batch jobs -q --done out | wc -l; ls", "1\njobs\n"),
    // What is no output of a batch stays as it is.
    (
      "printf 'my notes\\nline 2\\n' >notes; oresp-send --rehearse --batch jobs -q --done notes"
        + " >>notes 2>told; echo $?; wc -l <notes",
      "2\n2\n"
    ),
    (
      "printf 'my notes\\n{\\n' >notes; oresp-send --batch jobs -q --done notes >>notes 2>told;"
        + " echo $?; wc -l <notes",
      "2\n2\n"
    ),
    // Only half a line is cut off, and not in a rehearsal.
    (
      "printf '{\"custom_id\":\"x\"}\\n{\"custom' >out; oresp-send --rehearse --batch jobs -q --done out"
        + " >>out; wc -l <out; grep -c '^{\"custom$' out",
      "3\n1\n"
    ),
    (
      "printf '{\"custom_id\":\"x\"}\\n{\"custom' >out; oresp-send --batch jobs -q --done out >>out;"
        + " wc -l <out; grep -c '^{\"custom$' out",
      "2\n0\n"
    ),
    (
      "printf '{\"custom_id\":\"x\"}\\nwords' >out; oresp-send --batch jobs -q --done out >>out;"
        + " wc -l <out; grep -c '^words$' out",
      "3\n1\n"
    ),
    // What an option names is read once, for all lines.
    (
      "sed s/r0/r1/ jobs >more; oresp-send --batch jobs -n -s @<(printf brief) more | grep -c brief",
      "2\n"
    ),
    ("\(going); chmod a-w out; oresp-send --batch jobs -q --done out | wc -l", "0\n"),
  ])
  func `a file is made, and locked, only where it can be`(script: String, output: String) throws {
    let sender = try sender([]) { .body(Self.document(Self.number(of: $0))) }
    let folder = try Self.folder()
    let run = try ToolProcess.bash("cd \(folder.path); " + script, environment: sender.environment)
    #expect(run.text == output)
    #expect(run.errors == "")
  }

  #if os(Linux)
    @Test(.needs(Sanitizer.isAbsent, "a sanitizer has to be loaded before all others"))
    func `a file system without locks is told, and the batch is sent`() throws {
      let sender = try sender([]) { .body(Self.document(Self.number(of: $0))) }
      let (folder, others) = (try Self.folder(), try TemporaryFolder())
      let library = try others.library(
        "#include <errno.h>\nint flock(int file, int how) { errno = ENOLCK; return -1; }\n")
      let run = try ToolProcess.bash(
        "cd \(folder.path); LD_PRELOAD=\(library) oresp-send --batch jobs --done out >>out",
        environment: sender.environment)
      #expect(run.outcome == .exited(0))
      #expect(
        run.errors == """
          oresp-send: out: No locks available: nothing keeps another run from this file
          oresp-send: 1 request: 1 completed

          """)
    }
  #endif

  @Test func `events of all come at once, and filters keep them apart`() throws {
    let gates = [Gate(), Gate()]
    let sender = try sender(["--events"]) { request in
      let number = Self.number(of: request)
      let stream = Array(SampleStream.stream(SampleStream.events(["n\(number)", "."])).utf8)
      // Each goes on when the other has begun.
      gates[number].open()
      return .stream(stream, .held(after: 700, gates[1 - number]))
    }
    let script = "oresp-send \"$@\" | tee all | oresp-text"
    let folder = try TemporaryFolder()
    let run = try ToolProcess.bash(
      "cd \(folder.path); " + script + "; oresp-events --request r1 all | oresp-text",
      sender.arguments, input: .text(Self.jobs(2)), environment: sender.environment)
    #expect(run.outcome == .exited(0))
    #expect(run.lines.sorted() == ["n0.", "n1.", "n1."])
    #expect(sender.server.requests.allSatisfy { $0.json["stream"] as? Bool == true })
  }

  /// A prompt, an input of prompts, and one that begins as requests do.
  @Test(arguments: [
    (#"Why?\r\nHow?\r\n"#, ["Why?", "How?"], ""), (#"\357\273\277\n\nhi"#, ["hi"], ""),
    (#"\357\273\277{"custom_id":"a","body":{"input":"A"}}"#, ["A"], ""),
    (#"a\nb\377\n\nc\0d\n"#, ["a", "c\u{0}d"], "oresp-send: stdin: line 2: not UTF-8\n"),
    (#"\177ELF\0\n\nb\n"#, [], "oresp-send: stdin: line 1: not a text\n"),
    (#"\037\213\b\nb\n"#, [], "oresp-send: stdin: line 1: not a text\n"),
  ])
  func `prompts are taken as bytes say`(bytes: String, inputs: [String], told: String) throws {
    let run = try ToolProcess.bash(
      "printf \"$1\" | oresp-send --batch -n -m m", [bytes.replacing("%", with: "%%")])
    #expect(run.errors == told)
    #expect(run.lines.map { (json($0)["body"] as? [String: Any])?["input"] as? String } == inputs)
    #expect(run.status == (told.isEmpty ? 0 : 3))
  }

  @Test func `the progress stays below answers that the same terminal shows`() throws {
    let gate = Gate()
    let sender = try sender([]) { request in
      if Self.number(of: request) == 2 { gate.wait() }
      return .body(Self.document(Self.number(of: request)))
    }
    let folder = try TemporaryFolder()
    let jobs = try folder.file("jobs", Self.jobs(3))
    let terminal = try TerminalSession(
      ["-c", "exec oresp-send --batch '\(jobs)' -k"], columns: 400,
      environment: sender.environment)
    let lines = terminal.lines { $0.last?.hasPrefix("2 done, 0 failed, 1 running, ") == true }
    #expect(lines.count == 3 && lines.dropLast().allSatisfy { $0.hasPrefix(#"{"id":"batch_req_"#) })
    gate.open()
    let (end, outcome) = terminal.finish()
    #expect(outcome == .exited(0))
    #expect(end.count == 5 && end.dropLast(2).allSatisfy { $0.hasPrefix(#"{"id":"batch_req_"#) })
    #expect(end.dropFirst(3) == ["oresp-send: 3 requests: 3 completed", ""])
  }

  @Test func `the progress takes one line of the window, of one that got smaller too`() throws {
    let gate = Gate()
    let sender = try sender([]) { request in
      if Self.number(of: request) == 1 { gate.wait() }
      return .body(Self.document(Self.number(of: request)))
    }
    let folder = try TemporaryFolder()
    let jobs = try folder.file("jobs", Self.jobs(2))
    let terminal = try TerminalSession(
      ["-c", "exec oresp-send --batch '\(jobs)' >/dev/null"], columns: 60,
      environment: sender.environment)
    terminal.lines { $0.last?.hasPrefix("1 done, 0 failed, 1 running, ") == true }
    terminal.resize(columns: 20)
    #expect(terminal.lines { $0.last == "1 done, 0 failed..." } == ["1 done, 0 failed..."])
    gate.open()
    let (lines, outcome) = terminal.finish()
    #expect(outcome == .exited(0))
    #expect(lines == ["oresp-send: 2 reques", "ts: 2 completed", ""])
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends all requests, and each line is whole`(signal: Int32) throws {
    let gates = (0..<3).map { _ in Gate() }
    let sender = try sender([]) { request in
      let number = Self.number(of: request)
      guard number > 0 else { return .body(Self.document(0)) }
      return Answer(framing: .chunked, steps: [.awaitClose(gates[number])])
    }
    let process = try sender.start(input: .text(Self.jobs(3)))
    #expect(process.output { $0.hasSuffix("\n") } != "")
    kill(process.processID, signal)
    let run = process.finish()
    #expect(run.outcome == .killed(signal: signal))
    #expect(run.lines.map { json($0)["custom_id"] as? String } == ["r0"])
  }

  @Test func `an answer that is long in coming is waited for, a stream that stalls is given up`()
    throws
  {
    let (asked, givenUp) = (Gate(), Gate())
    let sender = try sender(["--idle-timeout=0.05", "-k"]) { request in
      guard Self.number(of: request) == 0 else {
        asked.open()
        givenUp.wait()
        return .body(Self.document(1))
      }
      // Its silence begins behind that of the other.
      asked.wait()
      var answer = Answer.stream(SampleStream.bytes)
      answer.steps = [.send(Array(SampleStream.bytes.prefix(300))), .awaitClose(givenUp)]
      return answer
    }
    let run = try sender.run(input: .text(Self.jobs(2)))
    #expect(run.outcome == .exited(5))
    #expect(run.errors == "oresp-send: 2 requests: 1 completed, 1 failed temporarily (5)\n")
    let errors = run.lines.map { (json($0)["error"] as? [String: Any])?["code"] as? String }
    #expect(errors == ["timeout", nil])
    #expect(sender.server.requests.count == 2)
  }

  private static let begun =
    #"{"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}"#
  private static let item =
    #"{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"Hi."}]}"#

  /// Streams of one text, which their ends do not list.
  @Test(arguments: [
    [
      begun, #"{"type":"response.output_item.done","output_index":0,"item":\#(item)}"#,
      #"{"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}"#,
    ],
    [
      begun, #"{"type":"response.output_item.done","output_index":1,"item":\#(item)}"#,
      #"{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"x"}}"#,
      #"{"type":"response.completed","response":{"id":"r","status":"completed","output":null}}"#,
    ],
    [
      begun, #"{"type":"response.output_text.delta","item_id":"m","output_index":0,"delta":"H"}"#,
      #"{"type":"response.output_text.delta","item_id":"m","output_index":0,"delta":"i."}"#,
      #"{"type":"response.completed","response":{"id":"r","status":"completed"}}"#,
    ],
    [
      begun, #"{"type":"response.output_text.done","item_id":"m","output_index":0,"text":"Hi."}"#,
      #"{"type":"response.completed","response":{"id":"r","status":"completed","output":[\#(item)]}}"#,
    ],
    [
      #"{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi."}}]}"#,
      #"{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#, "[DONE]",
    ],
  ])
  func `a line has what a stream brought that nobody asked for`(events: [String]) throws {
    let isChat = events.last == "[DONE]"
    let sender = try sender(isChat ? ["--api=chat"] : []) { _ in
      .stream(Array(events.map { "data: \($0)\n\n" }.joined().utf8))
    }
    let run = try sender.run(input: .text("hi"))
    #expect(run.outcome == .exited(0) && run.lines.count == 1, "\(run.text) \(run.errors)")
    let text = try ToolProcess.run("oresp-text", input: .bytes(run.output))
    #expect(text.outcome == .exited(0) && text.text == "Hi.\n", "\(run.text)")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal writes the lines of the requests on their way into the log`(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let gates = (0..<3).map { _ in Gate() }
    let sender = try sender(["--log", folder.path + "/log"]) { request in
      let number = Self.number(of: request)
      guard number > 0 else { return .body(Self.document(0)) }
      return Answer(framing: .chunked, steps: [.awaitClose(gates[number])])
    }
    let process = try sender.start(input: .text(Self.jobs(3)))
    #expect(process.output { $0.hasSuffix("\n") } != "")
    while sender.server.requests.count < 3 { usleep(500) }
    kill(process.processID, signal)
    #expect(process.finish().outcome == .killed(signal: signal))
    let log = try String(contentsOfFile: folder.path + "/log", encoding: .utf8)
    let exits = Finished.lines(log).map { json($0)["exit"] as? Int32 }
    #expect(exits == [0, 128 + signal, 128 + signal])
  }

  @Test func `what another endpoint began to answer and lost is an error in its line`() throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
    let sender = try sender(["--path=/embeddings", "--retry=0"]) { _ in .raw(head, .cut) }
    let job = #"{"custom_id":"a","body":{"model":"m","input":"x"}}"#
    let run = try sender.run(input: .text(job))
    #expect(run.outcome == .exited(5))
    let line = json(run.lines.first ?? "")
    #expect(line["response"] is NSNull)
    #expect((line["error"] as? [String: Any])?["code"] as? String == "connection_lost")
  }

  @Test(
    arguments: [
      (#"{"a":[}"#, "application/json", "broken_answer", 5),
      (#"{"a":1"#, "application/json", "broken_answer", 5),
      ("data: {\"a\":1}\n\n", "text/event-stream", "unsupported_answer", 3),
      ("\u{FEFF} {\"a\":1}", "application/json", nil, 0), ("[1]", "application/json", nil, 0),
    ] as [(String, String, String?, Int32)])
  func `a line is JSON whatever another endpoint answers`(
    body: String, type: String, code: String?, status: Int32
  ) throws {
    let sender = try sender(["--path=/embeddings", "--retry=0"]) { _ in .body(body, type: type) }
    let run = try sender.run(input: .text(#"{"custom_id":"a","body":{"input":"x"}}"#))
    #expect(run.outcome == .exited(status), "\(run.text) \(run.errors)")
    let line = json(run.lines.first ?? "")
    #expect(line["custom_id"] as? String == "a", "\(run.text)")
    #expect((line["error"] as? [String: Any])?["code"] as? String == code)
    #expect(line["response"] is NSNull == (code != nil))
  }

  @Test func `a log has a line for each request`() throws {
    let folder = try TemporaryFolder()
    let sender = try sender(["--log", folder.path + "/log"]) { request in
      Self.number(of: request) == 1
        ? .body("{}", status: 500) : .body(Self.document(Self.number(of: request)))
    }
    let run = try sender.run(input: .text(Self.jobs(3)))
    #expect(run.outcome == .exited(5))
    let log = try String(contentsOfFile: folder.path + "/log", encoding: .utf8)
    let lines = Finished.lines(log).map(json)
    #expect(lines.compactMap { $0["exit"] as? Int }.sorted() == [0, 0, 5])
    #expect(lines.compactMap { ($0["retries"] as? [Any])?.count }.sorted() == [0, 0, 2])
  }

  @Test func `a log is one open file, however many requests wait`() throws {
    let folder = try TemporaryFolder()
    let failed = Shared<Set<Int>>([])
    let sender = try sender([]) { request in
      let number = Self.number(of: request)
      return failed.update { $0.insert(number).inserted }
        ? .body("{}", status: 500) : .body(Self.document(number))
    }
    // Ten have a connection each, and thirty wait for their second attempt.
    let script = "ulimit -n 36; exec oresp-send --batch -j 10 --log \(folder.path)/log"
    let run = try ToolProcess.bash(
      script, input: .text(Self.jobs(40)), environment: sender.environment)
    #expect(run.outcome == .exited(0), "\(run.errors)")
    let log = try String(contentsOfFile: folder.path + "/log", encoding: .utf8)
    #expect(Finished.lines(log).count == 40)
  }

  @Test func `a reader that leaves ends the batch`() throws {
    let sender = try sender(["-j", "2"]) { request in
      Self.number(of: request) == 0
        ? .body(Self.document(0)) : Answer(framing: .chunked, steps: [.awaitClose(Gate())])
    }
    let run = try ToolProcess.bash(
      "{ oresp-send \"$@\"; echo $? >&2; } | head -n 1", sender.arguments,
      input: .text(Self.jobs(9)), environment: sender.environment)
    #expect(run.lines.count == 1 && run.errors == "141\n", "\(run.errors)")
  }
}
