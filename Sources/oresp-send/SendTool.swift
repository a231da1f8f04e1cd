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
    package var access = AccessSettings()
    package var retry = RetrySettings()
    package var answer = AnswerSettings()
    /// Whether the curl command is printed instead.
    package var showsCurl = false

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
      let exchange = try Exchange(request, secret: [], settings, notifier)
      return try exchange.deliver(request, by: RehearsalTransport(rehearsal))
    }
    return try Sending(settings, notifier).run { () throws(Failure) in try body(settings, prompt) }
  }

  private static func printBody(
    _ settings: Settings, _ prompt: [String]
  ) throws(Failure) -> ExitStatus {
    var stdout = Descriptor(borrowing: 1, name: "stdout")
    try stdout.write((try body(settings, prompt) + [ASCII.lf]).span)
    try stdout.close()
    return .completed
  }

  private static func body(
    _ settings: Settings, _ prompt: [String]
  ) throws(Failure) -> [UInt8] {
    let sources = RequestBuilder.Sources(
      stdinIsTerminal: Descriptor(borrowing: 0, name: "stdin").isTerminal, read: readFile,
      variable: environment)
    return try RequestBuilder(settings, prompt: prompt, sources).build().bytes
  }

  private static func readFile(_ path: String) throws(Failure) -> [UInt8] {
    if path == "-" { return try Descriptor(borrowing: 0, name: "stdin").readAll() }
    return try Descriptor(reading: path).readAll()
  }
}
