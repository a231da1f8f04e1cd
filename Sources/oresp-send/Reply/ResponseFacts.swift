import Core

/// What the events of a reply tell of its response. Of several responses the last counts.
struct ResponseFacts {
  private(set) var id: String
  /// The conversation that it is in.
  private(set) var conversation = ""
  /// The number of the last event that was passed on, where the response is in the background.
  var last: Int?
  private(set) var model = ""
  private(set) var status = ""
  private(set) var serviceTier = ""
  private(set) var usage: JSONValue?

  init(id: String = "") { self.id = id }

  /// The first words of models' names that nobody gives to a model of another family.
  private static let families: Set<String> = [
    "claude", "deepseek", "gemini", "gemma", "glm", "gpt", "grok", "kimi", "llama", "mistral", "o",
    "qwen",
  ]

  /// What is to be said where a model of another family answered than the one that was `asked`:
  /// `gpt-5` for `claude-opus-5`; `nil` where that did not happen, or is not known.
  func reroute(from asked: String) -> Notice? {
    func family(_ name: String) -> String? {
      let word = name.split(separator: "/").last?.lowercased().prefix { $0.isLetter } ?? ""
      return Self.families.contains(String(word)) ? String(word) : nil
    }
    guard let own = family(asked), let other = family(model), own != other else { return nil }
    return Notice(.warning, "\(asked) was asked, and \(model) answered")
  }

  /// Reads `line`, an event on the state of a response.
  mutating func read(_ line: Span<UInt8>) {
    id = JSONChildren.text(of: "response", "id", in: line)
    conversation = JSONChildren.text(of: "response", "conversation", "id", in: line)
    model = JSONChildren.text(of: "response", "model", in: line)
    status = JSONChildren.text(of: "response", "status", in: line)
    serviceTier = JSONChildren.text(of: "response", "service_tier", in: line)
    usage = nil
    guard let value = JSONChildren.value(of: "response", "usage", in: line) else { return }
    let text = line.extracting(value)
    // Line breaks can stand between tokens only; what is no JSON is not an object here.
    guard !text.isEmpty, text[0] == ASCII.openBrace else { return }
    usage = .raw(text.withoutLineEnds)
  }
}
