import Core

extension Parameter {
  /// The parameters that people type. The others are reached by `--set`.
  static let table: [Parameter] = [
    Parameter(
      "instructions", "s", "TEXT", at: "instructions", .text,
      help: "Instruct the model by TEXT, or by the text of a file (@FILE).",
      detail: """
        It counts for this request only:
        .Ql previous_response_id
        does not carry it on.
        A text that begins with
        .Ql @
        is typed with
        .Ql @@ .
        """),
    Parameter(
      "effort", nil, "LEVEL", at: "reasoning.effort",
      .open(["none", "minimal", "low", "medium", "high", "xhigh", "max"]),
      help: "Let the model reason so much.", detail: "Not every model takes every level."),
    Parameter(
      "summary", nil, "KIND", at: "reasoning.summary", .open(["auto", "concise", "detailed"]),
      help: "Have the reasoning summarized."),
    Parameter(
      "verbosity", nil, "LEVEL", at: "text.verbosity", .open(["low", "medium", "high"]),
      help: "Have the answer so long."),
    Parameter(
      "max-output-tokens", nil, "N", at: "max_output_tokens", .integer(16...JSONNumber.largest),
      help: "Generate N tokens at most, reasoning included.",
      detail: "A response that comes to the limit is incomplete."),
    Parameter(
      "max-tool-calls", nil, "N", at: "max_tool_calls", .integer(0...JSONNumber.largest),
      help: "Call hosted tools N times at most, all together."),
    Parameter(
      "temperature", nil, "N", at: "temperature", .number(0...2),
      help: "Sample with temperature N, from 0 to 2.",
      detail: "The newest reasoning models refuse it."),
    Parameter(
      "top-p", nil, "N", at: "top_p", .number(0...1),
      help: "Sample from the likeliest tokens that make up N, from 0 to 1."),
    Parameter(
      "top-logprobs", nil, "N", at: "top_logprobs", .integer(0...20),
      help: "Give the N likeliest tokens at each place, up to 20.",
      detail: """
        They are in the answer with
        .Fl -include Ns = Ns Cm logprobs .
        """),
    Parameter(
      "parallel-tool-calls", at: "parallel_tool_calls", .flag,
      help: "Let the model call several tools at once, or not."),
    Parameter(
      "truncation", nil, "HOW", at: "truncation", .open(["auto", "disabled"]),
      help: "Drop from the middle of an input that is too long (auto), or fail."),
    Parameter(
      "service-tier", nil, "TIER", at: "service_tier",
      .open(["auto", "default", "flex", "scale", "priority", "fast", "ultrafast"]),
      help: "Have the request served so."),
    Parameter(
      "store", at: "store", .flag, help: "Have the response kept by the server, or not.",
      detail: "Without either the server decides; OpenAI's keeps it."),
    Parameter(
      "conversation", nil, "ID", at: "conversation", .word(longest: nil),
      help: "Go on with conversation ID, and add to it."),
    Parameter(
      "safety-identifier", nil, "ID", at: "safety_identifier", .word(longest: 64),
      help: "Name the end user, by a hash."),
    Parameter(
      "prompt-cache-key", nil, "KEY", at: "prompt_cache_key", .word(longest: nil),
      help: "Route requests of one KEY to the same cache."),
    Parameter(
      "obfuscation", at: "stream_options.include_obfuscation", .flag,
      help: "Have events padded against eavesdroppers, or not.",
      detail: """
        Without padding a stream is shorter.
        """),
  ]
}
