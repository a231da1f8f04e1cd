import Core

extension SendSettings {
  /// The presets, and the options that set any member of the request.
  static var setOptions: [Option<Self>] {
    [
      .value(
        "preset", "P", "NAME", .configuration("oresp/presets"),
        help: "Start from the preset NAME, or a file; repeatable.",
        detail: """
          A `NAME` with a slash or `.json` in it is a file. `-P help` lists the presets. Without this
          option, `ORESP_PRESET` names the preset of any new request: see `Sx ENVIRONMENT`. See `Sx
          Presets`.
          """
      ) { settings, name throws(Failure) in
        if name == "help" {
          settings.list = .presets
          return
        }
        guard !name.isEmpty else { throw .usage("expected a name") }
        try settings.request.add(
          Edit("--preset", BodyPath([]), .preset(name), .merge, rank: .preset))
      },
      .value(
        "set", nil, "PATH=JSON", help: "Set the member at PATH to JSON; repeatable.",
        detail: "`JSON` is a JSON value, or `@FILE` for one in a file. See `Sx Paths`."
      ) { settings, text throws(Failure) in
        try settings.request.edit("--set", text, "JSON") { value, path throws(Failure) in
          do throws(Failure) {
            return try .json(value)
          } catch {
            guard !value.hasPrefix("@") else { throw error }
            throw .usage("\(error.message ?? ""); --set-str \(path.text)=TEXT sets a text")
          }
        }
      }.reading(Self.files),
      .value(
        "set-str", nil, "PATH=TEXT", help: "Set the member at PATH to a text; repeatable.",
        detail: """
          `TEXT` is the text itself, or `@FILE` for the text of a file. Type `@@` for a text that
          begins with `@`.
          """
      ) { settings, text throws(Failure) in
        try settings.request.edit("--set-str", text, "TEXT") { value, _ throws(Failure) in
          try .text(value)
        }
      }.reading(Self.files),
      .value(
        "unset", nil, "PATH", help: "Remove the member at PATH; repeatable.",
        detail: """
          A missing member is no error. `--unset`, `--set` and `--set-str` are applied last, in the
          order given.
          """
      ) { settings, text throws(Failure) in try settings.request.unset(text) },
    ]
  }

  /// The file that `PATH=VALUE` names.
  @Sendable private static func files(in text: String) -> [String] {
    let value = (try? BodyPathParser.split(text))?.value
    return [value.flatMap { try? Source.text($0) }?.file].compactMap(\.self)
  }
}

extension RequestSettings {
  fileprivate mutating func edit(
    _ option: String, _ text: String, _ placeholder: String,
    _ read: (String, BodyPath) throws(Failure) -> Source
  ) throws(Failure) {
    let (path, value) = try BodyPathParser.split(text)
    guard let value else { throw .usage("\(text): expected PATH=\(placeholder)") }
    try within(path.text, add(Edit(option, path, read(value, path), rank: .last)))
  }

  fileprivate mutating func unset(_ text: String) throws(Failure) {
    let (path, value) = try BodyPathParser.split(text)
    guard value == nil else { throw .usage("\(text): expected PATH without =") }
    if path.steps.contains(where: { if case .append = $0 { true } else { false } }) {
      throw .usage("\(path.text): [+] is for --set")
    }
    try add(Edit("--unset", path, nil, rank: .last))
  }
}
