import Core

/// The server of a run. Its requests have no key and no added headers until it is unlocked, since a
/// command for the key may ask a person.
struct Server: Sendable {
  private let provider: Provider
  /// Its base URL, and the variable or the provider that it comes from.
  private let base: (url: String, source: String)
  private let access: AccessSettings
  /// The headers of organization and project.
  private let identity: [String]
  /// Whether requests go over a socket of this machine.
  private let hasSocket: Bool
  /// Whether the environment has a key, or a file or a command is to have one.
  private let hasKey: Bool
  private var isUnlocked = false
  private var key: (text: String, isToken: Bool)?
  private var added = AddedHeaders()
  /// The time that the key took, in milliseconds.
  private(set) var keyMilliseconds = 0

  /// `variable` gives the value of an environment variable; `nil` if it is unset or empty.
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
        try KeySource.key(of: provider, variable) != nil
      } else { true }
  }

  /// The server of a rehearsal, at `base`.
  static func rehearsed(at base: String) throws(Failure) -> Server {
    var server = try Server(.openAI) { $0 == "OPENAI_BASE_URL" ? base : nil }
    server.isUnlocked = true
    return server
  }

  /// The server with the key and the headers. With `isShown` they are not fetched: `[key]` stands
  /// for each secret, and `[no key]` for a key that is missing.
  /// A command for the key may take `limit` milliseconds; 0 is no limit.
  func unlocked(
    _ notifier: Notifier, isShown: Bool = false, within limit: Int = 0
  ) throws(Failure) -> Server {
    guard !isUnlocked else { return self }
    var server = self
    server.isUnlocked = true
    server.added = try AddedHeaders(access.headers, isShown: isShown, notifier)
    let endpoint = try Endpoint(base: base.url, path: "", name: base.source)
    let needsKey = hasKey || !server.sendsCredentials && !isLocal(endpoint)
    let shown = hasKey ? "[key]" : needsKey ? "[no key]" : nil
    let start = Clock.steadyMilliseconds()
    let text = isShown ? shown : try access.keySource.key(of: provider, notifier, within: limit)
    server.keyMilliseconds = Clock.steadyMilliseconds() - start
    server.key = text.map { ($0, provider.isToken($0, from: access.keySource, notifier.variable)) }
    return server
  }

  /// Texts that must not be shown.
  var secrets: [[UInt8]] { [Array((key?.text ?? "").utf8)] + added.secrets }

  /// Whether requests have credentials, or before the server is unlocked, may have them.
  var sendsCredentials: Bool {
    guard isUnlocked else { return hasKey || access.headers.contains(where: \.mayHaveCredentials) }
    return key != nil || added.hasCredentials
  }

  private func isLocal(_ endpoint: Endpoint) -> Bool { hasSocket || endpoint.isLoopback }

  /// A request that posts `body` to `path`.
  func post(_ path: String, _ body: [UInt8]) throws(Failure) -> HTTPRequest {
    try request("POST", path, body)
  }

  /// A request for `path`. Unless the server is on this machine, refuses one without a key, and one
  /// over plain HTTP.
  func request(
    _ method: String, _ path: String, query: [String] = [], _ body: [UInt8] = [],
    form: [FormPart] = []
  ) throws(Failure) -> HTTPRequest {
    let endpoint = try Endpoint(base: base.url, path: path, query: query, name: base.source)
    let isLocal = isLocal(endpoint)
    let isPlain = !endpoint.isEncrypted && !isLocal
    guard !isPlain || access.allowsPlainHTTP else {
      let what = sendsCredentials ? "the key and the request" : "the request"
      throw .usage(
        "\(base.source): everybody on the way to \(endpoint.host) could read \(what) over plain"
          + " http; --insecure-http sends it all the same")
    }
    guard sendsCredentials || isLocal || isPlain || provider.worksWithoutKey else {
      throw .usage("no key: set \(provider.keyVariable), which \(endpoint.host) asks for")
    }
    // The transport adds the type of a form, which has the boundary of its parts.
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
