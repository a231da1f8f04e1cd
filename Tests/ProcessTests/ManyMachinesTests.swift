import Foundation
import ProcessSupport
import Testing

/// The recipes that spread work, run as they stand there with the real GNU parallel.
@Suite(.waiting) struct ManyMachinesTests {
  /// A log of `count` responses, one event a line, of some kilobytes each.
  private static func log(_ count: Int) -> String {
    let piece = String(repeating: "A text of some length, ", count: 10)
    let events = SampleStream.events((0..<5).map { "\($0): \(piece)" })
    return (0..<count).map { number in
      events.map { $0.replacingOccurrences(of: "resp_1", with: "resp_\(number)") + "\n" }.joined()
    }.joined()
  }

  @Test func `filters on all processors print what one prints, byte for byte`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.file("log.ndjson", Self.log(300))
    let script = try Recipe.script("Many machines")
    for filter in ["oresp-events --usage", "oresp-text", "oresp-events -t output_text.done"] {
      let parallel = script.replacingOccurrences(of: "oresp-events --usage", with: filter)
      try #require(parallel.contains(filter))
      // Jobs of a tenth of the log, in place of a megabyte.
      let run = try ToolProcess.bash(
        "cd '\(folder.path)' && export PARALLEL='--will-cite --block 200k'\n\(parallel)"
          + "\(filter) <log.ndjson | cmp - usage.ndjson && wc -l <usage.ndjson",
        environment: ["HOME": folder.path])
      #expect(run.outcome == .exited(0) && run.errors == "", "\(run.errors)")
      #expect(Int(run.text.trimmingCharacters(in: .whitespacesAndNewlines)) == 300)
    }
  }

  /// The lines of `count` requests.
  private static func jobs(_ count: Int) -> String {
    (0..<count).map { #"{"custom_id":"q\#($0)","body":{"input":"\#($0)"}}"# + "\n" }.joined()
  }

  @Test(.needs(LoopbackHosts.lack == nil, LoopbackHosts.lack ?? ""))
  func `a batch over two hosts, of which one goes down, answers each request once`() throws {
    let count = 40
    let (asked, isDown) = (Shared(0), Gate())
    let server = try LoopbackServer { request in
      var answer = Answer.body(SampleStream.response("completed"))
      // The first host is stuck with its fifth request when it goes down.
      if request.target.hasPrefix("/host0/"),
        asked.update({
          $0 += 1
          return $0
        }) > 4
      {
        answer.steps.insert(.wait(isDown), at: 0)
      }
      return answer
    }
    let folder = try TemporaryFolder()
    _ = try folder.file("jobs.jsonl", Self.jobs(count))
    let hosts = try LoopbackHosts(in: folder) { number in
      let base = server.baseURL.replacingOccurrences(of: "/v1", with: "/host\(number)/v1")
      return [
        "OPENAI_BASE_URL": base, "OPENAI_API_KEY": Sender.key, "ORESP_MODEL": "gpt-5.2",
      ]
    }
    let script = try Recipe.script("Many machines", 1)
      .replacingOccurrences(of: "one.example,two.example", with: hosts.names)
      .replacingOccurrences(of: "-N 100", with: "-N 10")
      .replacingOccurrences(of: "-j 16", with: "-j 2")
    let process = try ToolProcess(
      "bash", ["-c", "cd '\(folder.path)' && \(script)"],
      environment: ["HOME": folder.path, "PARALLEL": "--will-cite", "PARALLEL_SSH": hosts.ssh])
    try #require(asked.wait { $0 > 4 }, "\(process.finish())")
    hosts.kill(0)
    isDown.open()
    let run = process.finish()
    #expect(run.outcome == .exited(0), "\(run.errors)")
    let lines = Finished.lines(
      try String(contentsOfFile: folder.path + "/out.jsonl", encoding: .utf8))
    let answers = lines.map(json)
    #expect(Set(answers.compactMap { $0["custom_id"] as? String }).count == count)
    #expect(lines.count == count && answers.allSatisfy { $0["response"] is [String: Any] })
    // What was answered there was not lost, but asked anew.
    #expect(server.requests.count > count)
  }
}
