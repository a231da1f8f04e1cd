import Foundation
import ProcessSupport
import Testing

/// `oresp-send --rehearse`: every ending, without a key and without a network.
struct RehearsalTests {
  /// `slow` is `completed` with pauses, which take their time: SendRehearsalTests has them.
  static let outcomes: [(outcome: String, status: Int32)] = [
    ("completed", 0), ("failed", 5), ("incomplete", 6), ("refusal", 7), ("cancelled", 8),
    ("cut", 5), ("error", 4), ("http-401", 4), ("http-429", 5), ("http-500", 5), ("call", 0),
    ("json", 0),
  ]

  @Test(arguments: outcomes)
  func `every stage reaches the status of a rehearsed outcome, as a stream and as a document`(
    outcome: String, status: Int32
  ) throws {
    let server = try LoopbackServer(.body(""))
    let folder = try TemporaryFolder()
    let run = try ToolProcess.bash(
      """
      cd '\(folder.path)'
      oresp-send --rehearse=\(outcome) Hello | tee raw | oresp-sse | oresp-events | oresp-text >stream
      echo "${PIPESTATUS[@]}"
      oresp-send --rehearse=\(outcome) --no-stream Hello | oresp-sse | oresp-events |
        oresp-text >document 2>/dev/null
      echo "${PIPESTATUS[@]}"
      oresp-events --check=strict raw
      """, environment: server.asProxy)
    #expect(
      run.text
        == "\(status) 0 \(status) \(status) \(status)\n\(status) \(status) \(status) \(status)\n")
    #expect(run.outcome == .exited(status))
    #expect(run.errors.isEmpty == (status == 0 && outcome != "call"))
    #expect(server.requests.isEmpty)
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }
    let stream = try text("stream")
    #expect(status != 0 || stream.hasSuffix("\n") || outcome == "call")
    #expect(try text("document") == (outcome == "cut" ? "" : stream))
  }

  private static let made = #"{"id":"rehearsal","status":"completed"}"#

  @Test(arguments: [
    ("Hello", "event: response.created"), ("--no-stream Hello", #"{"id":"resp_rehearsal_"#),
    ("--cancel resp_1", made), ("--delete resp_1", made), ("--compact Hello", made),
    ("--count-tokens Hello", made),
    ("--background Hello", "event: response.created"),
    ("--api=chat Hello", "event: response.created"),
    ("--background --no-stream --wait Hello", #"{"id":"resp_rehearsal_"#),
    ("--path /models", #"{"object":"list""#), ("--path /models --pages", ""),
    ("--path /responses/resp_1/input_items?order=asc --pages", ""),
    ("--path /vector_stores --set a=1", made),
  ])
  func `the environment has whatever is sent rehearsed`(command: String, start: String) throws {
    let server = try LoopbackServer(.body(""))
    var environment = server.asProxy
    environment["ORESP_REHEARSE"] = "completed"
    environment["OPENAI_BASE_URL"] = server.baseURL
    environment["ORESP_MODEL"] = "m"
    let arguments = command.split(separator: " ").map(String.init)
    let run = try ToolProcess("oresp-send", arguments, environment: environment).finish()
    #expect(run.outcome == .exited(0))
    #expect(run.text.hasPrefix(start), "\(run.text)")
    #expect(
      run.errors
        == "oresp-send: ORESP_REHEARSE=completed: a rehearsal answers, and no server is asked\n")
    #expect(server.requests.isEmpty)
  }

  @Test func `with the environment all else is as without it`() throws {
    let folder = try TemporaryFolder()
    let environment = ["ORESP_REHEARSE": "refusal", "HOME": folder.path]
    for (arguments, status) in [
      (["-n", "Hello"], 0), (["-nv", "Hello"], 0), (["-t", "help"], 0),
      (["--provider=help"], 0), ([], 2), (["Hello"], 7),
    ] as [([String], Int32)] {
      let run = try ToolProcess("oresp-send", arguments, environment: environment).finish()
      #expect(run.outcome == .exited(status), "\(arguments)")
      #expect(run.errors.contains("ORESP_REHEARSE") == (status != 0))
    }
    let run = try ToolProcess(
      "oresp-send", ["Hello"], environment: ["ORESP_REHEARSE": "never"]
    ).finish()
    #expect(run.outcome == .exited(2))
    #expect(run.errors.hasPrefix("oresp-send: ORESP_REHEARSE: expected one of completed, "))
  }

  /// `text` with the same ids in every run.
  private static func withoutIDs(_ text: String) -> String {
    text.replacing(#/rehearsal_[0-9a-f]{8}/#, with: "")
  }

  @Test func `a stream in the background that was cut stays so`() throws {
    let run = try ToolProcess.run("oresp-send", ["--rehearse=cut", "--background", "Hello"])
    #expect(run.outcome == .exited(5))
    #expect(run.errors.contains("trying again"))
  }

  @Test(arguments: ["--get resp_1", "--get resp_1 --wait", "--resume resp_1:4"])
  func `a stored response is played from a file only`(command: String) throws {
    let arguments = ["--rehearse"] + command.split(separator: " ").map(String.init)
    let run = try ToolProcess("oresp-send", arguments).finish()
    #expect(run.outcome == .exited(4))
    #expect(run.errors.contains("no response is stored in a rehearsal; --rehearse=@FILE plays one"))
    let folder = try TemporaryFolder()
    let path = try folder.file("kept.sse", SampleStream.bytes)
    let played = try ToolProcess("oresp-send", ["--rehearse=@\(path)"] + arguments.dropFirst())
      .finish()
    #expect(played.outcome == .exited(0) && !played.output.isEmpty)
    #expect(SampleStream.stream.hasSuffix(played.text))
  }

  @Test func `a loop over calls ends`() throws {
    let folder = try TemporaryFolder()
    let script = """
      cd '\(folder.path)' && export ORESP_REHEARSE=call ORESP_MODEL=m
      tool='{"type":"function","name":"add","parameters":{"type":"object","properties":
        {"a":{"type":"integer","minimum":4}},"required":["a"]}}'
      oresp-send -q -t "$tool" Hello >turn
      oresp-events --calls=pending turn | jq -c '{call_id, output: .parsed.a}' >outputs
      cat outputs; oresp-send -q -t "$tool" --previous @turn --outputs outputs | oresp-text
      """
    let run = try ToolProcess.bash(script)
    #expect(run.outcome == .exited(0))
    #expect(run.text.hasPrefix(#"{"call_id":"call_rehearsal_"#))
    #expect(run.text.contains(#"","output":4}"# + "\nThis answer "))
  }

  @Test(arguments: [
    ("oresp-send --rehearse -q Hi", ""), ("oresp-send --rehearse -q Hi | oresp-sse", ""),
    ("oresp-send --rehearse --no-stream -q Hi", ""), ("cat head; cat ok", ""),
    ("oresp-send --rehearse -q Hi | oresp-sse --stamp | jq -s .", ""),
    ("oresp-send --rehearse=incomplete -q Hi", "6"), ("cat head1 refused", "4"),
    ("oresp-send --rehearse -q Hi | head -n 40", "5"),
  ])
  func `a recording is played as the answer`(maker: String, status: String) throws {
    let folder = try TemporaryFolder()
    let script = """
      cd '\(folder.path)'; oresp-send --rehearse -q Hi >ok 2>/dev/null
      printf 'HTTP/2 200\r\ncontent-type: text/event-stream\r\n\r\n' >head
      printf 'HTTP/1.1 401 Unauthorized\ncontent-type: application/json\n\n' >head1
      echo '{"error":{"message":"no","code":"invalid_api_key"}}' >refused
      { \(maker); } >recording 2>/dev/null
      oresp-send --rehearse=@recording --retry=0 -m m Hello 2>/dev/null | oresp-text --notices=none
      echo ${PIPESTATUS[@]}
      """
    let run = try ToolProcess.bash(script)
    #expect(
      run.text.hasSuffix("\(status.isEmpty ? "0 0" : "\(status) \(status)")\n"), "\(run.text)")
    #expect(run.text.hasPrefix("This answer") == (status != "4"))
  }

  @Test(arguments: [
    ("", "no events"), ("hello\n", "no events"), ("<html></html>", "a web page"),
    ("\u{1F}\u{8B}", "expected"),
  ])
  func `what is no recording is status 2`(text: String, why: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("f", text.unicodeScalars.map { UInt8($0.value) })
    let run = try ToolProcess.run("oresp-send", ["--rehearse=@\(path)", "Hello"])
    #expect(run.outcome == .exited(2))
    #expect(run.text == "")
    #expect(run.errors.hasPrefix("oresp-send: \(path): "), "\(run.errors)")
    let missing = try ToolProcess.run("oresp-send", ["--rehearse=@\(path)x", "Hello"])
    #expect(missing.outcome == .exited(2))
  }

  @Test func `an outcome that is left out is a completed one`() throws {
    let plain = try ToolProcess.run("oresp-send", ["--rehearse", "Hello"])
    let named = try ToolProcess.run("oresp-send", ["--rehearse=completed", "Hello"])
    #expect(plain.outcome == .exited(0))
    #expect(Self.withoutIDs(plain.text) == Self.withoutIDs(named.text))
    #expect(!events(of: plain.output).isEmpty)
    #expect(events(of: plain.output).allSatisfy { !$0.isEmpty })
  }
}
