package import Core

/// `oresp-sse`: an event stream to NDJSON, and back.
package enum SSETool {
  /// What the command line asks for.
  package struct Settings: ReadingSettings {
    /// The form of an input: answers of Chat Completions, or events.
    package enum Form: String, CaseIterable, Sendable { case chat, events }

    package var notices = NoticeSettings()
    package var isReverse = false
    package var endsWithMark = false
    package var isEnvelope = false
    /// The form of the input; `nil` if its objects decide.
    package var form: Form?
    package var stamps = false
    /// Whether each event gets the number of lines before it.
    package var numbers = false
    /// The tag that each event gets.
    package var tag: String?
    package var checks = false
    package var reading = EventReader.Settings()

    package init() {}

    /// Whether it prints events, among which lines on ends may stand.
    var printsEvents: Bool { !isReverse && !isEnvelope && !checks }
  }

  package static var command: Command<Settings> {
    Command(
      "oresp-sse", summary: "turn an event stream into one event a line, and back",
      operands: "[FILE]...", takesFiles: true,
      example: "oresp-send -m MODEL 'Why is the sky blue?' | oresp-sse", options: options,
      usual: [
        "reverse", "done", "envelope", "from", "stamp", "number", "tag", "until-end", "check",
      ],
      elsewhere: elsewhere, settings: Settings(), perform: perform)
  }

  static var options: [Option<Settings>] {
    formOptions.grouped("Form") + checkOptions.grouped("Limits and faults")
  }

  private static func perform(
    _ settings: Settings, _ files: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    var notifier = notifier
    notifier.settings.hasJudgeBehind = settings.printsEvents && notifier.feedsTool
    func run(_ filter: consuming some Filter & ~Copyable) throws(Failure) -> ExitStatus {
      try pump(filter, from: files, with: notifier)
    }
    if settings.checks { return try run(GrammarCheckFilter(settings)) }
    var reading = settings.reading
    reading.isGeneric = true
    reading.marksErrors = notifier.marking?.reports(.error) == true
    reading.acceptsAnything =
      settings.isEnvelope || !settings.isReverse && settings.form == .events
    switch settings.form {
    case .chat: reading.chat = .only
    case .events: reading.chat = .kept
    case nil: if settings.isReverse { reading.chat = .kept }
    }
    switch (settings.isReverse, settings.isEnvelope) {
    case (false, false):
      return try run(EventPipe(DecodeFilter(settings), reading: reading, needing: .objects))
    case (true, false):
      return try run(EventPipe(EncodeFilter(settings), reading: reading, needing: .objects))
    case (false, true): return try run(EnvelopeFilter(settings))
    case (true, true):
      return try run(EventPipe(EnvelopeEncodeFilter(settings), reading: reading, needing: .objects))
    }
  }
}
