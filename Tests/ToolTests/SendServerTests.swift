import Testing

@testable import Core
@testable import oresp_send

@Suite struct SendServerTests {
  private static func request(
    _ environment: [String: String]
  ) throws(Failure) -> HTTPRequest {
    let provider = try Provider.named(nil) { environment[$0] }
    let streams = Streams(input: 0, output: 1, errors: 2) { environment[$0] }
    let notifier = Notifier(tool: "oresp-send", settings: NoticeSettings(), streams)
    return try Server(provider) { environment[$0] }.withKey(notifier)
      .post("/responses", Array("{}".utf8))
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
      ("https://example.com/v1/responses", "https://example.com/v1/responses"),
      (
        "https://example.com/openai/responses/?api-version=2025-04-01-preview",
        "https://example.com/openai/responses?api-version=2025-04-01-preview"
      ),
    ] as [(String?, String)])
  func `the path is put behind the path of the base URL, with one slash`(
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
    (
      ["OPENAI_BASE_URL": "http://example.com/v1"],
      "OPENAI_BASE_URL: everybody on the way to example.com could read the request over plain http; "
        + "--insecure-http sends it all the same"
    ),
    (
      ["OPENAI_BASE_URL": "http://192.168.0.2/v1", "OPENAI_API_KEY": "k"],
      "the key and the request over plain http"
    ),
    (["ORESP_PROVIDER": "azure", "AZURE_OPENAI_API_KEY": "k"], "set AZURE_OPENAI_ENDPOINT"),
    (
      ["AZURE_OPENAI_ENDPOINT": "https://a.example", "OPENAI_API_VERSION": "new"],
      "OPENAI_API_VERSION: expected a date, preview, latest or v1, got new"
    ),
    (["ORESP_PROVIDER": "olama"], "ORESP_PROVIDER: no provider olama; did you mean ollama?"),
    (["ORESP_PROVIDER": "groq", "OPENAI_API_KEY": "k"], "set GROQ_API_KEY"),
    (
      ["ORESP_PROVIDER": "vllm", "VLLM_BASE_URL": "vllm"],
      "VLLM_BASE_URL: expected a URL"
    ),
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

  /// The forms that a base URL has in the table of providers: fixed, with a default, with a
  /// variable in front and inside.
  @Test(
    arguments: [
      ("openai", "https://api.openai.com/v1"), ("azure", "https://place.example/openai/v1"),
      ("bedrock", "https://bedrock-mantle.place.api.aws/openai/v1"),
      ("databricks", "https://place.example/serving-endpoints"),
      ("ollama", "http://localhost:11434/v1"), ("vllm", "https://place.example/v2"),
      ("xai", "https://api.x.ai/v1"),
    ])
  func `a provider is asked at its place with its own key`(name: String, base: String) throws {
    let provider = try #require(Provider.table.first { $0.name == name })
    let environment = [
      "ORESP_PROVIDER": name, provider.keyVariable: "its-key", "AWS_REGION": "place",
      "AZURE_OPENAI_ENDPOINT": "https://place.example/", "DATABRICKS_HOST": "https://place.example",
      "VLLM_BASE_URL": "https://place.example/v2",
    ]
    let request = try Self.request(environment)
    #expect(request.url == base + "/responses")
    let header = name == "azure" ? "api-key: its-key" : "Authorization: Bearer its-key"
    #expect(request.headers.contains(header))
    // The key of another goes to nobody.
    var others = environment.merging(["OPENAI_API_KEY": "other", "OPENAI_ORG_ID": "o"]) { $1 }
    if name == "openai" { others = environment }
    others["OPENAI_BASE_URL"] = name == "openai" ? nil : "https://other.example/v1"
    let own = try Self.request(others)
    #expect(own.url == request.url && own.headers == request.headers)
  }

  @Test(
    arguments: [
      ([:], "/openai/v1/responses", "api-key: k"),
      (
        ["AZURE_OPENAI_ENDPOINT": "https://a.example/openai/v1/"], "/openai/v1/responses",
        "api-key: k"
      ),
      (
        ["OPENAI_API_VERSION": "preview"], "/openai/v1/responses?api-version=preview", "api-key: k"
      ),
      (["OPENAI_API_VERSION": "v1"], "/openai/v1/responses", "api-key: k"),
      (
        ["OPENAI_API_VERSION": "2025-04-01-preview"],
        "/openai/responses?api-version=2025-04-01-preview", "api-key: k"
      ),
      (
        ["AZURE_OPENAI_API_KEY": "eyJ.a.b"], "/openai/v1/responses", "Authorization: Bearer eyJ.a.b"
      ),
    ] as [([String: String], String, String)])
  func `Azure is asked in its forms`(
    more: [String: String], path: String, header: String
  ) throws {
    let usual = ["AZURE_OPENAI_ENDPOINT": "https://a.example", "AZURE_OPENAI_API_KEY": "k"]
    let request = try Self.request(usual.merging(more) { $1 })
    #expect(request.url == "https://a.example" + path)
    #expect(request.headers.contains(header))
    for token in ["eyJ.t", "t"] {
      let own = ["AZURE_OPENAI_ENDPOINT": "https://a.example", "AZURE_OPENAI_AD_TOKEN": token]
      #expect(try Self.request(own).headers.contains("Authorization: Bearer " + token))
    }
  }

  @Test(
    arguments: [
      ("127.0.0.1:1", "http://127.0.0.1:1"), ("localhost", "http://localhost:11434"),
      ("0.0.0.0", "http://127.0.0.1:11434"), ("0.0.0.0:5", "http://127.0.0.1:5"),
      ("[::1]", "http://[::1]:11434"), ("[::1]:7/", "http://[::1]:7"),
      ("http://localhost:3/", "http://localhost:3"), ("https://o.example", "https://o.example"),
    ])
  func `Ollama is where its own variable says`(host: String, base: String) throws {
    let usual = ["ORESP_PROVIDER": "ollama", "OLLAMA_HOST": host]
    #expect(try Self.request(usual).url == base + "/v1/responses")
    let other = usual.merging(["OLLAMA_BASE_URL": "http://localhost:9/v1"]) { $1 }
    #expect(try Self.request(other).url == "http://localhost:9/v1/responses")
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
      if let head = decoder.append(Array(line.utf8).span) { heads.append(head) }
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
