import Core

/// What has an id that a file may tell of, and where that stands in it.
struct IDKind: Sendable {
  let name: String
  /// Where it stands in an event, in a line of a log or of a batch, or in an item.
  private let places: [[StaticString]]
  /// The `object` of a document that has it, and where it stands there.
  private let document: (object: String, place: [StaticString])
  /// Whether a file may have it that has no event.
  let isInAnything: Bool

  private init(
    _ name: String, _ places: [[StaticString]], in object: String,
    at place: [StaticString] = ["id"],
    isInAnything: Bool = true
  ) {
    (self.name, self.places, self.isInAnything) = (name, places, isInAnything)
    document = (object, place)
  }

  /// Its document is what a webhook is sent.
  static let response = IDKind(
    "a response", [["response", "id"], ["response_id"], ["response", "body", "id"]],
    in: "event", at: ["data", "id"], isInAnything: false)
  static let conversation = IDKind(
    "a conversation",
    [
      ["response", "conversation", "id"], ["conversation_id"],
      ["response", "body", "conversation", "id"],
    ], in: "conversation")
  static let vectorStore = IDKind("a vector store", [["vector_store_id"]], in: "vector_store")
  static let container = IDKind(
    "a container", [["item", "container_id"], ["container_id"]], in: "container")
  static let file = IDKind("a file", [["file_id"]], in: "file")

  /// The id that `line`, a JSON object, has; of a response, one that its last items have.
  func id(in line: Span<UInt8>) -> [UInt8]? {
    if let id = id(at: places, in: line) { return id }
    if JSONChildren.text(of: "object", in: line) == document.object {
      return id(at: [document.place], in: line)
    }
    for place in JSONChildren.elements(of: "response", "output", in: line).reversed() {
      if let id = id(at: places, in: line.extracting(place)) { return id }
    }
    return nil
  }

  private func id(at places: [[StaticString]], in line: Span<UInt8>) -> [UInt8]? {
    for place in places {
      if let id = JSONChildren.string(at: place[...], in: line), !id.isEmpty { return id }
    }
    return nil
  }
}
