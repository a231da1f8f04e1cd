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
    package var request = RequestSettings()
    package var access = AccessSettings()
    package var retry = RetrySettings()
    package var reply = ReplySettings()
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
    if settings.request.tools.areListed {
      return try notifier.print(Array(ToolManual.text.utf8))
    }
    for (option, isGiven) in [
      ("-n", settings.isDryRun), ("--rehearse", settings.rehearsal != nil),
    ] where settings.showsCurl && isGiven {
      throw .usage("--curl and \(option) exclude each other")
    }
    for hint in settings.request.hints { notifier.tell(Notice(.warning, hint)) }
    if let name = settings.request.presets.savedName {
      return try savePreset(name, settings, prompt, notifier)
    }
    if settings.isDryRun { return try printBody(settings, prompt, notifier) }
    if let rehearsal = settings.rehearsal {
      let body = try body(settings, prompt, notifier)
      let request = HTTPRequest(url: "", headers: [], body: body.content, isLocal: true)
      let exchange = try Exchange(request, Redaction([]), settings, notifier)
      return try exchange.deliver(request, by: RehearsalTransport(rehearsal))
    }
    return try Sending(settings, notifier).run { () throws(Failure) in
      try body(settings, prompt, notifier)
    }
  }

  /// The body that the command line makes, with its warnings told.
  private static func body(
    _ settings: Settings, _ prompt: [String], _ notifier: Notifier
  ) throws(Failure) -> RequestBody {
    let body = try builder(settings, prompt, notifier).build()
    for warning in body.warnings { notifier.tell(Notice(.warning, warning)) }
    return body
  }

  private static func printBody(
    _ settings: Settings, _ prompt: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    let (body, hidden) = try body(settings, prompt, notifier).shown
    tell(hidden, notifier)
    return try printOut(body.content, end: [ASCII.lf], notifier)
  }

  /// Saves what the command line says as the preset `name`.
  private static func savePreset(
    _ name: String, _ settings: Settings, _ prompt: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    let preset = try builder(settings, prompt, notifier).preset()
    tell(preset.secrets, notifier)
    if settings.isDryRun { return try notifier.print(preset.text) }
    let folder = PresetFolder(sources(notifier))
    let path = try folder.path(of: name)
    try Folder.make(try folder.folder, isPrivate: true)
    do throws(Failure) {
      let replaces = settings.request.presets.replaces
      let file = try NewFile(at: path, existing: replaces ? .replace : .keep, isPrivate: true)
      try file.write(preset.text.span)
      try file.commit()
    } catch {
      guard error.isExistingFile else { throw error }
      throw .usage("--save-preset: \(path) is there already; --force replaces it")
    }
    notifier.tell(Notice(.status, "saved \(path); nothing was sent"))
    return .completed
  }

  static func tell(_ hidden: [String], _ notifier: Notifier) {
    for place in hidden {
      notifier.tell(Notice(.warning, "\(place) is a secret, and left out of what is written"))
    }
  }

  static func printOut(
    _ content: BodyContent, end: [UInt8] = [], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    var stdout = Outlet(notifier)
    var reader = BodyReader(content)
    var piece: [UInt8] = []
    try reader.read(InputBuffer.readSize, into: &piece)
    while !piece.isEmpty {
      try stdout.write(piece.span)
      piece.removeAll(keepingCapacity: true)
      try reader.read(InputBuffer.readSize, into: &piece)
    }
    try stdout.write(end.span)
    try stdout.close()
    return .completed
  }

  private static func builder(
    _ settings: Settings, _ prompt: [String], _ notifier: Notifier
  ) -> RequestBuilder {
    RequestBuilder(settings, prompt: prompt, sources(notifier))
  }

  private static func sources(_ notifier: Notifier) -> RequestBuilder.Sources {
    RequestBuilder.Sources(
      stdinIsTerminal: notifier.stdin.isTerminal,
      read: { path throws(Failure) in try notifier.open(operand: path).readAll() },
      variable: notifier.variable, open: notifier.open, list: Folder.names)
  }
}
