package import Core

/// `oresp-sse`: an event stream to NDJSON, and back.
package enum SSETool {
  /// What the command line asks for.
  package struct Settings: ReadingSettings {
    /// What an input has.
    package enum Form: String, CaseIterable, Sendable { case chat, events }

    package var notices = NoticeSettings()
    package var isReverse = false
    package var endsWithMark = false
    package var isEnvelope = false
    /// What comes; `nil` where its objects tell that.
    package var form: Form?
    /// Whether each choice of an answer of Chat Completions becomes a response.
    package var takesAllChoices = false
    package var stamps = false
    /// Whether each event gets its place among the lines.
    package var numbers = false
    /// The tag that each event gets.
    package var tag: String?
    package var checks = false
    /// How events are read.
    package var reading = EventReader.Settings()

    package init() {}
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
    if settings.checks {
      return try pump(GrammarCheckFilter(settings), from: files, with: notifier)
    }
    switch (settings.isReverse, settings.isEnvelope) {
    case (false, false) where settings.form != .events:
      return try pump(ChatFilter(DecodeFilter(settings), settings), from: files, with: notifier)
    case (true, false) where settings.form == .chat:
      return try pump(ChatFilter(EncodeFilter(settings), settings), from: files, with: notifier)
    case (false, false):
      var reading = settings.reading
      reading.acceptsAnything = true
      let pipe = EventPipe(DecodeFilter(settings), reading: reading, needing: .objects)
      return try pump(pipe, from: files, with: notifier)
    case (true, false):
      let pipe = EventPipe(EncodeFilter(settings), reading: settings.reading, needing: .objects)
      return try pump(pipe, from: files, with: notifier)
    case (false, true):
      return try pump(EnvelopeFilter(settings), from: files, with: notifier)
    case (true, true):
      var reading = settings.reading
      reading.acceptsAnything = true
      let pipe = EventPipe(EnvelopeEncodeFilter(settings), reading: reading, needing: .objects)
      return try pump(pipe, from: files, with: notifier)
    }
  }
}
