/// A tool as its user sees it: what it is called, what it takes, what it does.
package struct Command<Settings: CommonSettings> {
  package let page: CommandPage
  let options: [Option<Settings>]
  let initial: Settings
  let perform: (Settings, [String], Notifier) throws(Failure) -> ExitStatus

  /// `perform` is given the settings and operands of the command line, and returns or throws what
  /// the tool exits with. An option of the tool takes the place of a common one of its name.
  package init(
    _ name: String, summary: String, operands: String, takesFiles: Bool,
    options: [Option<Settings>], settings: Settings,
    perform: @escaping (Settings, [String], Notifier) throws(Failure) -> ExitStatus
  ) {
    let own = options.map(\.row.name)
    self.options = options + Option.common.filter { !own.contains($0.row.name) }
    initial = settings
    self.perform = perform
    page = CommandPage(
      name: name, summary: summary, operands: operands, takesFiles: takesFiles,
      groups: CommandPage.groups(of: self.options.map(\.row) + CommandPage.builtIn))
  }
}

/// What is told of a tool, apart from what it does.
package struct CommandPage: Sendable {
  package let name: String
  /// What it does, in half a sentence.
  package let summary: String
  /// What it takes behind the options, such as `[FILE ...]`.
  package let operands: String
  /// Whether the operands are files.
  package let takesFiles: Bool
  /// The options by the headings that they stand under, in the order of the tool's list.
  package let groups: [(title: String, rows: [OptionRow])]

  package var rows: [OptionRow] { groups.flatMap(\.rows) }

  package static let version = "0.1.0"

  static func groups(of rows: [OptionRow]) -> [(title: String, rows: [OptionRow])] {
    var groups: [(title: String, rows: [OptionRow])] = []
    for row in rows {
      if let index = groups.firstIndex(where: { $0.title == row.group }) {
        groups[index].rows.append(row)
      } else {
        groups.append((row.group, [row]))
      }
    }
    return groups
  }

  /// The options that the parser itself knows.
  package static let builtIn = [
    OptionRow(name: "help", short: "h", argument: .none, help: "Print this help.", detail: ""),
    OptionRow(
      name: "version", short: "V", argument: .none, help: "Print the version.", detail: ""),
  ]
}

/// Runs `command` with this process's arguments and ends the process.
package func run<Settings>(_ command: Command<Settings>) -> Never {
  openStandardDescriptors()
  var settings = command.initial
  var status: ExitStatus
  do throws(Failure) {
    switch try parse(processArguments(), command.options, into: &settings) {
    case .help: status = try printText(command.page.help)
    case .version: status = try printText("\(command.page.name) (oresp) \(CommandPage.version)\n")
    case .run(let operands):
      if !command.page.takesFiles, let broken = operands.first(where: { !$0.isUTF8 }) {
        throw .usage("expected UTF-8, got \(broken)")
      }
      let notifier = Notifier(tool: command.page.name, settings: settings.notices)
      status = try command.perform(settings, operands, notifier)
    }
  } catch {
    Notifier(tool: command.page.name, settings: settings.notices).tell(error)
    if case .closedOutput = error { endAsClosedPipe() }
    if case .usage = error, settings.notices.form == .text {
      try? writeError("Try '\(command.page.name) --help' for the options.\n")
    }
    status = error.status
  }
  endProcess(status.rawValue)
}

private func printText(_ text: String) throws(Failure) -> ExitStatus {
  var stdout = Descriptor(borrowing: 1, name: "stdout")
  try stdout.write(Array(text.utf8).span)
  try stdout.close()
  return .completed
}

private func writeError(_ text: String) throws(Failure) {
  try Descriptor(borrowing: 2, name: "stderr").write(Array(text.utf8).span)
}
