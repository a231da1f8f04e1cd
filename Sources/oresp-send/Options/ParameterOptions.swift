import Core

/// The options that set one parameter of the request each.
enum Parameter {
  /// The option that sets what `path` leads to, to a value of `kind`; `placeholder` stands for the
  /// value in the help.
  static func row(
    _ option: String, _ short: Character? = nil, _ placeholder: String = "", at path: String,
    _ kind: ArgumentKind, help: String, detail: String = ""
  ) -> Option<SendSettings> {
    if case .flag = kind.form {
      return .action(option, short, help: help, detail: detail) { settings, isOn in
        settings.request.parameters.append(BodyEdit("--" + option, path, .bool(isOn)))
      }
    }
    return .value(option, short, placeholder, kind.valueHint, help: help, detail: detail) {
      settings, text throws(Failure) in
      let (path, source) = try kind.setting(text, at: BodyPath(members: path))
      settings.request.parameters.append(BodyEdit("--" + option, path, source))
      if let hint = kind.hint(text) { settings.request.hints.append("--\(option): \(hint)") }
    }
  }

  /// The parameters that people type. The others are reached by `--set`.
  static var table: [Option<SendSettings>] {
    [
      row(
        "instructions", "s", "TEXT", at: "instructions", .line,
        help: "Set the instructions (system prompt), or @FILE.",
        detail: """
          The last line end of the file is left out. The instructions apply to this request only,
          not to those that continue it. Type `@@` for a text that begins with `@`.
          """),
      row(
        "effort", nil, "LEVEL", at: "reasoning.effort",
        .open(["none", "minimal", "low", "medium", "high", "xhigh", "max"]),
        help: "Set the reasoning effort.",
        detail: "Not every model takes every level."),
      row(
        "summary", nil, "KIND", at: "reasoning.summary", .open(["auto", "concise", "detailed"]),
        help: "Ask for a summary of the reasoning."),
      row(
        "verbosity", nil, "LEVEL", at: "text.verbosity", .open(["low", "medium", "high"]),
        help: "Set how long the answer is."),
      row(
        "max-output-tokens", nil, "N", at: "max_output_tokens", .integer,
        help: "Limit the answer, with its reasoning, to N tokens.",
        detail: "A response that reaches the limit is incomplete."),
      row(
        "max-tool-calls", nil, "N", at: "max_tool_calls", .integer,
        help: "Limit the calls of the server's tools to N in all."),
      row(
        "temperature", nil, "N", at: "temperature", .number,
        help: "Set the sampling temperature, 0 to 2.",
        detail: "The newest reasoning models refuse it."),
      row(
        "top-p", nil, "N", at: "top_p", .number,
        help: "Sample from the likeliest tokens up to N, 0 to 1."),
      row(
        "top-logprobs", nil, "N", at: "top_logprobs", .integer,
        help: "Return the N likeliest tokens at each place.",
        detail: "N is 0 to 20. They are in the answer with `--include=logprobs`."),
      row(
        "parallel-tool-calls", at: "parallel_tool_calls", .flag,
        help: "Let the model call several tools at once.",
        detail: "`--no-parallel-tool-calls` keeps it to one at a time."),
      row(
        "truncation", nil, "HOW", at: "truncation", .open(["auto", "disabled"]),
        help: "Set what is done about too long an input.",
        detail: "`auto` drops items from its middle, `disabled` fails."),
      row(
        "service-tier", nil, "TIER", at: "service_tier",
        .open(["auto", "default", "flex", "scale", "priority", "fast", "ultrafast"]),
        help: "Choose the service tier."),
      row(
        "store", at: "store", .flag, help: "Let the server keep the response.",
        detail: """
          `--no-store` asks it not to. Without either, the server decides; OpenAI's keeps it.
          """),
      row(
        "background", at: "background", .flag,
        help: "Create the response in the background.",
        detail: """
          The server continues it if the connection is lost, and a stream that was cut is resumed.
          See `oresp-endpoints(7)`.
          """),
      row(
        "conversation", nil, "ID", at: "conversation", .id(of: .conversation),
        help: "Continue the conversation ID, and add to it.",
        detail: """
          `@FILE` reads the id from `FILE`: a conversation, or a response that belongs to one.
          """),
      row(
        "safety-identifier", nil, "ID", at: "safety_identifier", .word,
        help: "Identify the end user, by a hash."),
      row(
        "prompt-cache-key", nil, "KEY", at: "prompt_cache_key", .word,
        help: "Send requests with the same KEY to the same cache."),
      row(
        "obfuscation", at: "stream_options.include_obfuscation", .flag,
        help: "Pad events against eavesdroppers.",
        detail: "`--no-obfuscation` makes a stream shorter."),
      row(
        "compact-threshold", nil, "N", at: "context_management", .compaction,
        help: "Let the server compact a context beyond N tokens."),
      row(
        "metadata", nil, "KEY=VALUE", at: "metadata", .note,
        help: "Store KEY and VALUE with the response; repeatable.",
        detail: "OpenAI takes up to 16 of them, with keys of 64 and values of 512 characters."),
      row(
        "prompt", nil, "ID[@VERSION]", at: "prompt", .template,
        help: "Use the stored prompt template ID.",
        detail: """
          The template may have a model and an input, so neither is required, and standard input is
          read only for `-`.
          """),
      row(
        "var", nil, "NAME=VALUE", at: "prompt.variables", .variable,
        help: "Set the variable NAME of the template; repeatable.",
        detail: """
          `VALUE` is a text or `@FILE`. Set an image or a file with `--set`, as in
          `--set prompt.variables.photo=@photo.json`.
          """),
    ]
  }
}

/// What the answer can have besides.
enum Include {
  /// The values that the API documents.
  static let known = [
    "file_search_call.results", "web_search_call.results", "web_search_call.action.sources",
    "message.input_image.image_url", "computer_call_output.output.image_url",
    "code_interpreter_call.outputs", "reasoning.encrypted_content",
    "message.output_text.logprobs",
  ]

  /// The values, and the parts of them that stand for one alone.
  static var names: [String] {
    let parts = known.flatMap { $0.split(separator: ".").map(String.init) }
    return parts.filter { part in parts.count { $0 == part } == 1 } + known
  }

  /// The value that `word` means: itself, or the only one that has it between its dots.
  private static func value(_ word: String, _ hints: inout [String]) throws(Failure) -> String {
    guard !word.isEmpty else { throw .usage("expected a value") }
    if known.contains(word) { return word }
    let meant = known.filter { ".\($0).".contains(".\(word).") }
    if let only = meant.first, meant.count == 1 { return only }
    hints.append("--include: " + ArgumentKind.hint(word, names))
    return word
  }

  static var option: Option<SendSettings> {
    .value(
      "include", nil, "WHAT", .oneOf(names),
      help: "Ask for more in the answer; repeatable.",
      detail: """
        `WHAT` is one of these names, or a unique part of one, such as `sources`; commas separate
        several: \(known.map { "`\($0)`" }.joined(separator: ", ")).
        """
    ) { settings, text throws(Failure) in
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        let value = try value(String(word), &settings.request.hints)
        if !settings.request.includes.contains(value) { settings.request.includes.append(value) }
      }
    }
  }
}
