import Core
import Testing

@testable import oresp_send

@Suite struct SendServerTests {
  private static func request(
    _ environment: [String: String]
  ) throws(Failure) -> HTTPRequest {
    let key = try KeySource.environment.key { environment[$0] }
    return try Server(key: key) { environment[$0] }.post(
      "/responses", BodyContent(Array("{}".utf8)))
  }

  private static func refusal(_ environment: [String: String]) -> String? {
    do throws(Failure) {
      _ = try request(environment)
      return nil
    } catch {
      guard case .usage(let why) = error else { return "\(error)" }
      return why
    }
  }

  @Test(
    arguments: [
      (nil, "https://api.openai.com/v1/responses"),
      ("https://example.com", "https://example.com/responses"),
      ("https://example.com/", "https://example.com/responses"),
      ("https://example.com/v1//", "https://example.com/v1/responses"),
      ("http://localhost:8080/v1", "http://localhost:8080/v1/responses"),
      ("https://example.com/v1?api-version=1#x", "https://example.com/v1/responses?api-version=1"),
    ] as [(String?, String)])
  func `the path is put behind that of the base URL, with one slash`(
    base: String?, url: String
  ) throws {
    var environment = ["OPENAI_API_KEY": "key"]
    environment["OPENAI_BASE_URL"] = base
    #expect(try Self.request(environment).url == url)
  }

  @Test(arguments: [
    ("localhost", true), ("LocalHost", true), ("127.0.0.1", true), ("127.255.0.9", true),
    ("[::1]", true), ("127.0.0.1.example.com", false), ("127.example.com", false),
    ("localhost.example.com", false), ("128.0.0.1", false), ("127.0.0", false),
    ("127.0.0.1.9", false),
    ("127.0.0.256", false), ("127.0.0.+1", false), ("[::2]", false), ("", false),
  ])
  func `only names of this machine are loopback`(host: String, isLoopback: Bool) {
    #expect(Endpoint(url: "", scheme: "http", host: host).isLoopback == isLoopback)
  }

  @Test(arguments: [
    ([:], "set OPENAI_API_KEY"),
    (["OPENAI_BASE_URL": "http://example.com/v1"], "set OPENAI_API_KEY"),
    (["OPENAI_BASE_URL": "http://example.com/v1", "OPENAI_API_KEY": "k"], "https only"),
    (["OPENAI_BASE_URL": "example.com", "OPENAI_API_KEY": "k"], "begins with http"),
    (["OPENAI_BASE_URL": "ftp://localhost/"], "begins with http"),
    (["OPENAI_BASE_URL": "https://me:word@example.com", "OPENAI_API_KEY": "k"], "user name"),
    (["OPENAI_API_KEY": "k\r\nX: y"], "OPENAI_API_KEY"),
    (["OPENAI_API_KEY": "k", "OPENAI_ORG_ID": "a b"], "OPENAI_ORG_ID"),
  ])
  func `what would show the key or cannot work is refused`(
    environment: [String: String], why: String
  ) throws {
    let told = try #require(Self.refusal(environment))
    #expect(told.contains(why))
    #expect(!told.contains("word"))
  }

  @Test(arguments: ["http://localhost/v1", "http://127.0.0.1:1/", "http://[::1]:8000/v1"])
  func `this machine needs no key, and no proxy is asked`(base: String) throws {
    let request = try Self.request(["OPENAI_BASE_URL": base])
    #expect(request.isLocal)
    #expect(!request.headers.contains { $0.hasPrefix("Authorization") })
  }

  @Test func `the headers say who asks`() throws {
    let request = try Self.request([
      "OPENAI_API_KEY": "k", "OPENAI_ORG_ID": "o", "OPENAI_PROJECT_ID": "p",
    ])
    #expect(
      request.headers == [
        "Content-Type: application/json", "Accept: text/event-stream, application/json",
        "Authorization: Bearer k", "OpenAI-Organization: o", "OpenAI-Project: p",
      ])
  }

  @Test func `interim heads and trailers are passed over`() throws {
    var decoder = ReplyHeadDecoder()
    var heads: [ReplyHead] = []
    let lines = [
      "HTTP/1.1 103 Early Hints\r\n", "X-Request-ID: no\r\n", "\r\n", "HTTP/2 429 \r\n",
      "X-Request-ID: \t req_1 \r\n", "Retry-After:3\r\n", "broken\r\n", "empty:\r\n", "\r\n",
      "x-trailer: 1\r\n", "\r\n",
    ]
    for line in lines {
      if let head = decoder.take(Array(line.utf8).span) { heads.append(head) }
    }
    let head = try #require(heads.first)
    #expect(heads.count == 1)
    #expect(head.status == 429)
    #expect(head.requestID == "req_1")
    #expect(head["retry-after"] == "3")
    #expect(head["empty"] == nil)
  }

  @Test(
    arguments: [
      ("10", 10_000), ("0", 0), ("0.5", 500), ("0.0001", 1), ("1.0001", 1001),
      ("2000000", 2_000_000_000),
      ("2000001", nil), ("-1", nil), ("1e3", nil), ("+1", nil), ("", nil), (".", nil), ("x", nil),
      ("inf", nil),
    ] as [(String, Int?)])
  func `seconds are taken as people write them`(text: String, milliseconds: Int?) {
    #expect(Seconds.milliseconds(text) == milliseconds)
  }
}
