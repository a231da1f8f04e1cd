import Foundation
import ProcessSupport
import Testing

/// Other endpoints than that of responses.
struct SenderPathTests {
  private func run(
    _ arguments: [String], input: String = "", _ answer: Answer...
  ) throws -> (finished: Finished, requests: [LoopbackServer.Request]) {
    var sender = Sender(try LoopbackServer { answer[min($0.number, answer.count - 1)] })
    sender.arguments = ["--retry=0"] + arguments
    return (try sender.run(input: .text(input)), sender.server.requests)
  }

  @Test(
    arguments: [
      (["--path=/models"], "GET /v1/models", ""),
      (
        ["--path=/files?limit=2&purpose=a%26b"], "GET /v1/files?limit=2&purpose=a%26b", ""
      ),
      (["--path=/files/f", "-X", "DELETE"], "DELETE /v1/files/f", ""),
      (["--path=/conversations", "-X", "POST"], "POST /v1/conversations", ""),
      (["--path=/vector_stores", "-b", "-"], "POST /v1/vector_stores", #"{"name":"n"}"#),
      (
        ["--path=/vector_stores", "-b", "-", "--set=a=1", "-X", "PATCH"],
        "PATCH /v1/vector_stores", #"{"name":"n","a":1}"#
      ),
    ])
  func `it is asked with the same key, and its body as it is`(
    arguments: [String], asked: String, body: String
  ) throws {
    let input = body.isEmpty ? "" : #"{"name":"n"}"#
    let (run, requests) = try run(arguments, input: input, .body("[1, 2]\n"))
    #expect(run.outcome == .exited(0) && run.errors == "")
    #expect(run.text == "[1, 2]\n")
    #expect(requests.map { "\($0.method) \($0.target)" } == [asked])
    #expect(requests[0]["Authorization"] == "Bearer " + Sender.key)
    #expect(String(decoding: requests[0].body, as: UTF8.self) == body)
  }

  @Test func `bytes of any kind pass as they come`() throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
    var answer = Answer(steps: [.send(bytes)])
    answer.headers = [("Content-Type", "application/octet-stream")]
    #expect(try run(["--path=/files/f/content"], answer).finished.output == bytes)
    let page = "<html>mine</html>"
    #expect(try run(["--path=/files/f/content"], .body(page)).finished.text == page)
    let wrong = try run(["--path=/files"], .body(page)).finished
    #expect(wrong.outcome != .exited(0) && events(of: wrong.output).count == 1)
    // What was cut is told; nothing is put behind it.
    answer.steps = [.send(Array(bytes.prefix(1000))), .cut]
    answer.contentLength = bytes.count
    let cut = try run(["--path=/files/f/content"], answer).finished
    #expect(cut.outcome == .exited(5) && cut.output == Array(bytes.prefix(1000)))
  }

  @Test func `sound comes as it is, and a transcript as the text that was asked for`() throws {
    let sound = Answer.body("<\u{1}sound", type: "audio/pcm")
    let spoken = try run(["--path=/audio/speech", "--set-str=input=a"], sound).finished
    #expect(spoken.outcome == .exited(0) && spoken.text == "<\u{1}sound")
    let text = "1\n00:00:00,000 --> 00:00:01,000\nHi\n"
    let form = ["--path=/audio/transcriptions", "-F", "response_format=srt"]
    let heard = try run(form, .body(text, type: "text/plain")).finished
    #expect(heard.outcome == .exited(0) && heard.text == text)
    #expect(try run(form, .body("<html>", type: "text/html")).finished.outcome == .exited(4))
  }

  @Test func `all pages of a list are printed, an item a line`() throws {
    let pages: [Answer] = [
      .body(#"{"data":[{"id":"a"},{"id":"b"}],"has_more":true}"#),
      .body(#"{"data":[{"id":"c"}],"has_more":true,"next_page":"p 2"}"#),
      .body(#"{"data":[],"has_more":false,"next_page":null}"#),
    ]
    let server = try LoopbackServer { pages[min($0.number, 2)] }
    var sender = Sender(server)
    sender.arguments = ["--path=/files?limit=2", "--pages"]
    let run = try sender.run()
    #expect(run.outcome == .exited(0) && run.errors == "")
    #expect(run.text == "{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"id\":\"c\"}\n")
    #expect(
      server.requests.map(\.target) == [
        "/v1/files?limit=2", "/v1/files?limit=2&after=b", "/v1/files?limit=2&page=p%202",
      ])
    let bare = try self.run(["--path=/slots", "--pages"], .body("[{\"id\":1},\n {\"id\":2}]\n"))
    #expect(bare.finished.text == "{\"id\":1}\n{\"id\":2}\n")
  }

  @Test func `streams of other endpoints are events like any other`() throws {
    let stream =
      #"data: {"type":"transcript.text.delta","delta":"Hi"}"# + "\n\n"
      + #"data: {"type":"transcript.text.done","text":"Hi"}"# + "\n\n"
    let bytes = Array(stream.utf8)
    let (whole, _) = try run(["--path=/audio/transcriptions", "-X", "POST"], .stream(bytes))
    #expect(whole.outcome == .exited(0) && whole.text == stream)
    let (cut, _) = try run(
      ["--path=/audio/transcriptions", "-X", "POST"], .stream(bytes, .cut(after: bytes.count - 5)))
    #expect(cut.outcome == .exited(5))
  }

  @Test func `a refusal is an event and a status, as ever`() throws {
    let (run, _) = try run(["--path=/files/f"], .body("{}", status: 404))
    #expect(run.outcome == .exited(4))
    #expect(events(of: run.output).first?["status"] as? Int == 404)
  }
}
