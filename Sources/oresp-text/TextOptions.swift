import Core

extension TextTool {
  static var options: [Option<Settings>] {
    outputOptions.grouped("Output files") + citationOptions.grouped("Sources")
      + scriptOptions.grouped("For scripts") + lineOptions.grouped("Which text")
      + kindOptions.grouped("Other kinds of text")
  }

  private static var lineOptions: [Option<Settings>] {
    [
      .action("no-newline", "n", help: "Do not add a newline to the last text.") {
        settings, isOn in settings.answer.style.ending = isOn ? .bare : .newline
      },
      .action(
        "null", "0", help: "End each text with a NUL in place of a newline.",
        detail: """
          Everything between two NULs is then one text, with its heading and list.
          A NUL inside a text is printed as U+FFFD.
          """
      ) { settings, isOn in settings.answer.style.ending = isOn ? .nul : .newline },
      .value(
        "message", nil, "WHICH", .oneOf(["all", "last", "none"]),
        help: "Print all messages (default), last, none, or N.",
        detail: """
          The default is `all`.
          Messages that have text are counted from 1 over all of the input.
          The last message is known, and printed, only at the end.
          """
      ) { settings, which throws(Failure) in
        let words: [String: TextStyle.Messages] = ["all": .all, "last": .last, "none": .none]
        let number = Int(which).flatMap { $0 > 0 ? TextStyle.Messages.number($0) : nil }
        guard let messages = words[which] ?? number else {
          throw .usage("expected a number from 1, last, all or none, got \(which)")
        }
        settings.answer.style.messages = messages
      },
      .flag(
        "label", nil, help: "Print a line with its name above each answer.",
        detail: """
          The line is `== NAME ==`, with the tag of the response, or else the name of its file if
          there are several, or else its number. Every answer that ended badly is reported then,
          not ten of a kind.
          """, at: \.answer.style.hasLabels),
      .untilEnd,
    ]
  }

  private static var citationOptions: [Option<Settings>] {
    let styles = CitationStyle.allCases.map(\.rawValue)
    return [
      .value(
        "citations", "c", "STYLE", .oneOf(styles),
        help: "Mark and list citations (default none).",
        detail: """
          `STYLE` is `none`, the default; `footnotes`, a list of numbers, titles and URLs or
          files; `markdown`, a list of link reference definitions, which turns the marks into
          links; `json`, a JSON object a line; or `only`, footnotes without the text. `-c help` lists
          them. See `Sx CITATIONS`.
          """
      ) { settings, name throws(Failure) in
        settings.listsStyles = name == "help"
        if settings.listsStyles { return }
        guard let style = CitationStyle(rawValue: name) else {
          throw .usage("expected one of \(styles.joined(separator: ", ")), got \(name)")
        }
        settings.answer.style.citations = style
      },
      .flag(
        "sources", nil, help: "List the sources that searches consulted, too.",
        detail: "Sources that are already listed as cited are left out.",
        at: \.answer.style.listsSources),
    ]
  }

  private static var kindOptions: [Option<Settings>] {
    [
      kind("reasoning", .reasoning, help: "Print the reasoning and its summaries, too."),
      kind("refusal", .refusal, help: "Print a refusal as text, too."),
      kind("tools", .tools, help: "Print the input and output of tools, too."),
      kind("transcript", .transcript, help: "Print the transcript of a spoken answer, too."),
      kind("commentary", .commentary, help: "Print messages marked as commentary, too."),
      kind("all", .all, help: "Print all of these kinds, too."),
    ]
  }

  /// An option that prints further kinds of text.
  private static func kind(_ name: String, _ kinds: TextKinds, help: String) -> Option<Settings> {
    .optionalValue(
      name, "WHERE", .oneOf(["stdout", "stderr"]), help: help,
      detail: "`WHERE` is stdout (the default) or stderr; see `Sx HEADINGS`."
    ) { settings, place throws(Failure) in
      settings.answer.kinds.subtract(kinds.subtracting(.answer))
      settings.answer.asideKinds.subtract(kinds)
      switch place ?? "stdout" {
      case "stdout": settings.answer.kinds.formUnion(kinds)
      case "stderr": settings.answer.asideKinds.formUnion(kinds.subtracting(.answer))
      default: throw .usage("expected stdout or stderr, got \(place ?? "")")
      }
    }
  }

