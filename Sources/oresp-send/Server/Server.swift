import Core

/// The server that is asked, and what it is told of who asks: nothing, until it is unlocked.
struct Server: Sendable {
  private let provider: Provider
  private let base: (url: String, source: String)
  private let access: AccessSettings
  /// The headers that say for whom it is asked.
  private let identity: [String]
  /// Whether it is asked over a socket of this machine.
  private let hasSocket: Bool
  /// Whether the environment, a file or a command has a key, as far as one can say without a look.
  private let hasKey: Bool
  private var isUnlocked = false
  private var key: (text: String, isToken: Bool)?
  private var added = AddedHeaders()

  /// `variable` gives the value of an environment variable, `nil` when it is unset or empty.
  init(
    _ provider: Provider, _ access: AccessSettings = AccessSettings(), hasSocket: Bool = false,
    variable: (String) -> String?
  ) throws(Failure) {
    (self.provider, self.access, self.hasSocket) = (provider, access, hasSocket)
    base = try provider.base(variable)
    var identity: [String] = []
    for (name, header) in [
      ("OPENAI_ORG_ID", "OpenAI-Organization"), ("OPENAI_PROJECT_ID", "OpenAI-Project"),
    ] where provider.name == Provider.openAI.name {
      guard let value = variable(name) else { continue }
      identity.append("\(header): \(try RequestHeader.word(value, from: name))")
    }
    self.identity = identity
    hasKey =
      if case .environment = access.keySource {
        try access.keySource.key(of: provider, variable: variable) != nil
      } else { true }
  }

  /// The server that a rehearsal plays, at `base`.
  static func rehearsed(at base: String) throws(Failure) -> Server {
    var server = try Server(.openAI) { $0 == "OPENAI_BASE_URL" ? base : nil }
    server.isUnlocked = true
    return server
  }

  /// The server with the key and the headers, from wherever they are; or with `[key]` for each
  /// secret where they are only shown.
  func unlocked(_ notifier: Notifier, isShown: Bool = false) throws(Failure) -> Server {
    guard !isUnlocked else { return self }
    var server = self
    server.isUnlocked = true
    server.added = try AddedHeaders(
      access.headers, isShown: isShown, variable: notifier.variable, open: notifier.open,
      report: { notifier.report($0) })
    let endpoint = try Endpoint(base: base.url, path: "", name: base.source)
    let isAsked = hasKey || !server.isShownUs && !isLocal(endpoint)
    let text =
      isShown
      ? isAsked ? "[key]" : nil
      : try access.keySource.key(
        of: provider, variable: notifier.variable, open: notifier.open,
        report: { notifier.report($0) })
    server.key = text.map {
      ($0, provider.isToken($0, from: access.keySource, notifier.variable))
    }
    return server
  }

  /// What must not be shown.
  var secrets: [[UInt8]] { [Array((key?.text ?? "").utf8)] + added.secrets }

  /// Whether it is shown who asks, or may be.
  var isShownUs: Bool {
    guard isUnlocked else { return hasKey || access.headers.contains(where: \.mayShowUs) }
    return key != nil || added.hasSecret
  }

  private func isLocal(_ endpoint: Endpoint) -> Bool { hasSocket || endpoint.isLoopback }

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
    let isLocal = isLocal(endpoint)
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
