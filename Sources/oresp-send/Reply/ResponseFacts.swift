import Core

/// The facts on a response from the events of its reply. Of several responses the last counts.
struct ResponseFacts {
  private(set) var id: String
  /// The id of its conversation; empty when it has none.
  private(set) var conversation = ""
  /// The number of its last event, for a response in the background.
  var last: Int?
  private(set) var model = ""
  private(set) var status = ""
  private(set) var serviceTier = ""
  private(set) var usage: JSONValue?

  init(id: String = "") { self.id = id }

  /// Reads `event`, whose line is `line`, on the state of a response. A further choice of Chat
  /// Completions has no token counts; the first choice has those of all.
  mutating func read(_ event: borrowing Event, _ line: Span<UInt8>) {
    let named = event.text(of: "response", "id", in: line)
    guard !ChatTranslator.isID(Array(named.utf8), ofChoiceOf: Array(id.utf8)) else { return }
    id = named
    let owner = event.value(of: "response", "conversation", in: line) ?? 0..<0
    conversation = JSONChildren.text(of: "id", in: line.extracting(owner))
    model = event.text(of: "response", "model", in: line)
    status = event.text(of: "response", "status", in: line)
    serviceTier = event.text(of: "response", "service_tier", in: line)
    usage = nil
    guard let value = event.value(of: "response", "usage", in: line) else { return }
    let text = line.extracting(value)
    // In an object, line breaks stand between tokens only.
    guard !text.isEmpty, text[0] == ASCII.openBrace else { return }
    usage = .raw(text.withoutLineEnds)
  }
}
