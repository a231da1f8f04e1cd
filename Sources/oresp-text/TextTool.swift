package import Core

/// `oresp-text`: the answer's text.
package enum TextTool {
  /// The settings of a command line.
  package struct Settings: ReadingSettings {
    package var notices = NoticeSettings()
    package var reading = EventReader.Settings()
    var answer = AnswerFilter.Settings()
    /// Whether the styles of citations are listed, and nothing else is done.
    var listsStyles = false
    var schemaPath: String?
    /// The file that is written in place of standard output.
    var outputPath: String?
    var keepsPartial = false
    /// The folder for files of the answer.
    var folder: String?
    var replacesFiles = false
  }

  package static var command: Command<Settings> {
    Command(
      "oresp-text", summary: "print the text of an answer as it arrives",
      operands: "[FILE]...", takesFiles: true,
      example: "oresp-send -m MODEL 'Why is the sky blue?' | oresp-text", options: options,
      usual: [
        "output", "files", "citations", "sources", "extract", "json", "each", "schema",
        "no-newline", "null", "message", "until-end", "reasoning", "tools",
      ], elsewhere: elsewhere, settings: Settings(), perform: perform)
  }

  private static func perform(
    _ settings: Settings, _ inputs: [String], _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    if settings.listsStyles {
      let layout = notifier.layout
      let lines = CitationStyle.allCases.map { layout.entry($0.rawValue, $0.help, column: 14) }
      return try notifier.print(Array(lines.joined().utf8))
    }
    var notifier = notifier
    // Of 200 answers each that failed has its reason.
    notifier.settings.reportsEachEnd = settings.answer.style.hasLabels
    let checked = try checked(settings, notifier)
    var files: ProducedFiles?
    if let folder = settings.folder {
      files = try ProducedFiles(into: folder, replaces: settings.replacesFiles)
    }
    let answer = AnswerFilter(checked, writing: files)
    let pipe = EventPipe(
      answer, reading: settings.reading, needing: .typed, needsMeaning: true)
    guard let path = settings.outputPath, path != "-" else {
      return try pump(pipe, from: inputs, with: notifier)
    }
    return try write(pipe, to: path, settings, from: inputs, notifier)
  }

  /// Returns the settings of the answer, with the schema that was read.
  private static func checked(
    _ settings: Settings, _ notifier: Notifier
  ) throws(Failure) -> AnswerFilter.Settings {
    var answer = settings.answer
    let form = answer.style.form
    answer.style.hasFiles = settings.folder != nil
    answer.style.isOfFile = settings.outputPath.map { $0 != "-" } ?? false
    guard settings.folder == nil || !form.takesBlocks || !form.parses else {
      throw .usage("-x --files writes code as it is: leave out -j and -S")
    }
    guard form.elements == nil || settings.outputPath == nil || settings.keepsPartial else {
      throw .usage("--each prints before the end is known: -o needs --keep-partial")
    }
    if let path = settings.schemaPath {
      let isInPlace = path.utf8.first { !ASCII.isSpace($0) } == ASCII.openBrace
      let file = isInPlace ? FileText(path.systemBytes, name: "-S") : try FileText(reading: path)
      let schema = try JSONSchema(file)
      if !schema.unchecked.isEmpty {
        let what = schema.unchecked.joined(separator: ", ")
        var notice = Notice(.warning, "\(file.name): not checked: \(what); check-jsonschema does")
        notice.isEssential = true
        notifier.report(notice)
      }
      answer.style.form.schema = schema
    }
    return answer
  }

  /// Pumps `pipe` into the file at `path`. Returns the worst status of all notices.
  private static func write<F: Filter & ~Copyable>(
    _ pipe: consuming F, to path: String, _ settings: Settings, from inputs: [String],
    _ notifier: Notifier
  ) throws(Failure) -> ExitStatus {
    for name in inputs.isEmpty ? ["-"] : inputs {
      let input = fileStatus(name == "-" ? "/dev/stdin" : name)
      guard input?.isSame(as: fileStatus(path)) != true else {
        throw .usage("-o: \(path) is input, too")
      }
    }
    let file = try NewFile(at: path)
    let status = try pump(pipe, from: inputs, to: file.descriptor, with: notifier)
    if status == .completed, !settings.keepsPartial, settings.folder == nil, file.isEmpty {
      let why = "\(path): not written: the answer has no text"
      notifier.report(Notice(.error, why, status: .negative))
      return .negative
    }
    // There was nothing to write, and why was reported.
    if [.usage, .badInput].contains(status), !settings.keepsPartial, file.isEmpty { return status }
    try file.commit(after: settings.keepsPartial ? .completed : status, notifier)
    return status
  }
}
