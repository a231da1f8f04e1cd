/// One option of a tool: the only place that knows it. Parser, `--help`, manual and completions are
/// made from these rows.
package struct Option<Settings> {
  /// The option as texts show it.
  package fileprivate(set) var row: OptionRow
  /// Stores the option: its value, if it has one, and whether it was given as `--name` rather than
  /// `--no-name`. Checks the value; opens and connects nothing. The words of a `Failure.usage` do
  /// without the option's name, which the parser adds as it was typed.
  let apply: (inout Settings, String?, Bool) throws(Failure) -> Void

  /// An option without a value, which sets the setting at `place`; `--no-NAME` turns it off.
  package static func flag(
    _ name: String, _ short: Character?, help: String, detail: String = "",
    at place: WritableKeyPath<Settings, Bool>
  ) -> Self {
    .action(name, short, help: help, detail: detail) { settings, isOn in
      settings[keyPath: place] = isOn
    }
  }

  /// An option without a value that does more than set a Bool; `set` gets whether it was given as
  /// `--NAME` rather than `--no-NAME`.
  package static func action(
    _ name: String, _ short: Character?, help: String, detail: String = "",
    set: @escaping (inout Settings, Bool) throws(Failure) -> Void
  ) -> Self {
    let opposite = name.hasPrefix("no-") ? String(name.dropFirst(3)) : "no-" + name
    let row = OptionRow(
      name: name, short: short, help: help, detail: detail, opposite: opposite)
    return Self(row: row) { settings, _, isOn throws(Failure) in try set(&settings, isOn) }
  }

  /// An option with a value; `hint` is for completions.
  package static func value(
    _ name: String, _ short: Character?, _ placeholder: String, _ hint: ValueHint = .any,
    help: String, detail: String = "",
    set: @escaping (inout Settings, String) throws(Failure) -> Void
  ) -> Self {
    let row = OptionRow(
      name: name, short: short, help: help, detail: detail, placeholder: placeholder, hint: hint)
    return Self(row: row) { settings, value, _ throws(Failure) in try set(&settings, value ?? "") }
  }

  /// An option whose value may be left out; given as `--name=VALUE` or `-nVALUE` only.
  package static func optionalValue(
    _ name: String, short: Character? = nil, _ placeholder: String, _ hint: ValueHint = .any,
    help: String, detail: String = "",
    set: @escaping (inout Settings, String?) throws(Failure) -> Void
  ) -> Self {
    let row = OptionRow(
      name: name, short: short, help: help, detail: detail, placeholder: placeholder, hint: hint,
      isOptional: true)
    return Self(row: row) { settings, value, _ throws(Failure) in try set(&settings, value) }
  }
}

extension Option {
  /// The option, which reads the files that `files` finds in a value. Without it, the hint of the
  /// value tells them.
  package func reading(_ files: @escaping @Sendable (String) -> [String]) -> Self {
    var option = self
    option.row.read = files
    return option
  }

  /// The option, which takes one file: an operand beside it that is another is refused, unless
  /// `--` stands before it.
  package func ofOneFile() -> Self {
    var option = self
    option.row.takesOneFile = true
    return option
  }

  /// The option, which needs one of the options `names` beside it.
  package func with(_ names: String...) -> Self {
    var option = self
    option.row.needed = names
    return option
  }

  /// The option, which excludes the options `names`; `NAME=VALUE` excludes that value only.
  package func without(_ names: String...) -> Self { without(names) }

  package func without(_ names: [String]) -> Self {
    var option = self
    option.row.excluded += names
    return option
  }
}

extension Array {
  /// These options under the heading `title` in `--help` and the manual.
  package func grouped<Settings>(_ title: String) -> Self where Element == Option<Settings> {
    map { option in
      var option = option
      option.row.group = title
      return option
    }
  }
}

