import Foundation
import ProcessSupport
import Testing

/// The file that `-o` names.
struct SenderOutputTests {
  private let folder: TemporaryFolder
  private var file: String { folder.path + "/out" }

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.file("out", "old")
  }

  private func sender(_ answer: Answer, _ arguments: [String] = []) throws -> Sender {
    var sender = Sender(try LoopbackServer(answer))
    sender.arguments = ["--retry=0", "--path=/files/f/content", "-o", file] + arguments
    return sender
  }

  /// The file that is written beside the other, once there is one.
  private var part: String? {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return names?.first { $0 != "out" }.map { folder.path + "/" + $0 }
  }

  private func size(of path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
  }

  /// What stands in the file, which is the only one in its folder.
  private func written() throws -> String {
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
    return try String(contentsOfFile: file, encoding: .utf8)
  }

  @Test func `an answer that came whole is in the file, and nowhere else`() throws {
    let run = try sender(.body("new\n", type: "text/plain")).run()
    #expect(run.outcome == .exited(0) && run.text == "" && run.errors == "")
    #expect(try written() == "new\n")
    var stream = try sender(.stream(SampleStream.bytes))
    stream.arguments = ["-o", file] + Sender.question
    #expect(try stream.run().outcome == .exited(0))
    #expect(try written() == SampleStream.stream)
    #expect(try sender(.body("out"), ["-o", "-"]).run().text == "out")
  }

  @Test(
    arguments: [
      (Answer.body("{}", status: 404), 4), (.body("{}", status: 503), 5),
      (.stream(SampleStream.bytes, .cut(after: 700)), 5),
      (.stream(SampleStream.bytes, .cutShortOfLength(after: 700)), 5),
      (.body(#"{"id":"f","status":"failed"}"#), 5),
    ] as [(Answer, Int32)])
  func `an answer that failed or was cut leaves the file as it was`(
    answer: Answer, status: Int32
  ) throws {
    let run = try sender(answer, ["--path=/x", "--wait"]).run()
    #expect(run.outcome == .exited(status) && run.text == "")
    #expect(
      Finished.lines(run.errors).last
        == "oresp-send: \(file): not written: the exit status is \(status)")
    #expect(try written() == "old")
  }

  @Test func `a place that cannot be written to is status 2 before anything is sent`() throws {
    for path in [folder.path + "/none/file", folder.path] {
      let sender = try sender(.body("new"), ["-o", path])
      let run = try sender.run()
      #expect(run.outcome == .exited(2) && run.errors.hasPrefix("oresp-send: -o: \(path): "))
      #expect(sender.server.requests.isEmpty)
    }
    let run = try sender(.body("new"), ["-o", "/dev/full"]).run()
    #expect(run.outcome == .exited(2))
    #expect(run.errors == "oresp-send: -o: /dev/full: No space left on device\n")
  }

  @Test(arguments: [[], ["--log=/dev/null"]])
  func `a signal leaves no part of it`(options: [String]) throws {
    let sender = try sender(
      Answer(framing: .chunked, steps: [.send(Array("part".utf8)), .wait(Gate())]), options)
    let process = try sender.start()
    while size(of: part ?? "") != 4 {
      try #require(kill(process.processID, 0) == 0)
      usleep(1000)
    }
    kill(process.processID, SIGTERM)
    #expect(process.finish().outcome == .killed(signal: SIGTERM))
    #expect(try written() == "old")
  }

  #if os(Linux)
    @Test(.needs(Sanitizer.isAbsent, "a sanitizer keeps memory of its own"))
    func `a large answer is not held in memory`() throws {
      let gate = Gate()
      let piece = [UInt8](repeating: 120, count: 1 << 20)
      var answer = Answer(steps: [.wait(gate), .send([120])])
      answer.steps = Array(repeating: .send(piece), count: 48) + answer.steps
      let sender = try sender(answer)
      let process = try sender.start()
      while size(of: part ?? "") ?? 0 < 48 << 20 {
        try #require(kill(process.processID, 0) == 0)
        usleep(1000)
      }
      #expect(try process.peakKibibytes() < 32 << 10)
      gate.open()
      #expect(process.finish().outcome == .exited(0))
      #expect(sender.server.requests.count == 1)
      #expect(size(of: file) == 48 << 20 + 1)
    }
  #endif
}