  /// The options that list sources, which options that print a part of the text exclude.
  private static let citing =
    ["sources"] + CitationStyle.allCases.filter { $0 != .none }.map { "citations=\($0.rawValue)" }

  /// The options that print a part of the text, or JSON.
  private static var scriptOptions: [Option<Settings>] {
    [
      .optionalValue(
        "extract", short: "x", "LANG",
        help: "Print only fenced code blocks, of LANG or of any.",
        detail: """
          `LANG` is compared with the first word after the fence; case is ignored.
          Blocks follow each other directly; `-0` ends each with a NUL.
          With `--files`, each block becomes a file.
          If there is no such block, the exit status is 1.
          See `Sx CODE BLOCKS`.
          """
      ) { settings, language in
        settings.answer.style.form.takesBlocks = true
        // People write `-x=LANG` as they write `--extract=LANG`; no language begins with `=`.
        settings.answer.style.form.language = language.map {
          $0.hasPrefix("=") ? String($0.dropFirst()) : $0
        }
      }.without(citing),
      .flag(
        "json", "j", help: "Print each message as one line of JSON.",
        detail: """
          With `-x`, each block.
          Text that is not JSON is not printed, and the exit status is 1.
          """, at: \.answer.style.form.parses
      ).without(citing),
      .optionalValue(
        "each", "POINTER",
        help: "Print each element of a JSON array as it comes.",
        detail: """
          Each is one line, printed when it is complete, while the rest is still being written.
          `POINTER` is a JSON Pointer (RFC 6901) to the array in the answer, such as `/items`.
          Without it, the array is the answer itself, or its first member that is an array; a second
          such member is reported, and the exit status is 1.
          With `-S`, an element that does not meet the schema for the elements is reported and not
          printed, and the exit status is 1; if there are alternatives, it must meet one of them.
          If the answer is not JSON or has no such array, the exit status is 1.
          `-o` then needs `--keep-partial`, as elements are printed before the end is known.
          """
      ) { settings, text throws(Failure) in
        settings.answer.style.form.parses = true
        settings.answer.style.form.elements = .ofFirst
        guard let text else { return }
        guard let pointer = JSONPointer(text) else {
          throw .usage("expected a JSON Pointer, such as /items, got \(text)")
        }
        settings.answer.style.form.elements = .at(pointer)
      }.without(["extract", "label"] + citing),
      .value(
        "schema", "S", "FILE", .file,
        help: "Print only JSON that meets the schema in FILE.",
        detail: """
          `FILE` holds a JSON Schema; an argument that begins with `{` is the schema itself. Each
          message is one line, as with `-j`.
          If the JSON does not meet it, a notice names the place as a JSON Pointer, and the exit
          status is 1.
          `Sx SCHEMAS` lists the keywords that are checked; others are reported once.
          """
      ) { settings, path in
        settings.schemaPath = path
        settings.answer.style.form.parses = true
      }.without(citing),
    ]
  }

  private static var outputOptions: [Option<Settings>] {
    [
      .value(
        "output", "o", "FILE", .newFile,
        help: "Write to FILE, and only if the response completed.",
        detail: """
          The text is written beside `FILE` and renamed when the exit status is 0.
          Otherwise an existing `FILE` stays as it was.
          It also stays if the answer has no text, such as a call: then the status is 1.
          """
      ) { settings, path in settings.outputPath = path },
      .flag(
        "keep-partial", nil, help: "With -o, replace FILE whatever the exit status is.",
        at: \.keepsPartial
      ).with("output"),
      .value(
        "files", nil, "DIR", .file,
        help: "Save images and audio in DIR; print their paths.",
        detail: """
          With `-x`, code blocks are saved, too.
          See `Sx WRITTEN FILES`.
          """
      ) { settings, path in settings.folder = path },
      .flag(
        "force", nil, help: "With --files, replace files that exist.", at: \.replacesFiles
      ).with("files"),
    ]
  }
}
