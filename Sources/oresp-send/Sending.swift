import Core

/// A request on its way to the server that the environment names: checked first, then made, then
/// sent or shown as a command.
struct Sending {
  private static let path = "/responses"

  private var settings: SendTool.Settings
  private let notifier: Notifier

  init(_ settings: SendTool.Settings, _ notifier: Notifier) {
    (self.settings, self.notifier) = (settings, notifier)
    self.settings.transport.takeAuthorities(from: notifier.variable)
  }

  /// Sends what `body` makes. Whatever cannot be sent is refused before that is asked for, since it
  /// may wait for standard input.
  func run(_ body: () throws(Failure) -> RequestBody) throws(Failure) -> ExitStatus {
    // With any key, so that nobody is asked for one in vain.
    try check(try server(key: "key").post(Self.path, BodyContent()))
    let key = try key()
    let server = try server(key: key)
    _ = try server.post(Self.path, BodyContent())
    let body = try body()
    if settings.showsCurl { return try show(body, to: server) }
    let request = try server.post(Self.path, body.content)
    if request.isInTheClear {
      let what = key == nil ? "the request goes" : "the key and the request go"
      notifier.tell(Notice(.warning, what + " over plain HTTP: everybody on the way can read it"))
    }
    let redaction = Redaction([server.secret] + body.secretTexts)
    return try Exchange(request, redaction, settings, notifier).run()
  }

  private func key() throws(Failure) -> String? {
    guard settings.showsCurl else {
      return try settings.access.keySource.key(variable: notifier.variable) { notifier.tell($0) }
    }
    // A command that is shown needs none; but where none would be sent it has none.
    if case .environment = settings.access.keySource, notifier.variable("OPENAI_API_KEY") == nil,
      try server(key: "key").post(Self.path, BodyContent()).isLocal
    {
      return nil
    }
    return try KeySource.shown.key(variable: notifier.variable)
  }

  private func server(key: String?) throws(Failure) -> Server {
    try Server(
      key: key, access: settings.access, hasSocket: settings.transport.unixSocket != nil,
      variable: notifier.variable)
  }

  private func check(_ request: HTTPRequest) throws(Failure) {
    if let file = settings.transport.caFile { _ = try Descriptor(reading: file) }
    guard let proxy = settings.transport.proxy, request.isLocal else { return }
    guard try Endpoint.proxy(proxy).isLoopback else {
      throw .usage("--proxy: a server on this machine is asked by a proxy on this machine only")
    }
  }

  /// Prints the command that sends `body`, but for the secrets in it, wherever they are from: such a
  /// command is made to be shown around.
  private func show(_ body: RequestBody, to server: Server) throws(Failure) -> ExitStatus {
    var shown = body
    SendTool.tell(shown.removeSecrets(), notifier)
    let request = try server.post(Self.path, shown.content)
    let command = try CurlCommand(request, settings.transport).text()
    return try notifier.print(Array(command.utf8))
  }
}
