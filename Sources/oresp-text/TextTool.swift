package import Core

/// `oresp-text`: the answer's text.
package enum TextTool {
  /// What the command line asks for.
  package struct Settings: CommonSettings {
    package var notices = NoticeSettings()
    package var answer = AnswerFilter.Settings()

    package init() {}
  }

  package static var command: Command<Settings> {
    Command(
      "oresp-text", summary: "print the text of an answer as it arrives",
      operands: "[FILE]...", takesFiles: true, options: options, settings: Settings(),
      perform: perform)
  }

  private static func perform(
    _ settings: Settings, _ files: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    let filter = AnswerFilter(settings.answer)
    let pipe = EventPipe(filter, reading: EventReader.Settings(), needing: .typed)
    return try pump(pipe, from: files, telling: notifier)
  }
}
