import Core

/// The server that a command line asks, and the key that it gets.
struct ServerChoice {
  private let settings: SendTool.Settings
  private let notifier: Notifier

  init(_ settings: SendTool.Settings, _ notifier: Notifier) {
    (self.settings, self.notifier) = (settings, notifier)
  }

  /// The server as it is asked. Its key is fetched from wherever it is; with `isShown`, `[key]` stands
  /// for it and for other secrets.
  func server(isShown: Bool = false) throws(Failure) -> Server {
    if settings.rehearsal != nil {
      return try Server(key: nil) { $0 == "OPENAI_BASE_URL" ? RehearsalCarrier.base : nil }
    }
    let added = try AddedHeaders(
      settings.access.headers, isShown: isShown, variable: notifier.variable,
      open: notifier.open, tell: { notifier.tell($0) })
    return try server(key: isShown ? try shownKey() : try key(), added)
  }

  /// Refuses what cannot be sent to `path` before anything is waited for.
  func check(_ method: String, _ path: String) throws(Failure) {
    guard settings.rehearsal == nil else { return }
    let request = try server(key: try likelyKey()).request(method, path)
    let transport = settings.transport
    guard transport.keyFile == nil || transport.certificateFile != nil else {
      throw .usage("--key goes with --cert only")
    }
    for file in [transport.caFile, transport.certificateFile, transport.keyFile] {
      if let file { _ = try Descriptor(reading: file) }
    }
    guard let proxy = settings.transport.proxy, request.isLocal else { return }
    guard try Endpoint.proxy(proxy).isLoopback else {
      throw .usage("--proxy: a server on this machine is asked by a proxy on this machine only")
    }
  }

  private var provider: Provider {
    get throws(Failure) { try Provider.named(settings.access.provider, notifier.variable) }
  }

  private func key() throws(Failure) -> String? {
    try settings.access.keySource.key(of: provider, variable: notifier.variable) {
      notifier.tell($0)
    }
  }

  /// What is shown for the key: nothing where a server on this machine gets none.
  private func shownKey() throws(Failure) -> String? {
    if try likelyKey() == nil, try server(key: "key").post("", []).isLocal { return nil }
    return "[key]"
  }

  /// The key of the environment; any for one that a file or a command has, or that a header might
  /// be, so that none is asked in vain.
  private func likelyKey() throws(Failure) -> String? {
    guard case .environment = settings.access.keySource,
      settings.access.headers.allSatisfy({ !$0.mayShowUs })
    else { return "key" }
    return try settings.access.keySource.key(of: provider, variable: notifier.variable)
  }

  private func server(
    key: String?, _ added: AddedHeaders = AddedHeaders()
  ) throws(Failure) -> Server {
    try Server(
      key: key, access: settings.access, added, hasSocket: settings.transport.unixSocket != nil,
      variable: notifier.variable)
  }
}
