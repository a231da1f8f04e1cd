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

  /// What `--version` prints.
  var versionLine: String { "\(name) (oresp) \(Self.version)\n" }

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
    OptionRow(name: "help", short: "h", help: "Print this help.", detail: ""),
    OptionRow(name: "version", short: "V", help: "Print the version.", detail: ""),
  ]

  /// What `--help` prints.
  package var help: String {
    var text = "Usage: \(name) [OPTION]..." + (operands.isEmpty ? "" : " \(operands)") + "\n"
    text += Self.wrap(summary.prefix(1).uppercased() + summary.dropFirst() + ".", indent: 0)
    for (title, rows) in groups {
      text += "\n\(title):\n"
      for row in rows { text += Self.line(of: row) }
    }
    return text + "\nThe manual, \(name)(1), says more.\n"
  }

  private static let column = 28

  private static func line(of row: OptionRow) -> String {
    var head = row.short.map { "  -\($0), " } ?? "      "
    head += "--" + row.name
    if let placeholder = row.placeholder {
      head += row.isOptional ? "[=\(placeholder)]" : "=\(placeholder)"
    }
    let help = wrap(row.help, indent: column)
    guard head.count < column - 1 else { return head + "\n" + help }
    return head + help.dropFirst(head.count)
  }

  /// `text` in lines of at most 79 columns, each behind `indent` spaces.
  private static func wrap(_ text: some StringProtocol, indent: Int) -> String {
    var lines = [String(repeating: " ", count: indent)]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.count + word.count > 78, last.count > indent {
        lines.append(String(repeating: " ", count: indent) + word)
      } else {
        lines[lines.count - 1] += (last.count > indent ? " " : "") + word
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Command {
  /// Runs the command line `arguments`, which is all that it knows but for `streams`. Returns the
  /// status that the process ends with.
  package func run(_ arguments: [String], on streams: Streams) -> Int32 {
    var settings = initial
    var notifier: Notifier { Notifier(tool: page.name, settings: settings.notices, streams) }
    do throws(Failure) {
      switch try parse(arguments, options, into: &settings) {
      case .help: return try notifier.print(Array(page.help.utf8)).rawValue
      case .version: return try notifier.print(Array(page.versionLine.utf8)).rawValue
      case .run(let operands):
        if !page.takesFiles, let broken = operands.first(where: { !$0.isUTF8 }) {
          throw .usage("expected UTF-8, got \(broken)")
        }
        return try perform(settings, operands, notifier).rawValue
      }
    } catch {
      notifier.tell(error)
      return error.exitCode
    }
  }
}

/// Runs `command` with this process's arguments and ends the process.
package func run<Settings>(_ command: Command<Settings>) -> Never {
  let streams = Streams.ofProcess()
  exit(command.run(processArguments(), on: streams))
}
