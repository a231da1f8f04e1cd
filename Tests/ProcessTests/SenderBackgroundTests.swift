import Foundation
import ProcessSupport
import Testing

/// Responses in the background: streams that are taken up again, and responses that are waited for.
@Suite(.waiting) struct SenderBackgroundTests {
  private static let blocks = SampleStream.events.map(SampleStream.block)

  private static func stream(behind last: Int) -> [UInt8] {
    Array(blocks[(last + 1)...].joined().utf8)
  }

  /// The number behind which a request wants events; `nil` when it wants none.
  private static func place(in request: LoopbackServer.Request) -> Int? {
    let parts = request.target.components(separatedBy: "starting_after=")
    return parts.count > 1 ? Int(parts[1].prefix { $0.isNumber }) : nil
  }

  private static let options = ["--background", "--retry=2"]

  private func sender(
    _ options: [String] = options, _ answer: @escaping @Sendable (LoopbackServer.Request) -> Answer
  ) throws -> Sender {
    var sender = Sender(try LoopbackServer(answer))
    sender.arguments = options + Sender.question
    return sender
  }

  @Test func `a stream that was cut is resumed after its last event`() throws {
    // Cut three times, and each time by the server as well as by the connection.
    let cuts = [Self.blocks[0].utf8.count + 30, 700, 90]
    for isCutByServer in [false, true] {
      let sender = try sender(
        Self.options + ["--include=logprobs", "--set=stream_options.include_obfuscation=false"]
      ) {
        request in
        let rest = Self.stream(behind: Self.place(in: request) ?? -1)
        guard request.number < cuts.count else { return .stream(rest) }
        let part = Array(rest.prefix(cuts[request.number]))
        return isCutByServer ? .stream(part) : .stream(rest, .cut(after: part.count))
      }
      let run = try sender.run()
      #expect(run.outcome == .exited(0), "\(run.errors)")
      #expect(run.text == SampleStream.stream)
      let requests = sender.server.requests
      #expect(requests.count == cuts.count + 1)
      #expect(requests[0].method == "POST" && requests[0].json["background"] as? Bool == true)
      #expect(requests.dropFirst().allSatisfy { $0.method == "GET" && $0.body.isEmpty })
      #expect(
        requests[1].target.replacingOccurrences(of: "%5b%5d", with: "%5B%5D")
          == "/v1/responses/resp_1?stream=true&include_obfuscation=false&starting_after=0"
          + "&include%5B%5D=message.output_text.logprobs")
      #expect(requests.allSatisfy { $0["Authorization"] == "Bearer " + Sender.key })
      #expect(requests[1]["Content-Type"] == nil)
      let told = Finished.lines(withoutWaits(run.errors))
      #expect(
        told.first
          == "oresp-send: the stream was cut after event 0; trying again in TIME s")
    }
  }

  @Test(arguments: [
    (options, "POST", "/v1/responses"),
    (["--resume=resp_1", "--retry=2"], "GET", "/v1/responses/resp_1?stream=true"),
  ])
  func `a stream that was cut in its first event is requested again`(
    options: [String], method: String, target: String
  ) throws {
    let first = Self.blocks[0].utf8.count
    var sender = try sender { request in
      guard request.number == 0 else { return .stream(SampleStream.bytes) }
      return .stream(SampleStream.bytes, .cut(after: first - 1))
    }
    sender.arguments = options + (method == "POST" ? Sender.question : [])
    let run = try sender.run()
    #expect(run.outcome == .exited(0), "\(run.errors)")
    #expect(run.text == SampleStream.stream)
    #expect(sender.server.requests.map(\.method) == [method, method])
    #expect(sender.server.requests.last?.target == target)
  }

  @Test func `a server that gives all events again is heard once`() throws {
    let sender = try sender { request in
      .stream(SampleStream.bytes, request.number == 0 ? .cut(after: 1000) : .chunked)
    }
    #expect(try sender.run().text == SampleStream.stream)
  }

  @Test func `refusals on the way pass, and what is refused for good is polled`() throws {
    let words = SampleStream.text.dropLast()
    let part = #"{"type":"output_text","text":"\#(words)","annotations":[]}"#
    let message =
      #"{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[\#(part)]}"#
    var sender = try sender(Self.options + ["--wait=0.01"]) { request in
      switch request.number {
      case 0: .stream(SampleStream.bytes, .cut(after: 1000))
      case 1: .body("{}", status: 503, headers: [("Retry-After", "0")])
      case 2: .body(#"{"error":{"message":"No streams."}}"#, status: 400)
      case 3, 4: .body(SampleStream.response("in_progress"))
      default: .body(SampleStream.response("completed", output: message))
      }
    }
    let run = try sender.run()
    #expect(run.outcome == .exited(0), "\(run.errors)")
    #expect(!run.errors.contains("dropped"), "\(run.errors)")
    let all = events(of: run.output)
    #expect(all.last?["type"] as? String == "response.completed")
    #expect((all.last?["oresp"] as? [String: Any])?["synthetic"] as? Bool == true)
    let before = ProcessSupport.blocks(of: run.output).dropLast().joined()
    #expect(SampleStream.bytes.starts(with: before) && Array(before).count > 500)
    #expect(sender.server.requests.count == 6)
    #expect(sender.server.requests.last?.target == "/v1/responses/resp_1")
    // Stages behind it have the whole text, once.
    sender = Sender(
      try LoopbackServer { request in
        request.number == 0
          ? .stream(SampleStream.bytes, .cut(after: 1300))
          : request.number == 1
            ? .body("{}", status: 404) : .body(SampleStream.response("completed", output: message))
      })
    sender.arguments = Self.options + Sender.question
    let text = try ToolProcess.bash(
      "oresp-send \"$@\" | oresp-text", sender.arguments, environment: sender.environment)
    #expect(text.text == SampleStream.text)
    #expect(text.outcome == .exited(0))
  }

  @Test func `it tries so often in vain, and then says how to go on`() throws {
    let sender = try sender { request in
      .stream(
        Self.stream(behind: Self.place(in: request) ?? -1),
        .cut(after: request.number == 0 ? 1000 : 20))
    }
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    #expect(sender.server.requests.count == 3)
    let all = events(of: run.output)
    #expect(all.last?["type"] as? String == "error")
    let last = all.dropLast().last?["sequence_number"] as? Int ?? -1
    #expect(
      Finished.lines(run.errors).last?.hasSuffix(
        "; oresp-send --resume resp_1:\(last) goes on with it") == true)
  }

  @Test func `attempts that bring no event count together, refused or cut`() throws {
    let sender = try sender { request in
      switch request.number {
      case 0: .stream(SampleStream.bytes, .cut(after: 1000))
      case 1: .body("{}", status: 503, headers: [("Retry-After", "0")])
      default: .stream(Self.stream(behind: Self.place(in: request) ?? -1), .cut(after: 20))
      }
    }
    #expect(try sender.run().outcome == .exited(5))
    #expect(sender.server.requests.count == 3)
  }

  @Test func `a stream that was cut and not in the background cannot be resumed`() throws {
    let sender = try sender(["--retry=2"]) { _ in .stream(SampleStream.bytes, .cut(after: 1000)) }
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    #expect(sender.server.requests.count == 1)
    #expect(run.errors.contains("; only a --background response can be resumed; try again\n"))
  }

  @Test(arguments: [200, 202])
  func `a job that is submitted is queued, and that is all`(status: Int) throws {
    let queued = SampleStream.response("queued")
    let sender = try sender(["--background", "--no-stream"]) { _ in .body(queued, status: status) }
    let run = try sender.run()
    #expect(run.outcome == .exited(0) && run.errors == "")
    #expect(run.text == queued)
    #expect(sender.server.requests.count == 1)
  }

  @Test func `a job is waited for`() throws {
    let soon = [("openai-poll-after-ms", "5")]
    let sender = try sender(["--background", "--no-stream", "--wait=100"]) { request in
      switch request.number {
      case 0: .body(SampleStream.response("queued"), headers: soon)
      case 1: .body("{}", status: 503, headers: [("Retry-After", "0")])
      case 2: .body(SampleStream.response("in_progress"), headers: soon)
      default: .body(SampleStream.response("failed"))
      }
    }
    let start = Date()
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    #expect(run.text == SampleStream.response("failed"))
    #expect(sender.server.requests.map(\.method) == ["POST", "GET", "GET", "GET"])
    // A second lies before each of the last three, whatever the server says.
    #expect(Date().timeIntervalSince(start) >= 3)
    let limited = try self.sender(["--background", "--no-stream", "--wait", "--max-time=0.3"]) {
      _ in
      .body(SampleStream.response("queued"))
    }
    let ended = try limited.run()
    #expect(ended.outcome == .exited(5))
    #expect(ended.errors.contains("--max-time"))
  }

  @Test func `a status that is not known is told once, and waited for`() throws {
    let sender = try sender(["--background", "--no-stream", "--wait=0.01"]) { request in
      .body(SampleStream.response(request.number < 3 ? "warming" : "completed"))
    }
    let run = try sender.run()
    #expect(run.outcome == .exited(0) && run.text == SampleStream.response("completed"))
    #expect(sender.server.requests.count == 4)
    #expect(run.errors == "oresp-send: the status warming is not known: the wait goes on\n")
  }

  @Test func `events that a resumed stream leaves out are missed`() throws {
    let sender = try sender { request in
      request.number == 0
        ? .stream(
          Array(Self.blocks[..<3].joined().utf8), .cut(after: Self.blocks[..<3].joined().utf8.count)
        )
        : .stream(Self.stream(behind: (Self.place(in: request) ?? -1) + 2))
    }
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    let why = "events 3 to 4 did not come: the server went on with event 5"
    #expect(
      Finished.lines(run.errors).last?.hasPrefix("oresp-send: " + why) == true, "\(run.errors)")
    // An error of ours stands where they are missing, and all stages have its status.
    let all = events(of: run.output)
    #expect(all.firstIndex { $0["type"] as? String == "error" } == 3)
    let error = all[3]["error"] as? [String: Any]
    #expect(error?["code"] as? String == "missing_events" && error?["message"] as? String == why)
    #expect(all[4]["sequence_number"] as? Int == 5)
    #expect(all.last?["type"] as? String == "response.completed")
    for filter in ["oresp-text", "oresp-sse", "oresp-events"] {
      #expect(try ToolProcess.run(filter, input: .bytes(run.output)).outcome == .exited(5))
    }
  }

  @Test func `a stream that was kept goes on, from a file or by its id`() throws {
    let folder = try TemporaryFolder()
    let kept = try folder.file(
      "kept.sse", Array(Self.blocks[..<4].joined().utf8) + Array("event: x".utf8))
    let whole = try folder.file("whole.sse", SampleStream.bytes)
    for (name, last) in [("@" + kept, 3), ("resp_1:5", 5), ("resp_1", -1)] {
      let server = try LoopbackServer { .stream(Self.stream(behind: Self.place(in: $0) ?? -1)) }
      var sender = Sender(server)
      sender.arguments = ["--resume", name]
      let run = try sender.run()
      #expect(run.outcome == .exited(0), "\(run.errors)")
      #expect(run.output == Self.stream(behind: last))
      let place = last < 0 ? "" : "&starting_after=\(last)"
      #expect(server.requests.map(\.target) == ["/v1/responses/resp_1?stream=true" + place])
    }
    var sender = try Sender(Answer.stream(SampleStream.bytes))
    sender.arguments = ["--resume", "@" + whole]
    let run = try sender.run()
    #expect(run.outcome == .exited(0) && run.text == "")
    #expect(run.errors == "oresp-send: resp_1 has ended: nothing is left to come\n")
    #expect(sender.server.requests.isEmpty)
  }

  @Test(arguments: ["event: x\nda", "", "error", "open"])
  func `a stream that was kept goes on in its own file`(end: String) throws {
    let folder = try TemporaryFolder()
    let error = SampleStream.block(#"{"type":"error","error":{},"oresp":{"synthetic":true}}"#)
    var kept = Self.blocks[..<4].joined() + (end == "error" ? error : end == "open" ? "" : end)
    if end == "open" { kept += Self.blocks[4].dropLast() }
    let path = try folder.file("run.sse", kept)
    let server = try LoopbackServer { .stream(Self.stream(behind: Self.place(in: $0) ?? -1)) }
    let count = kept.utf8.count - Self.blocks[..<4].joined().utf8.count
    for (name, place) in [("@" + path, path), ("resp_1:3", "stdout")] {
      _ = try folder.file("run.sse", kept)
      let run = try ToolProcess.bash(
        "oresp-send --resume \"$1\" >>\"$2\"", [name, path],
        environment: Sender(server).environment)
      #expect(run.outcome == .exited(0), "\(run.errors)")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == SampleStream.stream)
      let told = "oresp-send: \(place): \(count) bytes after event 3 are cut off\n"
      #expect(run.errors == (count == 0 ? "" : told))
    }
    #expect(server.requests.map { Self.place(in: $0) } == [3, 3])
  }

  @Test func `a response that is not there any more is not gone on with`() throws {
    let missing = #"{"error":{"message":"No such response.","code":null}}"#
    let sender = try sender { request in
      request.number == 0
        ? .stream(SampleStream.bytes, .cut(after: 1000)) : .body(missing, status: 404)
    }
    let run = try sender.run()
    #expect(run.outcome == .exited(4))
    let told = Finished.lines(run.errors).last ?? ""
    #expect(told.contains("/v1/responses/resp_1") && !told.contains("--resume"), "\(told)")
  }

  @Test func `a stream goes on from what the log tells of it`() throws {
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    let server = try LoopbackServer { request in
      let rest = Self.stream(behind: Self.place(in: request) ?? -1)
      return request.number < 2
        ? .stream(rest, .cut(after: 1100 - request.number * 700)) : .stream(rest)
    }
    var sender = Sender(server)
    sender.arguments = ["--background", "--retry=0", "--log", log] + Sender.question
    // An error ends a part of it, behind its mark.
    var stream = Array(ProcessSupport.blocks(of: try sender.run().output).dropLast(2).joined())
    for name in ["@" + log, log] {
      sender.arguments = ["--resume", name, "--retry=0", "--log", log]
      let run = try sender.run()
      let isLast = name == log
      #expect(run.outcome == .exited(isLast ? 0 : 5), "\(run.errors)")
      let blocks = ProcessSupport.blocks(of: run.output)
      stream += blocks.dropLast(isLast ? 0 : 2).joined()
    }
    #expect(stream == SampleStream.bytes)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    let lines = Finished.lines(text).map(json)
    #expect(lines.map { $0["method"] as? String } == ["POST", "GET", "GET"])
    #expect(lines.map { $0["response_id"] as? String } == ["resp_1", "resp_1", "resp_1"])
    let places = lines.map { $0["last_sequence_number"] as? Int ?? -1 }
    #expect(places == places.sorted() && places.last == SampleStream.events.count - 1)
    #expect(
      server.requests.dropFirst().map { Self.place(in: $0) } == places.dropLast().map { $0 })
    // What has ended by the log is not asked for.
    let over = try sender.run()
    #expect(over.outcome == .exited(0) && over.errors.contains("resp_1 has ended"))
    #expect(server.requests.count == 3)
  }

  @Test(arguments: [("cancelled", true), ("queued", false), ("paused", false)])
  func `a response has ended by a log whose status says so, and by no other`(
    status: String, hasEnded: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let log = try folder.file(
      "log",
      #"{"response_id":"resp_1","response_status":"\#(status)","last_sequence_number":3}"# + "\n")
    var sender = try Sender(Answer.stream(Self.stream(behind: 3)))
    sender.arguments = ["--resume", log]
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    #expect(run.errors.contains("resp_1 has ended") == hasEnded, "\(run.errors)")
    #expect(sender.server.requests.count == (hasEnded ? 0 : 1))
  }

  @Test func `a stream that is resumed and cut again is not whole`() throws {
    var sender = try Sender(Answer.stream(Self.stream(behind: 3), .cut(after: 300)))
    sender.arguments = ["--resume=resp_1:3", "--retry=0"]
    let run = try sender.run()
    #expect(run.outcome == .exited(5))
    #expect(events(of: run.output).last?["type"] as? String == "error")
  }

  @Test func `a trap of the shell cancels the response of a stream that is kept`() throws {
    let folder = try TemporaryFolder()
    let gate = Gate()
    let start = Array(Self.blocks[..<2].joined().utf8)
    let sender = try sender { request in
      request.number == 0
        ? Answer(framing: .chunked, steps: [.send(start), .awaitClose(gate)])
        : .body(SampleStream.response("cancelled"))
    }
    let script = """
      trap 'oresp-send --cancel @run.sse' INT
      oresp-send --background Hello | tee run.sse
      """
    let process = try ToolProcess(
      "bash", ["-c", "cd '\(folder.path)'\n" + script], environment: sender.environment)
    // tee writes to the file last.
    let deadline = Date(timeIntervalSinceNow: hangGuardSeconds)
    while FileManager.default.contents(atPath: folder.path + "/run.sse") != Data(start),
      Date() < deadline
    {
      usleep(1000)
    }
    kill(-process.processID, SIGINT)
    let run = process.finish()
    #expect(run.text.hasSuffix(SampleStream.response("cancelled")) && run.errors == "")
    let targets = sender.server.requests.dropFirst().map { "\($0.method) \($0.target)" }
    #expect(targets == ["POST /v1/responses/resp_1/cancel"])
  }
}
