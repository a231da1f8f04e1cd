/// A tool: its page, its options and its work.
package struct Command<Settings: CommonSettings> {
  package let page: CommandPage
  let options: [Option<Settings>]
  let initial: Settings
  let perform: (Settings, [String], Notifier) throws(Failure) -> ExitStatus

  /// `perform` gets the settings and operands of the command line, and returns the exit status.
  /// `--help` shows the options named in `usual`, and the options that every tool has. `elsewhere`
  /// lists options of other programs, each with the way to do the same here.
  package init(
    _ name: String, summary: String, operands: String, takesFiles: Bool, example: String,
    options: [Option<Settings>], usual: [String], elsewhere: [NameElsewhere] = [],
    settings: Settings,
    perform: @escaping (Settings, [String], Notifier) throws(Failure) -> ExitStatus
  ) {
    self.options = options + Option.common
    initial = settings
    self.perform = perform
    page = CommandPage(
      name: name, summary: summary, operands: operands, takesFiles: takesFiles, example: example,
      options: self.options.map(\.row) + CommandPage.builtIn,
      usual: usual + ["quiet", "verbose"], elsewhere: elsewhere + NameElsewhere.common)
  }
}

extension Command {
  /// Runs the command line `arguments` on `streams`. Returns the exit status.
  package func run(_ arguments: [String], on streams: Streams) -> Int32 {
    var settings = initial
    var stdinName: String?
    var namedFiles: [String: String] = [:]
    var notifier: Notifier {
      Notifier(tool: page.name, settings: settings.notices, streams, stdinName)
    }
    do throws(Failure) {
      switch try parse(arguments, options, page, into: &settings) {
      case .help(let topic):
        let text = try Help(page: page, layout: notifier.layout).text(on: topic)
        return try notifier.print(Array(text.utf8)).rawValue
      case .version: return try notifier.print(Array(page.versionLine.utf8)).rawValue
      case .run(let operands, let name, let files):
        stdinName = name
        namedFiles = files
        if !page.takesFiles, let broken = operands.first(where: { !$0.isUTF8 }) {
          throw .usage("expected UTF-8, got \(broken)")
        }
        return try perform(settings, operands, notifier).rawValue
      }
    } catch {
      let named = error.naming(namedFiles)
      notifier.report(named)
      return named.exitCode
    }
  }
}

/// Runs `command` with this process's arguments and ends the process.
package func run<Settings>(_ command: @autoclosure () -> Command<Settings>) -> Never {
  Allocator.returnsLargeBlocks()
  exit(command().run(processArguments(), on: Streams.ofProcess()))
}
