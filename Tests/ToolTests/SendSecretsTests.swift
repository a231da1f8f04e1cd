import Foundation
import ProcessSupport
import Testing

@testable import Core
@testable import oresp_send

@Suite struct SendSecretsTests {
  private static func refusal(_ work: () throws(Failure) -> Void) -> String? {
    do throws(Failure) {
      try work()
      return nil
    } catch {
      guard case .usage(let why) = error else { return "\(error)" }
      return why
    }
  }

  @Test func `a key file is warned of if, and only if, others may read it`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("key", "sk-0123456789\n")
    for mode in 0o400...0o777 {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      var told: [Notice] = []
      let streams = Streams(input: -1, output: -1, errors: -1) { _ in nil }
      var notifier = Notifier(tool: "oresp-send", settings: NoticeSettings(), streams)
      notifier.change = { notice in
        told.append(notice)
        return notice
      }
      let key = try KeySource.file(path).key(notifier)
      #expect(key?.text == "sk-0123456789")
      // Who may only write or run it cannot read it.
      let isReadable = mode & 0o040 != 0 || mode & 0o004 != 0
      #expect(told.count == (isReadable ? 1 : 0), "\(String(mode, radix: 8))")
    }
    // Anybody may read it, but it keeps nothing.
    #expect(try !Descriptor(reading: "/dev/null").isReadableByOthers)
  }

  @Test(arguments: [
    ("X-Test: yes", "X-Test: yes"), ("X-Test:yes", "X-Test: yes"), ("x: \t a: b ", "x: a: b "),
    ("OpenAI-Beta: é", "OpenAI-Beta: é"), ("Idempotency-Key: 1", "Idempotency-Key: 1"),
    ("x-cache-key: 1", "x-cache-key: 1"), ("X-Tokens: 1", "X-Tokens: 1"),
    ("X:", "X:"), ("X: ", "X:"), ("Authorization:", "Authorization:"), ("X;", "X;"),
  ])
  func `a header is taken as people write it`(text: String, line: String) throws {
    #expect(try RequestHeader.line(text) == line)
  }

  @Test(arguments: [
    "Authorization: Bearer sk-word", "authorization:sk-word", "Proxy-Authorization: sk-word",
    "api-key: sk-word", "X-API-Key: sk-word", "Cookie: sk-word", "x-goog-api-key: sk-word",
    "API_KEY: sk-word", "apikey: sk-word", "Ocp-Apim-Subscription-Key: sk-word",
    "X-Auth-Token: sk-word", "token: sk-word", "client_secret: sk-word", "x-password: sk-word",
    "X-Amz-Security-Token: sk-word", "X-Forwarded-Authorization: sk-word", "sk-word", "sk word: x",
    ": sk-word",
    "Helicone-Auth: sk-word", "X-SubscriptionKey: sk-word", "XAuthToken: sk-word",
    "X: sk-word\r\nY: 1", "X: sk-word\n", ";", "X Y;", "X Y: sk-word", "Content-Length: 1",
    "Transfer-Encoding: chunked", "X: a\u{0}b", "é: x", "X: \u{7F}",
  ])
  func `a header that is none, or a secret, is refused without being shown`(text: String) throws {
    let why = try #require(Self.refusal { () throws(Failure) in _ = try RequestHeader.line(text) })
    #expect(!why.contains("sk-word"))
  }

  /// Names of members of a request, or of fields of a form, by whether their values are secret.
  private static let names = [
    true: [
      "authorization", "Authorization", "proxy_authorization", "api_key", "apikey", "apiKey",
      "x-api-key", "openai_api_key", "API_KEY", "api_key_id", "token", "access_token",
      "accessToken",
      "refresh_token", "id_token", "bot-token", "secret", "client_secret", "clientSecret",
      "password", "db_password", "credential", "credentials", "auth", "basic_auth", "oauth", "jwt",
      "bearer", "cookie", "session_cookie", "access_key", "secret_access_key", "private_key",
      "signing_key", "encryption_key", "subscription-key", "service_account_key", "shared_key",
      "app_key", "master_key",
    ],
    false: [
      "sort_key", "primary_key", "partition_key", "foreign_key", "cache_key", "prompt_cache_key",
      "idempotency_key", "row_key", "object_key", "key", "keys", "public_key", "monkey",
      "max_tokens",
      "max_output_tokens", "tokens", "token_count", "tokenizer", "page_token", "next_page_token",
      "continuation_token", "nextToken", "eos_token", "author", "authority", "secretary", "name",
      "",
      "password_hint", "passwords_allowed", "auth_type",
    ],
  ]

  @Test(arguments: [true, false])
  func `a member is a secret if its name is of a kind that is known`(isSecret: Bool) throws {
    for name in try #require(Self.names[isSecret]) {
      #expect(SecretName.isOfMember(name) == isSecret, "\(name)")
    }
  }

  @Test(arguments: [
    ("http://me:word@host/x", "http://[user]@host/x"),
    ("a 'http://w@b' c", "a 'http://[user]@b' c"),
    ("http://host/a@b", "http://host/a@b"),
    ("https://a:b@c https://d:e@f", "https://[user]@c https://[user]@f"),
    ("http://a:b@c@d:1", "http://[user]@d:1"), ("no URL: me@host", "no URL: me@host"),
    ("://", "://"),
  ])
  func `a user in a URL is not shown`(text: String, shown: String) {
    #expect(Redaction.userInfo(text) == shown)
  }

  @Test(arguments: [
    ("GET /v1/files?limit=9 HTTP/1.1", "GET /v1/files HTTP/1.1"),
    ("[HTTP/2] [1] [:path: /v1/files?a=b]", "[HTTP/2] [1] [:path: /v1/files]"),
    ("a 'http://x/?a=b' c", "a 'http://x/' c"), ("why? /x", "why? /x"), ("/a?b", "/a"), ("", ""),
  ])
  func `the query of a URL is not shown`(text: String, shown: String) {
    #expect(Redaction.openURL(text) == shown)
  }

  @Test(arguments: [
    "a\r\nX: y=1", "a=@x;filename=b\nc", "a=@x\r", "a\u{7F}=@x", "a=b;filename=\tx",
  ])
  func `a name in a form has no control characters`(text: String) throws {
    let why = try #require(Self.refusal { () throws(Failure) in _ = try FormField(text) })
    #expect(why == "expected names without control characters")
  }

  @Test(arguments: [
    ("Authorization: Bearer x", "Authorization: [secret]"), ("api-key:x", "api-key: [secret]"),
    ("set-cookie: a=b", "set-cookie: [secret]"), ("x-goog-api-key: a", "x-goog-api-key: [secret]"),
    ("Accept: x", "Accept: x"),
    ("POST / HTTP/1.1", "POST / HTTP/1.1"),
  ])
  func `of a secret header only the name is shown`(line: String, shown: String) {
    #expect(Redaction.header(line) == shown)
  }

  @Test(arguments: [
    ("a sk-012345 b", "a [key] b"), ("sk-012345sk-012345", "[key][key]"),
    ("ssk-012345-more", "s[key]"), ("sk-01234", "sk-01234"), ("short", "short"),
    (#"{"a":"sk\u002d012345\n","b": "\u0041"}"#, #"{"a":"[key]\n","b": "\u0041"}"#),
    (#"{"sk-\/\"\\x+y":1}"#, #"{"[key]":1}"#), (#"<p "sk-012345>"#, #"<p "[key]>"#),
    (#""a" sk-012345 "b\x" "c"#, #""a" [key] "b\x" "c"#), ("", ""),
  ])
  func `no secret is shown, even where JSON spells it with escapes`(text: String, shown: String) {
    let secrets = ["sk-012345", "short", "", "sk-012345-more", #"sk-/"\x+y"#].map { Array($0.utf8) }
    #expect(String(decoding: Redaction(secrets).ofJSON(Array(text.utf8)), as: UTF8.self) == shown)
  }

  @Test(arguments: [
    ("host:3128", "http://host:3128", false), ("http://127.0.0.1:1", "http://127.0.0.1:1", true),
    ("socks5h://localhost", "socks5h://localhost", true),
    ("HTTPS://[::1]:4", "https://[::1]:4", true),
  ])
  func `a proxy is taken as curl takes it`(text: String, url: String, isLoopback: Bool) throws {
    let proxy = try Endpoint.proxy(text)
    #expect(proxy.url == url)
    #expect(proxy.isLoopback == isLoopback)
  }

  @Test(arguments: ["http://me:word@host", "me:word@host", "ftp://host", "", "http://", "a b"])
  func `a proxy with a password, or none at all, is refused`(text: String) throws {
    let why = try #require(Self.refusal { () throws(Failure) in _ = try Endpoint.proxy(text) })
    #expect(!why.contains("word"))
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (951_825_600, "2000-02-29T12:00:00Z"),
    (4_107_542_399, "2100-02-28T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
    (-1, "1969-12-31T23:59:59Z"), (1_735_689_599, "2024-12-31T23:59:59Z"),
  ])
  func `a moment is written as ISO 8601 has it`(seconds: Int, text: String) {
    #expect(Clock.text(epochSeconds: seconds, "%Y-%m-%dT%H:%M:%SZ") == text)
  }

  @Test(arguments: [
    (0, "0"), (1, "0.000001"), (500_000, "0.5"), (12_000_000, "12"), (-1_500_000, "-1.5"),
    (1_000_010, "1.00001"),
  ])
  func `seconds have no more digits than they need`(microseconds: Int, text: String) {
    #expect(JSONDecimal.text(microseconds, places: 6) == text)
  }
}
