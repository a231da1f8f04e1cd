import Foundation
import ProcessSupport
import Testing

/// What ends a request before its answer has: the server must see it at once.
@Suite(.waiting) struct SenderEndTests {
  /// A server that sends a few events and then nothing, and the gate that opens when the client has
  /// gone.
  private func silentServer() throws -> (Sender, Gate) {
    let gate = Gate()
    let start = SampleStream.stream(Array(SampleStream.events.prefix(3)))
    let steps: [Answer.Step] = [.send(Array(start.utf8)), .awaitClose(gate)]
    return (try Sender(Answer(framing: .chunked, steps: steps)), gate)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [[], ["--log=/dev/null"]])
  func `a signal ends the request`(signal: Int32, options: [String]) throws {
    var (sender, gate) = try silentServer()
    sender.arguments = options + sender.arguments
    let process = try sender.start()
    #expect(process.output { !$0.isEmpty } != "")
    kill(process.processID, signal)
    #expect(process.finish().outcome == .killed(signal: signal))
    #expect(gate.wait())
  }

  @Test(arguments: [[], ["--log=/dev/null"]])
  func `a signal that the caller ignores stays ignored`(options: [String]) throws {
    let gate = Gate()
    let sender = try Sender(.stream(SampleStream.bytes, .held(after: 300, gate)))
    let script = "trap '' INT TERM; exec oresp-send \"$@\""
    let process = try ToolProcess(
      "bash", ["-c", script, "bash"] + options + sender.arguments, environment: sender.environment)
    #expect(process.output { !$0.isEmpty } != "")
    for signal in [SIGINT, SIGTERM] { kill(process.processID, signal) }
    gate.open()
    let run = process.finish()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream)
  }

  @Test func `a server that does not hang up behind the end of the response is left`() throws {
    let gate = Gate()
    let steps: [Answer.Step] = [.send(SampleStream.bytes), .awaitClose(gate)]
    let type = [("Content-Type", "text/event-stream")]
    let sender = try Sender(Answer(headers: type, framing: .chunked, steps: steps))
    let run = try sender.start().finish()
    #expect(run.outcome == .exited(0) && run.errors == "")
    #expect(run.text == SampleStream.stream)
    #expect(gate.wait())
  }

  @Test func `a reader that leaves ends the request of a silent server`() throws {
    let (sender, gate) = try silentServer()
    let run = try ToolProcess.bash(
      "{ oresp-send \"$@\"; echo $? >&2; } | head -n 1", sender.arguments,
      environment: sender.environment)
    #expect(run.text == "event: response.created\n")
    #expect(run.errors == "141\n")
    #expect(gate.wait())
  }

  @Test func `a reader that leaves ends the wait for another attempt`() throws {
    let busy = Answer.body("", status: 503, headers: [("Retry-After", "100")])
    var sender = try Sender(busy)
    sender.arguments = Sender.question
    let run = try ToolProcess.bash(
      "{ oresp-send \"$@\"; echo $? >&2; } | true", sender.arguments,
      environment: sender.environment)
    #expect(Finished.lines(run.errors).last == "141")
    #expect(sender.server.requests.count <= 1)
  }

  @Test(arguments: [[], ["--log"], ["--batch"]])
  func `a signal ends a run whose reader takes nothing`(options: [String]) throws {
    let block = Array(
      String(repeating: SampleStream.block(SampleStream.events[3]), count: 4000).utf8)
    let start = Array(SampleStream.block(SampleStream.events[0]).utf8)
    let type = [("Content-Type", "text/event-stream")]
    let steps: [Answer.Step] = [.send(start), .sendForever(block)]
    var sender = try Sender(Answer(headers: type, framing: .chunked, steps: steps))
    let folder = try TemporaryFolder()
    let log = try folder.file("log", "")
    let jobs = try folder.file("jobs", #"{"custom_id":"a","body":{"model":"m","input":"Hi"}}"#)
    switch options.first {
    case "--log": sender.arguments = ["--log", log] + sender.arguments
    case "--batch": sender.arguments = ["--batch", jobs, "--events", "--log", log]
    default: break
    }
    let (process, reader) = try Self.startUnread(sender, folder)
    // Once no more comes, the pipe is full, and the sender waits in a write.
    var held: (former: Int32, now: Int32) = (-1, 0)
    let deadline = Date(timeIntervalSinceNow: hangGuardSeconds)
    while held.now < 4096 || held.former != held.now, Date() < deadline {
      held.former = held.now
      usleep(200_000)
      _ = unsafe ioctl(reader.fileDescriptor, UInt(FIONREAD), &held.now)
    }
    kill(process.processID, SIGTERM)
    #expect(process.finish().outcome == .killed(signal: SIGTERM))
    let lines = Finished.lines(try String(contentsOfFile: log, encoding: .utf8)).map(json)
    #expect(lines.map { $0["exit"] as? Int } == (options.isEmpty ? [] : [143]))
  }

  /// Starts `sender` with a pipe in `folder` as its standard output, of which one byte was read.
  private static func startUnread(
    _ sender: Sender, _ folder: TemporaryFolder
  ) throws -> (process: ToolProcess, reader: FileHandle) {
    let fifo = folder.path + "/fifo"
    #expect(try ToolProcess.run("mkfifo", [fifo]).outcome == .exited(0))
    let process = try ToolProcess(
      "bash", ["-c", "exec oresp-send \"$@\" >\"$0\"", fifo] + sender.arguments,
      environment: sender.environment)
    let reader = try #require(FileHandle(forReadingAtPath: fifo))
    #expect(try reader.read(upToCount: 1)?.count == 1)
    return (process, reader)
  }

  #if os(Linux)
    @Test(.needs(Sanitizer.isAbsent, "a sanitizer keeps memory of its own"))
    func `memory stays flat while nobody reads, and the server is held up`() throws {
      let block = Array(
        String(repeating: SampleStream.block(SampleStream.events[3]), count: 4000).utf8)
      let start = Array(SampleStream.block(SampleStream.events[0]).utf8)
      let steps: [Answer.Step] = [.send(start), .sendForever(block)]
      let sender = try Sender(Answer(framing: .chunked, steps: steps))
      let folder = try TemporaryFolder()
      let (process, reader) = try Self.startUnread(sender, folder)
      defer { try? reader.close() }
      // The pipe is full and the sender sleeps in its write once its figures do not change.
      var last = -1
      var peak = try Self.kibibytes("VmHWM", process.processID)
      for _ in 0..<20 where peak != last {
        usleep(100_000)
        (last, peak) = (peak, try Self.kibibytes("VmHWM", process.processID))
      }
      #expect(peak < 32 << 10)
      kill(process.processID, SIGKILL)
      _ = process.finish()
    }

    private static func kibibytes(_ name: String, _ process: Int32) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let line = try #require(Finished.lines(status).first { $0.hasPrefix(name) })
      return try #require(Int(line.filter(\.isNumber)))
    }
  #endif
}
