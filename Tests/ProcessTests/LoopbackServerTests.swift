import Foundation
import ProcessSupport
import Testing

/// The server that the other tests rely on, as curl sees it.
@Suite(.needs(Tools.path(of: "curl") != nil, "curl is not installed"))
struct LoopbackServerTests {
  private func curl(_ arguments: String...) throws -> Finished {
    try ToolProcess.run("curl", ["-sS", "-N", "--noproxy", "*"] + arguments)
  }

  @Test(arguments: [
    Sending.inOnePiece, .untilClose, .chunked, .inChunks(of: 7), .byteByByte, .slowly,
  ])
  func `a body arrives whole however it is sent`(sending: Sending) throws {
    let server = try LoopbackServer(.stream(SampleStream.bytes, sending))
    let run = try curl(server.baseURL)
    #expect(run.status == 0)
    #expect(run.output == SampleStream.bytes)
  }

  @Test(arguments: [(Sending.cut(after: 300), Int32(18)), (.cutShortOfLength(after: 300), 18)])
  func `a cut body breaks off where it was cut`(sending: Sending, status: Int32) throws {
    let server = try LoopbackServer(.stream(SampleStream.bytes, sending))
    let run = try curl(server.baseURL)
    #expect(run.status == status)
    #expect(run.output == Array(SampleStream.bytes.prefix(300)))
  }

  @Test func `requests on one connection are kept and answered in turn`() throws {
    let server = try LoopbackServer(
      .body("one"), .body("two", status: 404), .stream(Array("three".utf8)))
    let urls = ["/a?b=c", "/d", "/e"].map { server.baseURL + $0 }
    let run = try curl("-d", "body", "-H", "X-Test: yes", urls[0], urls[1], urls[2])
    #expect(run.text == "onetwothree")
    let requests = server.requests
    #expect(requests.map(\.target) == ["/v1/a?b=c", "/v1/d", "/v1/e"])
    #expect(requests.map(\.method) == ["POST", "POST", "POST"])
    #expect(requests.map { $0["x-test"] } == ["yes", "yes", "yes"])
    #expect(requests.map { String(decoding: $0.body, as: UTF8.self) } == ["body", "body", "body"])
  }

  @Test(arguments: ["", "Transfer-Encoding: chunked"])
  func `a large request arrives whole`(header: String) throws {
    let server = try LoopbackServer(.body("ok"))
    let folder = try TemporaryFolder()
    let body = [UInt8](repeating: 97, count: 3 << 20)
    let file = try folder.file("body", body)
    let run = try curl("--data-binary", "@" + file, "-H", header, server.baseURL)
    #expect(run.text == "ok")
    #expect(Data(server.requests[0].body) == Data(body))
  }

  @Test func `a held body goes on when its gate opens`() throws {
    let gate = Gate()
    let server = try LoopbackServer(.stream(SampleStream.bytes, .held(after: 100, gate)))
    let curl = try ToolProcess("curl", ["-sS", "-N", "--noproxy", "*", server.baseURL])
    #expect(curl.output { $0.utf8.count >= 100 }.utf8.count == 100)
    gate.open()
    #expect(curl.finish().output == SampleStream.bytes)
  }
}
