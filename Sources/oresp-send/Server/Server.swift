import Core

/// The server of a run: its URL, parsed once, and who asks it. Its requests have no key and no added
/// headers until `withKey` has fetched them, since a command for the key may ask a person.
struct Server: Sendable {
  private let provider: Provider
  private let access: AccessSettings
  /// Its base URL, and the variable or the provider that it comes from.
  private let base: Endpoint
  private let source: String
  /// The headers of organization and project.
  private let identity: [String]
  /// The key in the environment; `nil` without one, and where a file or a command is to have it.
  private let environmentKey: APIKey?
  /// Whether requests go to this machine, over a socket of it or to its own address.
  let isLocal: Bool
  private var isUnlocked = false
  private var key: APIKey?
  private var added = AddedHeaders()
  /// The time that the key took, in milliseconds.
  private(set) var keyMilliseconds = 0

  /// `variable` gives the value of an environment variable; `nil` if it is unset or empty.
  init(
    _ provider: Provider, _ access: AccessSettings = AccessSettings(), hasSocket: Bool = false,
    variable: (String) -> String?
  ) throws(Failure) {
    self.provider = provider
    self.access = access
    let (url, source) = try provider.base(variable)
    self.source = source
    var identity: [String] = []
    for (name, header) in [
      ("OPENAI_ORG_ID", "OpenAI-Organization"), ("OPENAI_PROJECT_ID", "OpenAI-Project"),
    ] where provider.name == Provider.openAI.name {
      guard let value = variable(name) else { continue }
      identity.append("\(header): \(try RequestHeader.word(value, from: name))")
    }
    self.identity = identity
    environmentKey =
      if case .environment = access.keySource {
        try APIKey(of: provider, variable)
      } else { nil }
    base = try Endpoint(base: url, name: source)
    isLocal = hasSocket || base.isLoopback
  }

  /// Whether the environment has a key, or a file or a command is to have one.
  private var hasKey: Bool {
    if case .environment = access.keySource { environmentKey != nil } else { true }
  }

  /// Whether requests go over plain HTTP to another machine, so that others on the way can read
  /// them.
  var isInTheClear: Bool { !base.isEncrypted && !isLocal }

  /// Texts that must not be shown.
  var secrets: [[UInt8]] { [Array((key?.text ?? "").utf8)] + added.secrets }

  /// Whether requests have credentials, or before the key is there, may have them.
  var sendsCredentials: Bool {
    guard isUnlocked else { return hasKey || access.headers.contains(where: \.mayHaveCredentials) }
    return key != nil || added.hasCredentials
  }

  /// Refuses a server on another machine that would be asked without a key, or over plain HTTP.
  func check() throws(Failure) {
    guard !isInTheClear || access.allowsPlainHTTP else {
      let what = sendsCredentials ? "the key and the request" : "the request"
      throw .usage(
        "\(source): everybody on the way to \(base.host) could read \(what) over plain"
          + " http; --insecure-http sends it all the same")
    }
    guard sendsCredentials || isLocal || isInTheClear || provider.worksWithoutKey else {
      throw .usage("no key: set \(provider.keyVariable), which \(base.host) asks for")
    }
  }

  /// The server with the key and the headers, checked once more. For printing they are not fetched:
  /// `[key]` stands for each secret, and `[no key]` for a key that is missing.
  /// A command for the key may take `limit` milliseconds; 0 is no limit.
  func withKey(
    _ notifier: Notifier, forPrinting isShown: Bool = false, within limit: Int = 0
  ) throws(Failure) -> Server {
    var server = self
    server.isUnlocked = true
    server.added = try AddedHeaders(access.headers, isShown: isShown, notifier)
    if isShown {
      if hasKey {
        server.key = APIKey(text: "[key]", isToken: environmentKey?.isToken ?? false)
      } else if !server.sendsCredentials, !isLocal {
        server.key = APIKey(text: "[no key]")
      }
    } else {
      let start = Clock.steadyMilliseconds()
      server.key = environmentKey
      if server.key == nil { server.key = try access.keySource.key(notifier, within: limit) }
      server.keyMilliseconds = Clock.steadyMilliseconds() - start
    }
    try server.check()
    return server
  }

  /// A request that posts `body` to `path`.
  func post(_ path: String, _ body: [UInt8]) -> HTTPRequest { request("POST", path, body) }

  /// A request for `path`, with the items of `query`, which are percent-encoded.
  func request(
    _ method: String, _ path: String, query: [String] = [], _ body: [UInt8] = [],
    form: [FormPart] = []
  ) -> HTTPRequest {
    // The transport adds the type of a form, which has the boundary of its parts.
    let headers = headers(hasJSON: form.isEmpty && (method == "POST" || body.count > 0))
    var request = HTTPRequest(
      method: method, url: base.url(of: path, query: query), headers: headers, body: body,
      isLocal: isLocal)
    request.form = form
    request.serverSource = source == provider.name ? "--provider" : source
    return request
  }

  private func headers(hasJSON: Bool) -> [String] {
    var lines = hasJSON ? ["Content-Type: application/json"] : []
    lines.append("Accept: text/event-stream, application/json")
    if let key { lines.append(provider.header(key)) }
    lines += identity
    return lines.filter { !added.replaces($0) } + added.lines
  }
}
