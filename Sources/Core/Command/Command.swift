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

extension Command {
  /// Runs the command line `arguments`, which is all that it knows but for `streams`. Returns the
  /// status that the process ends with.
  package func run(_ arguments: [String], on streams: Streams) -> Int32 {
    var settings = initial
    do throws(Failure) {
      let line = try parse(arguments, options, into: &settings)
      let notifier = Notifier(tool: page.name, settings: settings.notices, streams: streams)
      switch line {
      case .help: return try notifier.print(Array(page.help.utf8)).rawValue
      case .version: return try notifier.print(Array(page.versionLine.utf8)).rawValue
      case .run(let operands):
        if !page.takesFiles, let broken = operands.first(where: { !$0.isUTF8 }) {
          throw .usage("expected UTF-8, got \(broken)")
        }
        return try perform(settings, operands, notifier).rawValue
      }
    } catch {
      Notifier(tool: page.name, settings: settings.notices, streams: streams).tell(error)
      return error.exitCode
    }
  }
}

/// Runs `command` with this process's arguments and ends the process.
package func run<Settings>(_ command: Command<Settings>) -> Never {
  let streams = Streams.ofProcess()
  endProcess(command.run(processArguments(), on: streams))
}
