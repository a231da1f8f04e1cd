import Core

extension SendSettings {
  /// The options that set any member of the request.
  static var setOptions: [Option<Self>] {
    [
      .value(
        "set", nil, "PATH=JSON", help: "Set the member at PATH to JSON; repeatable.",
        detail: "`JSON` is a JSON value, or `@FILE` for one in a file. See `Sx Paths`."
      ) { settings, text throws(Failure) in
        try settings.request.edit("--set", text, "JSON") { value throws(Failure) in
          do throws(Failure) {
            return try ValueSource.json(value)
          } catch {
            throw .usage("\(error.message ?? ""); for a text there is --set-str")
          }
        }
      },
      .value(
        "set-str", nil, "PATH=TEXT", help: "Set the member at PATH to a text; repeatable.",
        detail: """
          `TEXT` is the text itself, or `@FILE` for the text of a file. Type `@@` for a text that
          begins with `@`.
          """
      ) { settings, text throws(Failure) in
        try settings.request.edit("--set-str", text, "TEXT", ValueSource.text)
      },
      .value(
        "unset", nil, "PATH", help: "Remove the member at PATH; repeatable.",
        detail: """
          A missing member is no error. `--unset`, `--set` and `--set-str` are applied last, in the
          order given.
          """
      ) { settings, text throws(Failure) in try settings.request.unset(text) },
    ]
  }
}

extension RequestSettings {
  fileprivate mutating func edit(
    _ option: String, _ text: String, _ placeholder: String,
    _ read: (String) throws(Failure) -> ValueSource
  ) throws(Failure) {
    let (path, value) = try BodyPathParser.split(text)
    guard let value else { throw .usage("\(text): expected PATH=\(placeholder)") }
    let source = try within(path.text, Self.guarded(read(value), path))
    edits.append(BodyEdit(option, path, source))
  }

  /// Returns `source`, or refuses it if `path` leads to a secret and the value is on the command
  /// line. The last newlines of a secret's file do not count.
  private static func guarded(
    _ source: ValueSource, _ path: BodyPath
  ) throws(Failure) -> ValueSource {
    guard case .member("authorization")? = path.steps.last else { return source }
    switch source {
    case .file(let path, let isJSON, _, _) where !isJSON: return .file(path, isSecret: true)
    case .given(let value) where value.isNull: return source
    default: throw .usage("a secret is not for the command line: --set-str PATH=@FILE")
    }
  }

  fileprivate mutating func unset(_ text: String) throws(Failure) {
    let (path, value) = try BodyPathParser.split(text)
    guard value == nil else { throw .usage("\(text): expected PATH without =") }
    if path.steps.contains(where: { if case .append = $0 { true } else { false } }) {
      throw .usage("\(path.text): [+] is for --set")
    }
    edits.append(BodyEdit("--unset", path, nil))
  }
}
