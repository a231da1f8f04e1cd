package import Core

/// `oresp-send`: sends one request and gives its answer as it came.
package enum SendTool {
  /// What the command line asks for.
  package struct Settings: CommonSettings {
    package var notices = NoticeSettings()
    package var model: String?
    package var bodyPath: String?
    /// What `--[no-]stream` said, if it was given.
    package var streamChoice: Bool?
    package var isDryRun = false
    package var rehearsal: Rehearsal?
    package var transport = TransportSettings()
    package var input = InputSettings()

    package init() {}

    var streams: Bool {
      get { streamChoice ?? true }
      set { streamChoice = newValue }
    }
  }

  package static var command: Command<Settings> {
    Command(
      "oresp-send", summary: "send a request to the Responses API and give its raw answer",
      operands: "[PROMPT]...", takesFiles: false, options: options, settings: Settings(),
      perform: perform)
  }

  private static func perform(
    _ settings: Settings, _ prompt: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    if settings.isDryRun { return try printBody(settings, prompt) }
    if let rehearsal = settings.rehearsal {
      let request = HTTPRequest(
        url: "", headers: [], body: try body(settings, prompt), isLocal: true)
      return try deliver(request, by: RehearsalTransport(rehearsal), secret: [], notifier)
    }
    let server = try Server(variable: environment)
    // Whatever cannot be sent is refused before standard input is waited for.
    _ = try server.post(path, BodyContent())
    if let file = settings.transport.caFile { _ = try Descriptor(reading: file) }
    let request = try server.post(path, try body(settings, prompt))
    return try deliver(
      request, by: CurlTransport(settings.transport), secret: server.secret, notifier)
  }

  private static let path = "/responses"

  private static func deliver(
    _ request: HTTPRequest, by transport: some Transport, secret: [UInt8], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    let delivery = Delivery(AnswerRelay(secret: secret), notifier)
    let fault = try transport.send(request, to: delivery)
    return try delivery.end(fault)
  }

  private static func printBody(
    _ settings: Settings, _ prompt: [String]
  ) throws(Failure) -> ExitStatus {
    var stdout = Descriptor(borrowing: 1, name: "stdout")
    var reader = BodyReader(try body(settings, prompt))
    var piece: [UInt8] = []
    try reader.read(InputBuffer.readSize, into: &piece)
    while !piece.isEmpty {
      try stdout.write(piece.span)
      piece.removeAll(keepingCapacity: true)
      try reader.read(InputBuffer.readSize, into: &piece)
    }
    let end = [ASCII.lf]
    try stdout.write(end.span)
    try stdout.close()
    return .completed
  }

  private static func body(
    _ settings: Settings, _ prompt: [String]
  ) throws(Failure) -> BodyContent {
    let sources = RequestBuilder.Sources(
      stdinIsTerminal: Descriptor(borrowing: 0, name: "stdin").isTerminal, read: readFile,
      variable: environment)
    return try RequestBuilder(settings, prompt: prompt, sources).build().content
  }

  private static func readFile(_ path: String) throws(Failure) -> [UInt8] {
    try Descriptor(operand: path).readAll()
  }
}
