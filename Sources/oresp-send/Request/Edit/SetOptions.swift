import Core

extension SendTool {
  /// The options that reach every member of the request.
  static var setOptions: [Option<Settings>] {
    [
      .value(
        "set", nil, "PATH=JSON", help: "Set what PATH leads to; repeatable.",
        detail: """
          .Ar JSON
          is a JSON value, or
          .Pf @ Ar FILE
          for one that a file has.
          See
          .Sx Paths .
          """
      ) { settings, text throws(Failure) in
        try settings.request.edit("--set", text, "JSON", ValueSource.json)
      },
      .value(
        "set-str", nil, "PATH=TEXT", help: "Set what PATH leads to, to a text; repeatable.",
        detail: """
          .Ar TEXT
          is taken as it is, or is
          .Pf @ Ar FILE
          for the text of a file; one that begins with
          .Ql @
          is typed with
          .Ql @@ .
          """
      ) { settings, text throws(Failure) in
        try settings.request.edit("--set-str", text, "TEXT", ValueSource.text)
      },
      .value(
        "unset", nil, "PATH", help: "Take away what PATH leads to, if it is there; repeatable.",
        detail: """
          It,
          .Fl -set
          and
          .Fl -set-str
          are carried out last, in the order in which they stand.
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
    let source = try telling(of: path.text) { () throws(Failure) in
      let source: ValueSource
      do throws(Failure) {
        source = try read(value)
      } catch {
        guard placeholder == "JSON", case .usage(let why) = error else { throw error }
        throw .usage("\(why); for a text there is --set-str")
      }
      return try Self.guarded(source, path)
    }
    edits.append(BodyEdit(option, path, source))
  }

  /// `source`, which must keep a secret out of the command line when `path` leads to one.
  private static func guarded(
    _ source: ValueSource, _ path: BodyPath
  ) throws(Failure) -> ValueSource {
    guard case .member("authorization")? = path.steps.last else { return source }
    switch source {
    case .file(let path, let isJSON, _) where !isJSON: return .file(path, isSecret: true)
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