/// An option as help, manual and completions show it.
package struct OptionRow: Sendable {
  /// The long name, without dashes.
  package let name: String
  package let short: Character?
  /// One short sentence.
  package let help: String
  /// More sentences, for the manual and `--help=NAME`. In backquotes `-n`, `--set`, `FILE`,
  /// `ORESP_MODEL` and `sh(1)` are set by their kind, `Sx INPUT` as a section of the manual, and
  /// anything else as it is typed.
  package let detail: String
  /// The name that turns the option off, if it has no value.
  package var opposite: String?
  /// The name of the value in texts, such as `FILE`; `nil` without a value.
  package var placeholder: String?
  package var hint: ValueHint?
  /// Whether the value may be left out.
  package var isOptional = false
  /// Its heading.
  package var group = "General"

  /// The files that the row finds in a value; `nil` leaves them to `hint`.
  fileprivate(set) var read: (@Sendable (String) -> [String])?
  /// Whether an operand that is a file is refused beside it.
  fileprivate(set) var takesOneFile = false
  /// The options that this one needs, and the options that exclude it.
  fileprivate(set) var needed: [String] = []
  fileprivate(set) var excluded: [String] = []

  /// The option as messages name it.
  var typed: String { short.map { "-\($0)" } ?? "--" + name }

  /// All names that the option goes by.
  package var spellings: [String] { [name] + (opposite.map { [$0] } ?? []) }

  /// Whether `value` names a file: then its bytes need not be UTF-8.
  func takesFile(_ value: String) -> Bool { !named(in: value).isEmpty }

  /// The names of the files that are read or written for `value`.
  func named(in value: String) -> [String] {
    if case .newFile? = hint { return [value] }
    return files(in: value)
  }

  /// The names of the files that are read for `value`; `-` and its like name standard input.
  func files(in value: String) -> [String] {
    if let read { return read(value) }
    switch hint {
    case .file, .configuration: return [value]
    case .id where Descriptor.isStdin(value): return [value]
    case .id where value.utf8.first == UInt8(ascii: "@"): return [String(value.dropFirst())]
    default: return []
    }
  }
}

/// The values that an option can have, for a shell that completes them.
package enum ValueHint: Sendable {
  case any, file
  /// A file that is written.
  case newFile
  /// The id of a thing, or `@FILE` or `-` with the id in it.
  case id
  /// One of these words.
  case words(@Sendable () -> [String])
  /// A word, and perhaps words behind commas that go with it, with `=` where they need a value.
  case lists([(word: String, members: [String])])
  /// The value of an environment variable.
  case variable(String)
  /// The name of a `.json` file in a folder of the user's configuration, or a path.
  case configuration(String)

  /// One of `words`.
  package static func oneOf(_ words: @autoclosure @escaping @Sendable () -> [String]) -> Self {
    .words(words)
  }
}

/// The settings of every tool.
package protocol CommonSettings {
  var notices: NoticeSettings { get set }
}

/// The settings of a tool that reads events.
package protocol ReadingSettings: CommonSettings {
  var reading: EventReader.Settings { get set }
}

extension Option where Settings: ReadingSettings {
  package static var untilEnd: Self {
    .optionalValue(
      "until-end", "N", help: "Stop after the end of N responses (default 1).",
      detail: """
        For an input that stays open, such as a FIFO. A response that is still open then does not
        count for the exit status.
        """
    ) { settings, text throws(Failure) in
      guard let count = Int(text ?? "1"), count > 0 else {
        throw .usage("expected a whole number from 1, got \(text ?? "")")
      }
      settings.reading.responses = count
    }
  }
}

extension Option where Settings: CommonSettings {
  /// The options that every tool has.
  static var common: [Self] {
    [
      .flag(
        "quiet", "q", help: "Report errors only.",
        detail: """
          Errors are wrong options, files, requests that failed, bad ends of responses and broken
          input. Warnings and retries are not reported. A tool that prints events into a pipe leaves
          a cut and an empty input to the tool after it.
          """,
        at: \.notices.isQuiet),
      .flag(
        "verbose", "v", help: "Report what was done, too.", at: \.notices.isVerbose),
      .action(
        "sanitize", nil, help: "Show control characters in a harmless form.",
        detail: """
          By default only output to a terminal is changed; `--no-sanitize` leaves that unchanged,
          too. A control character is shown as `^[`, and a mark that changes the direction of writing,
          or shows nothing, as `<U+202E>`. Tabs and line ends stay.
          """
      ) { settings, isOn in settings.notices.sanitizes = isOn },
      .value(
        "notices", nil, "FORM", .oneOf(NoticeSettings.Form.allCases.map(\.rawValue)),
        help: "Print notices as text (default), json or none.",
        detail: """
          Notices are the messages on standard error. In JSON each is one line, an object whose
          `type` begins with `oresp.`.
          """
      ) { settings, form throws(Failure) in
        guard let form = NoticeSettings.Form(rawValue: form) else {
          throw .usage("expected text, json or none, got \(form)")
        }
        settings.notices.form = form
      },
    ]
  }
}
