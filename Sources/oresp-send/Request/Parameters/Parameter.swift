import Core

/// A parameter of the request that has an option of its own.
struct Parameter: Sendable {
  let option: String
  let short: Character?
  /// What stands for the value in the help.
  let placeholder: String
  let path: String
  let kind: ArgumentKind
  let help: String
  let detail: String

  init(
    _ option: String, _ short: Character? = nil, _ placeholder: String = "", at path: String,
    _ kind: ArgumentKind, help: String, detail: String = ""
  ) {
    (self.option, self.short, self.placeholder) = (option, short, placeholder)
    (self.path, self.kind, self.help, self.detail) = (path, kind, help, detail)
  }

  /// The row of the option table.
  var row: Option<SendTool.Settings> {
    if case .flag = kind {
      return .action(option, short, help: help, detail: detail) { settings, isOn in
        settings.request.parameters.append(BodyEdit("--" + option, path, .bool(isOn)))
      }
    }
    return .value(option, short, placeholder, kind.valueHint, help: help, detail: detail) {
      settings, text throws(Failure) in
      settings.request.parameters.append(
        try edit(text, "--" + option, &settings.request.hints))
    }
  }

  private func edit(
    _ text: String, _ name: String, _ hints: inout [String]
  ) throws(Failure) -> BodyEdit {
    var found: [String] = []
    let source = try telling(of: name) { () throws(Failure) in try kind.source(text, &found) }
    hints += found.map { "\(name): \($0)" }
    return BodyEdit(name, BodyPath(members: path), source)
  }
}
