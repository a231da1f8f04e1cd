import Core

extension SendTool {
  /// The options that set a parameter of the request.
  static var parameterOptions: [Option<Settings>] {
    Parameter.table.map(\.row) + [compactThreshold, include, metadata, prompt, variable]
  }

  private static var compactThreshold: Option<Settings> {
    .value(
      "compact-threshold", nil, "N", help: "Have the server compact a context beyond N tokens."
    ) { settings, text throws(Failure) in
      let number = try telling(of: "--compact-threshold") { () throws(Failure) in
        try ArgumentKind.integer(text, 1000...JSONNumber.largest)
      }
      let compaction = JSONValue.object([
        ("type", .text("compaction")), ("compact_threshold", number),
      ])
      settings.request.parameters.append(
        BodyEdit("--compact-threshold", "context_management", .array([compaction])))
    }
  }

  private static var include: Option<Settings> {
    .value(
      "include", nil, "WHAT", .oneOf(Include.names),
      help: "Have more in the answer: WHAT, or several with commas; repeatable.",
      detail: """
        .Ar WHAT
        is a value of the API, or any part of one between its dots that no other has:
        \(Include.known.map { ".Ql \($0)" }.joined(separator: " ,\n")) .
        """
    ) { settings, text throws(Failure) in
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        let value = try Include.value(String(word), &settings.request.hints)
        if !settings.request.includes.contains(value) { settings.request.includes.append(value) }
      }
    }
  }

  private static var metadata: Option<Settings> {
    .value(
      "metadata", nil, "KEY=VALUE", help: "Note KEY and VALUE on the response; repeatable.",
      detail: "A response has up to 16 of them; a key has up to 64 characters, a value up to 512."
    ) { settings, text throws(Failure) in
      let (key, value) = try pair(text, "--metadata", "KEY=VALUE")
      let source = try telling(of: "--metadata") { () throws(Failure) in
        _ = try ArgumentKind.word(key, Metadata.longestKey)
        guard value.unicodeScalars.count <= Metadata.longestValue else {
          throw .usage("\(key): expected a value of \(Metadata.longestValue) characters at most")
        }
        return ValueSource.given(.text(value))
      }
      let path = BodyPath([.member("metadata"), .member(key)])
      settings.request.parameters.append(BodyEdit("--metadata", path, source))
    }
  }

  private static var prompt: Option<Settings> {
    .value(
      "prompt", nil, "ID[@VERSION]", help: "Use the stored prompt template ID.",
      detail: """
        The template may have all that is needed: no model and no
        .Ar PROMPT
        have to be given then, and standard input is read for
        .Ql -
        only.
        """
    ) { settings, text throws(Failure) in
      let (id, version) = Typed.parts(of: text, at: "@")
      guard !id.isEmpty, version != "" else {
        throw .usage("--prompt: expected ID or ID@VERSION, got \(text)")
      }
      var template: [(name: String, value: JSONValue)] = [("id", .text(id))]
      if let version { template.append(("version", .text(version))) }
      // Before all, for `--var` adds to it wherever it stands.
      settings.request.parameters.removeAll { $0.option == "--prompt" }
      settings.request.parameters.insert(
        BodyEdit("--prompt", "prompt", .object(template)), at: 0)
    }
  }

  private static var variable: Option<Settings> {
    .value(
      "var", nil, "NAME=VALUE",
      help: "Put VALUE, or the text of a file (@FILE), for NAME in the template; repeatable.",
      detail: """
        An image or a file goes by
        .Fl -set ,
        as in
        .Ql \\-\\-set 'prompt.variables.photo={"type":"input_image","file_id":"file-1"}' .
        """
    ) { settings, text throws(Failure) in
      let (name, value) = try pair(text, "--var", "NAME=VALUE")
      let source = try telling(of: "--var: \(name)") { () throws(Failure) in
        try ValueSource.text(value)
      }
      let path = BodyPath([.member("prompt"), .member("variables"), .member(name)])
      settings.request.parameters.append(BodyEdit("--var", path, source))
    }
  }

  private static func pair(
    _ text: String, _ option: String, _ form: String
  ) throws(Failure) -> (name: String, value: String) {
    let (name, value) = Typed.parts(of: text, at: "=")
    guard let value, !name.isEmpty else {
      throw .usage("\(option): expected \(form), got \(text)")
    }
    return (name, value)
  }
}

/// The limits of the API for notes on a response.
enum Metadata {
  static let mostPairs = 16
  static let longestKey = 64
  static let longestValue = 512
}
