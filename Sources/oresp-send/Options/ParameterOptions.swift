import Core

/// Options that set one parameter of the request each. A new parameter is a row of `table`.
enum Parameter {
  /// The option that sets the member at `path` to a value of `kind`. The default of `path` is the
  /// member of the option's own name; `placeholder` overrides the word of `kind` for a value.
  static func row(
    _ option: String, short: Character? = nil, _ kind: ArgumentKind, _ placeholder: String? = nil,
    at path: String? = nil, help: String, detail: String = ""
  ) -> Option<SendSettings> {
    let name = "--" + option
    let path = BodyPath(members: path ?? String(option.map { $0 == "-" ? "_" : $0 }))
    if case .flag = kind.form {
      return .action(option, short, help: help, detail: detail) { settings, isOn throws(Failure) in
        try settings.request.add(Edit(name, path, .given(.bool(isOn))))
      }
    }
    let placeholder = placeholder ?? kind.placeholder
    return .value(option, short, placeholder, kind.valueHint, help: help, detail: detail) {
      settings, text throws(Failure) in
      try settings.request.add(kind.edit(name, text, at: path))
    }.reading { text in [(try? kind.edit(name, text, at: path))?.source?.file].compactMap(\.self) }
  }

  /// The parameters that people type; `--set` reaches the others.
  static var table: [Option<SendSettings>] {
    [
      row(
        "instructions", short: "s", .line, help: "Set the instructions (system prompt), or @FILE.",
        detail: """
          The last line end of the file is left out; `-` is standard input. The instructions apply
          to this request only, not to those that continue it. Type `@@` for a text that begins with
          `@`.
          """),
      row(
        "effort", .open(["none", "minimal", "low", "medium", "high", "xhigh", "max"]), "LEVEL",
        at: "reasoning.effort", help: "Set the reasoning effort.",
        detail: "Not every model takes every level."),
      row(
        "summary", .open(["auto", "concise", "detailed"]), "KIND", at: "reasoning.summary",
        help: "Ask for a summary of the reasoning."),
      row(
        "verbosity", .open(["low", "medium", "high"]), "LEVEL", at: "text.verbosity",
        help: "Set how long the answer is."),
      row(
        "max-output-tokens", .integer, help: "Limit the answer, with its reasoning, to N tokens.",
        detail: "A response that reaches the limit is incomplete."),
      row("max-tool-calls", .integer, help: "Limit the calls of the server's tools to N in all."),
      row(
        "temperature", .number, help: "Set the sampling temperature, 0 to 2.",
        detail: "The newest reasoning models refuse it."),
      row("top-p", .number, help: "Sample from the likeliest tokens up to N, 0 to 1."),
      row(
        "top-logprobs", .integer, help: "Return the N likeliest tokens at each place.",
        detail: "N is 0 to 20. They are in the answer with `--include=logprobs`."),
      row(
        "parallel-tool-calls", .flag, help: "Let the model call several tools at once.",
        detail: "`--no-parallel-tool-calls` keeps it to one at a time."),
      row(
        "truncation", .open(["auto", "disabled"]), "HOW",
        help: "Set what is done about too long an input.",
        detail: "`auto` drops items from its middle, `disabled` fails."),
      row(
        "service-tier",
        .open(["auto", "default", "flex", "scale", "priority", "fast", "ultrafast"]), "TIER",
        help: "Choose the service tier."),
      row(
        "store", .flag, help: "Let the server keep the response.",
        detail: """
          `--no-store` asks it not to. Without either, the server decides; OpenAI's keeps it.
          """),
      row(
        "background", .flag, help: "Create the response in the background.",
        detail: """
          The server continues it if the connection is lost, and a stream that was cut is resumed.
          See `oresp-endpoints(7)`.
          """),
      row(
        "conversation", .id, help: "Continue the conversation ID, and add to it."),
      row("safety-identifier", .word, "ID", help: "Identify the end user, by a hash."),
      row(
        "prompt-cache-key", .word, "KEY",
        help: "Send requests with the same KEY to the same cache."),
      row(
        "metadata", .note, help: "Store KEY and VALUE with the response; repeatable.",
        detail: "OpenAI takes up to 16 of them, with keys of 64 and values of 512 characters."),
      row(
        "template", .template, at: "prompt", help: "Use the stored prompt template ID.",
        detail: """
          The template may have a model and an input, so neither is required, and standard input is
          read only for `-`. `--set-str prompt.variables.NAME=VALUE` sets a variable of it.
          """),
    ]
  }
}

/// Values of `include`, by which an answer has more in it.
enum Include {
  /// The values that the API documents.
  private static let known = [
    "file_search_call.results", "web_search_call.results", "web_search_call.action.sources",
    "message.input_image.image_url", "computer_call_output.output.image_url",
    "code_interpreter_call.outputs", "reasoning.encrypted_content",
    "message.output_text.logprobs",
  ]

  /// The values, and before them the parts that only one of them has.
  private static var names: [String] {
    let parts = known.flatMap { $0.split(separator: ".").map(String.init) }
    return parts.filter { part in parts.count { $0 == part } == 1 } + known
  }

  static var option: Option<SendSettings> {
    .value(
      "include", nil, "WHAT", .oneOf(names),
      help: "Ask for more in the answer; repeatable.",
      detail: """
        `WHAT` is one of these names, or a part of one between dots, if it is unique, such as
        `sources`; commas separate several: \(known.map { "`\($0)`" }.joined(separator: ", ")).
        """
    ) { settings, text throws(Failure) in
      for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
        guard !word.isEmpty else { throw .usage("expected a value") }
        let whole = known.filter { $0 == word }
        let meant = whole.isEmpty ? known.filter { ".\($0).".contains(".\(word).") } : whole
        let only = meant.count == 1 ? meant.first : nil
        try settings.request.add(Edit("--include", "include", .given([.text(only ?? word)]), .join))
      }
    }
  }
}
