import Foundation
import ProcessSupport
import Testing

/// What is asked of responses that the server has, and of inputs before they are sent.
struct SenderVerbTests {
  private static let done = SampleStream.response("completed")

  private func run(
    _ arguments: [String], input: String = "", _ answer: Answer...
  ) throws -> (finished: Finished, asked: [String]) {
    var sender = Sender(try LoopbackServer { answer[min($0.number, answer.count - 1)] })
    sender.arguments = ["--retry=0"] + arguments
    let finished = try sender.run(input: .text(input))
    return (finished, sender.server.requests.map { "\($0.method) \($0.target)" })
  }

  @Test(
    arguments: [
      ("completed", 0), ("queued", 5), ("failed", 5), ("cancelled", 8), ("incomplete", 6),
    ] as [(String, Int32)])
  func `a response is printed as it is, with its own status`(state: String, status: Int32) throws {
    let response = SampleStream.response(state)
    let (run, asked) = try run(["--get=resp_1", "--include=logprobs"], .body(response))
    #expect(run.outcome == .exited(status))
    #expect(run.text == response)
    #expect(
      asked.map { $0.lowercased() } == [
        "get /v1/responses/resp_1?include%5b%5d=message.output_text.logprobs"
      ])
  }

  @Test func `a response is waited for`() throws {
    let running = Answer.body(
      SampleStream.response("in_progress"), headers: [("openai-poll-after-ms", "1")])
    let (run, asked) = try run(["--get=resp_1", "--wait"], running, running, .body(Self.done))
    #expect(run.outcome == .exited(0) && run.errors == "")
    #expect(run.text == Self.done)
    #expect(asked.count == 3)
  }

  @Test(arguments: [
    (["--cancel"], "POST /v1/responses/resp_1/cancel", SampleStream.response("cancelled")),
    (["--delete"], "DELETE /v1/responses/resp_1", #"{"id":"resp_1","deleted":true}"#),
  ])
  func `what is done is status 0, and what the server says of it is printed`(
    option: [String], request: String, answer: String
  ) throws {
    let (run, asked) = try run(option + ["resp_1"], .body(answer))
    #expect(run.outcome == .exited(0) && run.errors == "")
    #expect(run.text == answer)
    #expect(asked == [request])
    let missing = #"{"error":{"message":"Not found.","code":null}}"#
    let refused = try self.run(option + ["resp_1"], .body(missing, status: 404)).finished
    #expect(refused.outcome == .exited(4))
    #expect(events(of: refused.output).first?["status"] as? Int == 404)
  }

  private static let inputItems = [
    "--path", "/responses/resp_1/input_items?limit=100&order=asc", "--pages",
  ]

  @Test func `input items come one a line, from all pages`() throws {
    func page(_ ids: [String], more: Bool) -> Answer {
      let data = ids.map { "{\n \"id\": \"\($0)\" }" }.joined(separator: ",\n")
      return .body(
        #"{"object":"list","data":[\#(data)],"last_id":"\#(ids.last ?? "")","has_more":\#(more)}"#)
    }
    let (run, asked) = try run(
      Self.inputItems, page(["a", "b/c"], more: true), page(["d"], more: false))
    #expect(run.outcome == .exited(0) && run.errors == "")
    #expect(run.text.filter { $0 != " " } == "{\"id\":\"a\"}\n{\"id\":\"b/c\"}\n{\"id\":\"d\"}\n")
    let first = "GET /v1/responses/resp_1/input_items?limit=100&order=asc"
    #expect(
      asked.map { $0.replacingOccurrences(of: "%2f", with: "%2F") } == [
        first, first + "&after=b%2Fc",
      ])
    // A server that gives the same page again is not asked for ever.
    let again = try self.run(Self.inputItems, page(["a"], more: true))
    #expect(again.asked.count == 2)
  }

  @Test(arguments: [
    SampleStream.stream,
    SampleStream.events.joined(separator: "\n"),
    SampleStream.response("queued"),
    #"{"time":"2026-01-01T00:00:00Z","url":"u","response_id":"resp_1","exit":0}"#,
    #"{"id":"batch_req_1","custom_id":"a","response":{"status_code":200,"request_id":"r","#
      + #""body":{"id":"resp_1","object":"response","status":"completed","output":[]}},"error":null}"#,
    #"{"object":"event","id":"evt_1","type":"response.completed","created_at":1,"#
      + #""data":{"id":"resp_1"}}"#,
  ])
  func `an id is found in whatever tells of it`(text: String) throws {
    for name in ["@-", "-"] {
      let (run, asked) = try run(["--get=" + name], input: text, .body(Self.done))
      #expect(run.outcome == .exited(0), "\(run.errors)")
      #expect(asked == ["GET /v1/responses/resp_1"])
    }
  }

  @Test func `the log tells of the conversation`() throws {
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    let answer =
      #"{"id":"resp_1","object":"response","status":"completed","conversation":{"id":"conv_1"},"output":[]}"#
    _ = try run(["-m", "m", "--no-stream", "--log", log, "hi"], .body(answer))
    let entry = json(try String(contentsOfFile: log, encoding: .utf8))
    #expect(entry["conversation_id"] as? String == "conv_1")
  }

  @Test func `the events of a response that there is are printed when asked for`() throws {
    let (run, asked) = try run(["--get=resp_1", "--stream"], .stream(SampleStream.bytes))
    #expect(run.outcome == .exited(0) && run.text == SampleStream.stream)
    #expect(asked == ["GET /v1/responses/resp_1?stream=true"])
  }

  @Test func `an id is one part of the path, whatever is in it`() throws {
    let asked = try run(["--get", "a/../b?c#d"], .body(Self.done)).asked
    #expect(asked.map { $0.uppercased() } == ["GET /V1/RESPONSES/A%2F..%2FB%3FC%23D"])
  }

  @Test func `tokens are counted of what matters for them`() throws {
    let counted = #"{"object":"response.input_tokens","input_tokens":7}"#
    let server = try LoopbackServer { _ in .body(counted) }
    var sender = Sender(server)
    sender.arguments = ["--count-tokens", "-m", "m", "--temperature=0.5", "hi"]
    let run = try sender.run()
    #expect(run.outcome == .exited(0) && run.errors == "")
    #expect(run.text == counted)
    #expect(server.requests.map(\.target) == ["/v1/responses/input_tokens"])
    #expect(
      String(decoding: server.requests[0].body, as: UTF8.self) == #"{"model":"m","input":"hi"}"#)
  }

  @Test func `an input is compacted`() throws {
    let compacted = #"{"id":"resp_2","object":"response.compaction","output":[],"created_at":1}"#
    let (run, asked) = try run(["--compact", "-m", "m", "hi"], .body(compacted))
    #expect(run.outcome == .exited(0) && run.errors == "")
    #expect(run.text == compacted)
    #expect(asked == ["POST /v1/responses/compact"])
    // What the server has needs nothing to be said.
    for option in ["--previous", "--conversation"] {
      let old = try self.run(["--compact", "-m", "m", option, "x"], .body(compacted))
      #expect(old.finished.outcome == .exited(0) && old.asked == asked)
    }
  }
}
