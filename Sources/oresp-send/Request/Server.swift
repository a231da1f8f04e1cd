import Core

/// The server that is asked, and what it is told of who asks.
struct Server: Sendable {
  private let provider: Provider
  private let base: (url: String, source: String)
  private let key: (text: String, isToken: Bool)?
  /// The headers that say for whom it is asked.
  private let identity: [String]
  private let access: AccessSettings
  private let added: AddedHeaders
  /// Whether it is asked over a socket of this machine.
  private let hasSocket: Bool

  /// `key` is what `KeySource` has; `variable` gives the value of an environment variable, `nil`
  /// when it is unset or empty.
  init(
    key: String?, access: AccessSettings = AccessSettings(), _ added: AddedHeaders = AddedHeaders(),
    hasSocket: Bool = false, variable: (String) -> String?
  ) throws(Failure) {
    (self.access, self.added, self.hasSocket) = (access, added, hasSocket)
    let provider = try Provider.named(access.provider, variable)
    self.provider = provider
    self.key = key.map { ($0, provider.isToken($0, from: access.keySource, variable)) }
    base = try provider.base(variable)
    var identity: [String] = []
    for (name, header) in [
      ("OPENAI_ORG_ID", "OpenAI-Organization"), ("OPENAI_PROJECT_ID", "OpenAI-Project"),
    ] where provider.name == Provider.openAI.name {
      guard let value = variable(name) else { continue }
      identity.append("\(header): \(try RequestHeader.word(value, from: name))")
    }
    self.identity = identity
  }

  /// What must not be shown.
  var secrets: [[UInt8]] { [Array((key?.text ?? "").utf8)] + added.secrets }

  /// Whether it is shown who asks.
  var isShownUs: Bool { key != nil || added.hasSecret }

  /// A request that posts `body` to `path`.
  func post(_ path: String, _ body: [UInt8]) throws(Failure) -> HTTPRequest {
    try request("POST", path, body)
  }

  /// A request of `method` for `path`. Refuses to go without a key, or to show one to the network,
  /// unless the server is on this machine.
  func request(
    _ method: String, _ path: String, query: [String] = [], _ body: [UInt8] = [],
    form: [FormPart] = []
  ) throws(Failure) -> HTTPRequest {
    let endpoint = try Endpoint(base: base.url, path: path, query: query, name: base.source)
    let isLocal = hasSocket || endpoint.isLoopback
    let isPlain = !endpoint.isEncrypted && !isLocal
    guard !isPlain || access.allowsPlainHTTP else {
      let what = isShownUs ? "the key and the request" : "the request"
      throw .usage(
        "\(base.source): everybody on the way to \(endpoint.host) could read \(what) over plain"
          + " http; --insecure-http sends it all the same")
    }
    guard isShownUs || isLocal || isPlain || provider.isOpen else {
      throw .usage("no key: set \(provider.keyVariable), which \(endpoint.host) asks for")
    }
    // Of a form the transport tells the type, which says how its parts are separated.
    let headers = headers(hasJSON: form.isEmpty && (method == "POST" || body.count > 0))
    var request = HTTPRequest(
      method: method, url: endpoint.url, headers: headers, body: body, isLocal: isLocal)
    request.form = form
    request.isInTheClear = isPlain
    request.origin.place = base.source == provider.name ? "--provider" : base.source
    return request
  }

  private func headers(hasJSON: Bool) -> [String] {
    var lines = hasJSON ? ["Content-Type: application/json"] : []
    lines.append("Accept: text/event-stream, application/json")
    if let key { lines.append(provider.header(key.text, isToken: key.isToken)) }
    lines += identity
    return lines.filter { !added.replaces($0) } + added.lines
  }
}
