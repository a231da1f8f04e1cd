/// The world around a command: its three streams and its environment.
package struct Streams: Sendable {
  var input: Int32
  var output: Int32
  var errors: Int32
  /// The value of an environment variable; `nil` when it is unset.
  var variable: @Sendable (String) -> String?

  /// The streams are open already and stay so.
  package init(
    input: Int32, output: Int32, errors: Int32, variable: @escaping @Sendable (String) -> String?
  ) {
    (self.input, self.output, self.errors, self.variable) = (input, output, errors, variable)
  }

  /// The streams and the environment of this process. A standard descriptor that is closed is
  /// opened first, so that no file opened later gets its number: in the direction that makes its
  /// use fail as a closed descriptor does.
  static func ofProcess() -> Streams {
    for (number, flags) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDWR)]
    where fcntl(number, F_GETFD) == -1 {
      _ = unsafe open("/dev/null", flags)
    }
    return Streams(input: 0, output: 1, errors: 2) { name in
      unsafe getenv(name).map { unsafe String(system: $0) }
    }
  }
}

/// The streams of a command, and the way to report on them.
package struct Notifier {
  private let tool: String
  package var settings: NoticeSettings
  private let streams: Streams
  /// The option or operand of the command line that names standard input.
  package let stdinName: String?
  /// Changes each notice before it is reported.
  package var change: (Notice) -> Notice = { $0 }
  /// The time by which readers must have read; `nil` for no limit.
  private(set) var limit: WriteLimit?

  init(
    tool: String, settings: NoticeSettings, _ streams: Streams, _ stdinName: String? = nil
  ) {
    (self.tool, self.settings, self.streams) = (tool, settings, streams)
    self.stdinName = stdinName
  }

  package var stdin: Descriptor { Descriptor(borrowing: streams.input, name: "stdin") }
  package var stdout: Descriptor { Descriptor(borrowing: streams.output, name: "stdout") }
  package var stderr: Descriptor { Descriptor(borrowing: streams.errors, name: "stderr") }

  /// The same, with `limit` as the time for readers.
  package func limited(by limit: WriteLimit?) -> Notifier {
    var notifier = self
    notifier.limit = limit
    return notifier
  }

  /// The value of the environment variable `name`; `nil` when it is unset or empty.
  package func variable(_ name: String) -> String? {
    streams.variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The input that `name` stands for on a command line; standard input stays open.
  package func open(operand name: String) throws(Failure) -> Descriptor {
    Descriptor.isStdin(name) ? stdin : try Descriptor(reading: name)
  }

  /// Refuses the inputs `paths`, standard input if there are none, if one is the regular file that
  /// `output` writes to: what was written would be read, and the file grow without end.
  package func refuse(
    _ paths: [String], ifWrittenTo output: borrowing Descriptor
  ) throws(Failure) {
    guard let written = output.status, written.isRegular else { return }
    for path in paths.isEmpty ? ["-"] : paths {
      let isStdin = Descriptor.isStdin(path)
      let read = isStdin ? stdin.status : fileStatus(path)
      guard written.isSame(as: read) else { continue }
      throw .other("\(isStdin ? "stdin" : path): the input is the output file, too", .usage)
    }
  }

  /// A sanitizer for text to `descriptor`, if the user asks for one, or did not decide and a
  /// terminal is behind it.
  func sanitizer(for descriptor: borrowing Descriptor) -> TerminalSanitizer? {
    settings.sanitizes ?? descriptor.isTerminal ? TerminalSanitizer() : nil
  }

  /// The columns of standard output: as `COLUMNS` says, or the terminal, or else 80.
  package var columns: Int {
    let set = variable("COLUMNS").flatMap { Int($0) } ?? 0
    return set > 0 ? set : stdout.columns ?? 80
  }

  /// The layout of texts for a reader: no line fills one of the terminal.
  package var layout: TextLayout {
    TextLayout(columns: stdout.isTerminal ? min(max(columns - 1, 20), 100) : 79)
  }

  /// Whether somebody at a terminal is to see the progress of the work.
  package var showsProgress: Bool {
    settings.form == .text && settings.reports(.status) && stderr.isTerminal
  }

  /// Whether a tool may read standard output, and not the notices with it, as a log does.
  package var feedsTool: Bool {
    guard stdout.leadsToProgram, let output = stdout.status else { return false }
    return stderr.status.map { $0.st_dev != output.st_dev || $0.st_ino != output.st_ino } ?? true
  }

  /// The settings, if events may say that the tool told them: standard output is a pipe, and somebody
  /// sees standard error.
  package var marking: NoticeSettings? {
    guard stdout.leadsToProgram, let errors = stderr.status else { return nil }
    let null = fileStatus("/dev/null")
    let isNull = errors.st_mode & S_IFMT == S_IFCHR && errors.st_rdev == null?.st_rdev
    return isNull ? nil : settings
  }

  /// Writes `bytes` to standard output, as the whole output of a command.
  package func print(_ bytes: [UInt8]) throws(Failure) -> ExitStatus {
    var outlet = Outlet(self)
    try outlet.write(bytes.span)
    try outlet.close()
    return .completed
  }

  /// Closes standard output itself where it is a pipe, so that its reader comes to the end;
  /// `/dev/null` takes its number. If this process `waits`, and a terminal shows its reports beside
  /// what the reader prints, the last line of that ends before it goes on.
  package func endOutput(waits: Bool) {
    guard stdout.status?.isPipe == true else { return }
    let null = openFile("/dev/null", O_WRONLY)
    guard null >= 0 else { return }
    let isClosed = dup2(null, streams.output) >= 0
    closeFile(null)
    if waits, isClosed, stderr.isTerminal { Clock.pause(milliseconds: Self.lastLineMilliseconds) }
  }

  private static let lastLineMilliseconds = 50

  /// Reports `notice`, which is about `input`, if the settings let it. A stderr that cannot be
  /// written to changes nothing.
  package func report(_ notice: Notice, about input: String? = nil) {
    guard settings.reports(notice) else { return }
    let notice = change(notice)
    var line =
      settings.form == .json
      ? notice.json(tool: tool, input: input)
      : Array(notice.text(tool: tool, input: input).utf8)
    line.append(ASCII.lf)
    try? stderr.write(line.span, by: limit)
  }

  /// Reports why the tool cannot go on; of a closed standard output nothing is said.
  package func report(_ failure: Failure) {
    if let notice = failure.notice { report(notice) }
  }
}

/// The arguments of this process behind the tool's name, byte for byte.
func processArguments() -> [String] {
  let arguments = unsafe UnsafeBufferPointer(
    start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
  return unsafe arguments.dropFirst().compactMap { argument in
    unsafe argument.map { unsafe String(system: $0) }
  }
}

extension String {
  /// The text that stands for the bytes from `start` up to a NUL.
  init(system start: UnsafePointer<CChar>) {
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: strlen(start))
    self.init(system: unsafe Array(bytes))
  }
}
