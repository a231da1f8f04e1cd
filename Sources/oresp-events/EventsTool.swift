package import Core

/// `oresp-events`: selects events.
package enum EventsTool {
  /// What the command line asks for.
  package struct Settings: CommonSettings {
    package var notices = NoticeSettings()
    package var types = TypeSelection()

    package init() {}
  }

  package static var command: Command<Settings> {
    Command(
      "oresp-events", summary: "select events of a response by their type",
      operands: "[FILE]...", takesFiles: true, options: options, settings: Settings(),
      perform: perform)
  }

  private static func perform(
    _ settings: Settings, _ files: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    for hint in settings.types.hints { notifier.tell(Notice(.warning, hint)) }
    let pipe = EventPipe(SelectFilter(settings), reading: EventReader.Settings(), needing: .none)
    return try pump(pipe, from: files, telling: notifier)
  }
}
