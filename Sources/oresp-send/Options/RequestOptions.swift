import Core

extension SendSettings {
  static var requestOptions: [Option<Self>] {
    [
      .value(
        "model", "m", "MODEL", .variable("ORESP_MODEL"),
        help: "Choose the model (default: ORESP_MODEL).",
        detail: "`ORESP_MODEL` is used if neither the option nor the body names a model."
      ) { settings, model throws(Failure) in
        guard !model.isEmpty else { throw .usage("expected a name") }
        try settings.request.add(Edit("-m", "model", .given(.text(model))))
      },
      .flag(
        "dry-run", "n", help: "Print the request body; send nothing.",
        detail: """
          The body is one line, which `-b` sends byte for byte. `[key]` stands for each secret that a
          tool has from a file or the environment. With `-F`, the fields are printed as JSON, one a
          line. With `-v` the method, the URL and the headers are reported, too, with `[key]` for
          secrets.
          """, at: \.isDryRun),
      .value(
        "body", "b", "FILE", .file, help: "Start from the request body in FILE (-: stdin).",
        detail: """
          A JSON object; an argument that begins with `{` is the object itself. Its members keep
          their order and spelling; the other options and the prompt override them.
          """
      ) { settings, argument throws(Failure) in
        let source = try Source.fileOrJSON(argument) { file throws(Failure) in
          try RequestBody(file).root
        }
        try settings.request.replace(by: Edit("-b", BodyPath([]), source, .merge, rank: .body))
      },
      .action(
        "stream", nil, help: "Ask for a stream of events (default).",
        detail: """
          `--no-stream` asks for one JSON document. Without either, `stream` in the body decides.
          """
      ) { settings, isOn throws(Failure) in
        try settings.request.add(Edit("--stream", "stream", .given(.bool(isOn))))
      },
      .value(
        "api", nil, "API", .oneOf(API.allCases.map(\.rawValue)),
        help: "Choose the API: responses (default) or chat.",
        detail: """
          With `chat` the same options make a Chat Completions request, for a server that has no
          other API; the filters read its answer, too. See `oresp-providers(7)`.
          """
      ) { settings, name throws(Failure) in
        guard let api = API(rawValue: name) else {
          throw .usage("expected responses or chat, got \(name)")
        }
        settings.request.api = api
      },
    ]
  }
}
