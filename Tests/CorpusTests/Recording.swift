import Foundation
import ProcessSupport

/// A file of the corpus, and what the tools must make of it, found without them.
struct Recording {
  let path: String
  let bytes: [UInt8]

  init(_ path: String) throws {
    self.path = path
    bytes = Array(try Data(contentsOf: Corpus.url(path)))
  }

  var file: String { Corpus.url(path).path }

  /// The status that every tool exits with.
  static func status(of path: String) -> Int32 {
    let special: [(start: String, status: Int32)] = [
      ("streams/openai-error-then-failed", 4), ("streams/openai-incomplete-", 6),
      ("streams/openai-refusal", 7), ("api/guide-error", 5),
      ("streams/peers/litellm-bridge-limit", 6), ("streams/peers/litellm-errors", 5),
      ("streams/peers/llmock-malformed", 3), ("streams/peers/llmock-truncate", 5),
    ]
    if path.hasSuffix(".error.json") { return 4 }
    return special.first { path.hasPrefix($0.start) }?.status ?? 0
  }

  /// The events as they stand in the file, one a line: what is behind `data: `, or the lines.
  var events: [String] {
    let lines = Finished.lines(String(decoding: bytes, as: UTF8.self))
    guard path.hasSuffix(".sse") else { return lines }
    return lines.filter { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) }
      .filter { $0 != "[DONE]" }
  }

  /// What `oresp-text` prints.
  var text: String { text(isPrinted: { $0 != "commentary" }) }

  /// The same, with commentary as a part of the answer.
  var textOfAllPhases: String { text(isPrinted: { _ in true }) }

  private func text(isPrinted: (String) -> Bool) -> String {
    if let known = Self.textByHand[path] { return known }
    if path.hasSuffix(".response.json") {
      return Self.text(of: Self.object(String(decoding: bytes, as: UTF8.self)), isPrinted)
    }
    let ends = ["response.completed", "response.incomplete", "response.failed", "response.done"]
    return events.map(Self.object).filter { ends.contains($0["type"] as? String ?? "") }
      .map { Self.text(of: $0["response"] as? [String: Any] ?? [:], isPrinted) }.joined()
  }

  /// Where the final object does not have the text.
  private static let textByHand = [
    "api/guide.sse": "This is the first chunk and this the second.\n",
    "api/guide-error.sse": "Half an ans\n",
    // It has the first piece alone.
    "streams/peers/ors-limit.sse": "Hello, world! The price is €5. Face:\n",
  ]

  private static func text(
    of response: [String: Any], _ isPrinted: (String) -> Bool
  ) -> String {
    let items = response["output"] as? [[String: Any]] ?? []
    let messages = items.filter {
      $0["type"] as? String == "message" && isPrinted($0["phase"] as? String ?? "")
    }
    return messages.map { item in
      let parts = item["content"] as? [[String: Any]] ?? []
      let text = parts.filter { $0["type"] as? String == "output_text" }
        .map { $0["text"] as? String ?? "" }.joined()
      return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    }.joined()
  }

  private static func object(_ text: String) -> [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
  }
}
