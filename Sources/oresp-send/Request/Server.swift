import Core

/// The server that the environment names, and what it is told of who asks.
struct Server: Sendable {
  private let base: String
  private let key: String?
  /// The headers that say for whom it is asked.
  private let identity: [String]
  private let access: AccessSettings
  /// Whether it is asked over a socket of this machine.
  private let hasSocket: Bool

  /// `key` is what `KeySource` has; `variable` gives the value of an environment variable, `nil`
  /// when it is unset or empty.
  init(
    key: String?, access: AccessSettings = AccessSettings(), hasSocket: Bool = false,
    variable: (String) -> String?
  ) throws(Failure) {
    (self.key, self.access, self.hasSocket) = (key, access, hasSocket)
    base = variable("OPENAI_BASE_URL") ?? "https://api.openai.com/v1"
    var identity: [String] = []
    for (name, header) in [
      ("OPENAI_ORG_ID", "OpenAI-Organization"), ("OPENAI_PROJECT_ID", "OpenAI-Project"),
    ] {
      guard let value = variable(name) else { continue }
      identity.append("\(header): \(try RequestHeader.word(value, from: name))")
    }
    self.identity = identity
  }

  /// What must not be shown.
  var secret: [UInt8] { Array((key ?? "").utf8) }

  /// A request that posts `body` to `path`.
  func post(_ path: String, _ body: BodyContent) throws(Failure) -> HTTPRequest {
    try request("POST", path, body)
  }

  /// A request of `method` for `path`. Refuses to go without a key, or to show one to the network,
  /// unless the server is on this machine.
  func request(
    _ method: String, _ path: String, query: [String] = [], _ body: BodyContent = BodyContent()
  ) throws(Failure) -> HTTPRequest {
    let endpoint = try Endpoint(base: base, path: path, query: query)
    let isLocal = hasSocket || endpoint.isLoopback
    let isPlain = !endpoint.isEncrypted && !isLocal
    guard key != nil || isLocal || (isPlain && access.allowsPlainHTTP) else {
      throw .usage("no key: set OPENAI_API_KEY, which \(endpoint.host) asks for")
    }
    guard !isPlain || access.allowsPlainHTTP else {
      throw .usage("OPENAI_BASE_URL: a key goes over https only, but for this machine itself")
    }
    let headers = headers(hasBody: method == "POST" || body.count > 0)
    var request = HTTPRequest(
      method: method, url: endpoint.url, headers: headers, body: body, isLocal: isLocal)
    request.isInTheClear = isPlain
    return request
  }

  private func headers(hasBody: Bool) -> [String] {
    var lines = hasBody ? ["Content-Type: application/json"] : []
    lines.append("Accept: text/event-stream, application/json")
    if let key { lines.append("Authorization: Bearer \(key)") }
    lines += identity
    let own = access.headers.map { RequestHeader.name(of: $0) }
    return lines.filter { !own.contains(RequestHeader.name(of: $0)) } + access.headers
  }
}
