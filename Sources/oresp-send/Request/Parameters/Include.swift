import Core

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
