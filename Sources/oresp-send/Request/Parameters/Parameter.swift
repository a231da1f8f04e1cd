import Core

/// The options that set one parameter of the request each.
enum Parameter {
  /// The option that sets what `path` leads to, to a value of `kind`; `placeholder` stands for the
  /// value in the help.
  static func row(
    _ option: String, _ short: Character? = nil, _ placeholder: String = "", at path: String,
    _ kind: ArgumentKind, help: String, detail: String = ""
  ) -> Option<SendTool.Settings> {
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
  static var table: [Option<SendTool.Settings>] {
    [
      row(
        "instructions", "s", "TEXT", at: "instructions", .text,
        help: "Instruct the model by TEXT, or by the text of a file (@FILE).",
        detail: """
          It counts for this request only: `previous_response_id` does not carry it on. A text that
          begins with `@` is typed with `@@`.
          """),
      row(
        "effort", nil, "LEVEL", at: "reasoning.effort",
        .open(["none", "minimal", "low", "medium", "high", "xhigh", "max"]),
        help: "Reason so much: none, minimal, low, medium, high, xhigh or max.",
        detail: "Not every model takes every level."),
      row(
        "summary", nil, "KIND", at: "reasoning.summary", .open(["auto", "concise", "detailed"]),
        help: "Have the reasoning summarized: auto, concise or detailed."),
      row(
        "verbosity", nil, "LEVEL", at: "text.verbosity", .open(["low", "medium", "high"]),
        help: "Have the answer so long: low, medium or high."),
      row(
        "max-output-tokens", nil, "N", at: "max_output_tokens", .integer(16...JSONNumber.largest),
        help: "Generate N tokens at most, reasoning included.",
        detail: "A response that comes to the limit is incomplete."),
      row(
        "max-tool-calls", nil, "N", at: "max_tool_calls", .integer(0...JSONNumber.largest),
        help: "Call hosted tools N times at most, all together."),
      row(
        "temperature", nil, "N", at: "temperature", .number(to: 2),
        help: "Sample with temperature N, from 0 to 2.",
        detail: "The newest reasoning models refuse it."),
      row(
        "top-p", nil, "N", at: "top_p", .number(to: 1),
        help: "Sample from the likeliest tokens that make up N, from 0 to 1."),
      row(
        "top-logprobs", nil, "N", at: "top_logprobs", .integer(0...20),
        help: "Give the N likeliest tokens at each place, up to 20.",
        detail: "They are in the answer with `Fl -include Ns = Ns Cm logprobs`."),
      row(
        "parallel-tool-calls", at: "parallel_tool_calls", .flag,
        help: "Let the model call several tools at once, or not."),
      row(
        "truncation", nil, "HOW", at: "truncation", .open(["auto", "disabled"]),
        help: "Drop from the middle of an input that is too long (auto), or fail."),
      row(
        "service-tier", nil, "TIER", at: "service_tier",
        .open(["auto", "default", "flex", "scale", "priority", "fast", "ultrafast"]),
        help: "Have it served so: auto, default, flex, scale, priority, fast or ultrafast."),
      row(
        "store", at: "store", .flag, help: "Have the response kept by the server, or not.",
        detail: "Without either the server decides; OpenAI's keeps it."),
      row(
        "background", at: "background", .flag,
        help: "Have the response made in the background, or not.",
        detail: """
          The server goes on with it when the connection is lost: a stream that was cut is taken up
          again. See `Sx BACKGROUND`.
          """),
      row(
        "conversation", nil, "ID", at: "conversation", .conversation,
        help: "Go on with conversation ID, and add to it.",
        detail: "`@FILE` is the one that FILE tells of: itself, or by a response in it."),
      row(
        "safety-identifier", nil, "ID", at: "safety_identifier", .word(longest: 64),
        help: "Name the end user, by a hash."),
      row(
        "prompt-cache-key", nil, "KEY", at: "prompt_cache_key", .word(),
        help: "Route requests of one KEY to the same cache."),
      row(
        "obfuscation", at: "stream_options.include_obfuscation", .flag,
        help: "Have events padded against eavesdroppers, or not.",
        detail: "Without padding a stream is shorter."),
      row(
        "compact-threshold", nil, "N", at: "context_management", .compaction,
        help: "Have the server compact a context beyond N tokens."),
      row(
        "metadata", nil, "KEY=VALUE", at: "metadata", .note,
        help: "Note KEY and VALUE on the response; repeatable.",
        detail: "A response has up to 16 of them; a key has up to 64 characters, a value up to 512."
      ),
      row(
        "prompt", nil, "ID[@VERSION]", at: "prompt", .template,
        help: "Use the stored prompt template ID.",
        detail: """
          The template may have all that is needed: no model and no `PROMPT` have to be given then,
          and standard input is read for `-` only.
          """),
      row(
        "var", nil, "NAME=VALUE", at: "prompt.variables", .variable,
        help: "Put VALUE, or the text of a file (@FILE), for NAME in the template; repeatable.",
        detail: """
          An image or a file goes by `--set`, as in
          `--set 'prompt.variables.photo={"type":"input_image","file_id":"file-1"}'`.
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
    guard meant.count < 2 else {
      throw .usage("\(word) is ambiguous: \(meant.joined(separator: ", "))")
    }
    if meant.isEmpty { hints.append("--include: " + ArgumentKind.hint(word, names)) }
    return meant.first ?? word
  }

  static var option: Option<SendTool.Settings> {
    .value(
      "include", nil, "WHAT", .oneOf(names),
      help: "Have more in the answer: WHAT, or several with commas; repeatable.",
      detail: """
        `WHAT` is a value of the API, or any part of one between its dots that no other has:
        \(known.map { "`\($0)`" }.joined(separator: ", ")).
        """
    ) { settings, text throws(Failure) in
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        let value = try value(String(word), &settings.request.hints)
        if !settings.request.includes.contains(value) { settings.request.includes.append(value) }
      }
    }
  }
}
