import Core

/// What one command line asks for: variables, presets and the files of options, read once. What is
/// wrong is found in an order in which nobody waits or is asked in vain: the options that exclude
/// each other, the provider, its URL, whether a key can be had, the files of options. Then come
/// unread standard input and the prompt, for a request that has one, and last the key.
struct Ask {
  /// The server, without its key; `nil` where nothing is sent and nothing of it is shown.
  let server: Server?
  /// The path behind the base URL.
  let path: String
  let patch: Patch
  private let input: InputBuilder

  init(
    _ settings: SendSettings, _ prompt: [String], _ sources: Sources
  ) throws(Failure) {
    let provider = try Provider.named(settings.access.provider, sources.variable)
    let isAny = settings.endpoint.path != nil
    if !isAny, settings.request.api == .responses, !provider.hasResponses,
      settings.rehearsal == nil
    {
      throw .usage("\(provider.name) has Chat Completions only; --api=chat asks for them")
    }
    let isShown = !settings.isDryRun || settings.notices.reports(.summary)
    server = isShown ? try Self.server(of: provider, settings, sources.variable) : nil
    patch = try Patch(
      settings.request, sources, provider, isNew: !isAny && settings.verb == nil,
      batchEvents: settings.batch.isOn ? settings.batch.givesEvents : nil,
      showsSecrets: !settings.isDryRun)
    path =
      settings.endpoint.path
      ?? (patch.isChat ? "/chat/completions" : settings.request.use.path)
    input = InputBuilder(
      settings: settings.input, prompt: prompt, sources: sources, request: settings.request)
  }

  /// The body of a request of its own, with the input of the command line.
  func body() throws(Failure) -> RequestBody {
    try patch.body { lacksInput throws(Failure) in try input.read(lacksInput: lacksInput) }
  }

  /// The server by which `settings` can be sent.
  private static func server(
    of provider: Provider, _ settings: SendSettings, _ variable: (String) -> String?
  ) throws(Failure) -> Server {
    guard settings.rehearsal == nil else {
      return try Server(.openAI) { $0 == "OPENAI_BASE_URL" ? RehearsalCarrier.base : nil }
    }
    let transport = settings.transport
    let server = try Server(
      provider, settings.access, hasSocket: transport.unixSocket != nil, variable: variable)
    if settings.isDryRun { return server }
    try server.check()
    for file in [transport.caFile, transport.certificateFile, transport.keyFile] {
      if let file { _ = try Descriptor(reading: file) }
    }
    if let proxy = transport.proxy, server.isLocal, !proxy.isLoopback {
      throw .usage("--proxy: a server on this machine is asked by a proxy on this machine only")
    }
    return server
  }
}
