package import Core

/// `oresp-text`: the answer's text.
package enum TextTool {
  /// What the command line asks for.
  package struct Settings: ReadingSettings {
    package var notices = NoticeSettings()
    package var reading = EventReader.Settings()
    package var answer = AnswerFilter.Settings()
    package var schemaPath: String?
    package var output = OutputSettings()

    package init() {}
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
    let checked = try checked(settings, notifier)
    let output = settings.output
    var files: ProducedFiles?
    if let folder = output.folder {
      files = try ProducedFiles(
        into: folder, replaces: output.replacesFiles, partialImages: output.wantsPartialImages)
    }
    let answer = AnswerFilter(checked, writing: files)
    let pipe = EventPipe(InTurn(answer), reading: settings.reading, needing: .typed)
    return try TextOutput.run(pipe, output, from: inputs, notifier)
  }

  /// What the answer is printed with: the schema is read.
  private static func checked(
    _ settings: Settings, _ notifier: Notifier
  ) throws(Failure) -> AnswerFilter.Settings {
    var answer = settings.answer
    let form = answer.style.form
    if answer.style.phase == .commentary {
      // The answer is what is left out then.
      answer.kinds.remove(.commentary)
      answer.asideKinds.remove(.commentary)
    }
    let output = settings.output
    answer.style.hasFiles = output.folder != nil
    guard output.folder == nil || !form.takesBlocks || !form.parses else {
      throw .usage("-x --files writes code as it is: leave out -j and -S")
    }
    guard form.elements == nil || output.path == nil || output.keepsPartial else {
      throw .usage("--each prints before the end is known: -o needs --keep-partial")
    }
    if let path = settings.schemaPath {
      let isInPlace = path.utf8.first { !ASCII.isSpace($0) } == ASCII.openBrace
      let file = isInPlace ? FileText(path.systemBytes, name: "-S") : try FileText(reading: path)
      let schema = try JSONSchema(file)
      for what in schema.unchecked {
        notifier.report(Notice(.warning, "\(file.name): \(what) is not checked"))
      }
      answer.style.form.schema = schema
    }
    return answer
  }
}
