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
  static func value(_ word: String, _ hints: inout [String]) throws(Failure) -> String {
    guard !word.isEmpty else { throw .usage("--include: expected a value") }
    if known.contains(word) { return word }
    let meant = known.filter { ".\($0).".contains(".\(word).") }
    if meant.count > 1 {
      throw .usage("--include: \(word) is ambiguous: \(meant.joined(separator: ", "))")
    }
    if let only = meant.first { return only }
    let near = nearest(word, among: names).map { "; did you mean \($0)?" } ?? ""
    hints.append("--include: \(word) is not documented, and passed on as it is\(near)")
    return word
  }
}
