import Core

/// A kind of thing with an id, and where files have that id.
struct IDKind: Sendable {
  /// The thing in messages, such as `a response`.
  let name: String
  /// Paths of the id in an event, a line of a log or a batch, or an item.
  private let places: [[StaticString]]
  /// The `object` of the thing's own document, and the path of the id in it.
  private let document: (object: String, place: [StaticString])
  /// Whether a file without events may have the id.
  let isInAnything: Bool

  private init(
    _ name: String, _ places: [[StaticString]], in object: String,
    at place: [StaticString] = ["id"], isInAnything: Bool = true
  ) {
    self.name = name
    self.places = places
    self.isInAnything = isInAnything
    document = (object, place)
  }

  /// Its document is the payload of a webhook.
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

  /// The id in the JSON object `line`, or else in the last output item of the response in it.
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

/// The ids in files.
extension IDKind {
  /// The ids of the kind in `file`, in their order.
  func ids(in file: FileText) throws(Failure) -> [String] {
    var ids: [String] = []
    try each(in: file) { _, _, id in
      if let id { ids = ids.filter { $0 != id } + [id] }
    }
    return ids
  }

  /// Hands each event in `file`, or each line of a log or of a batch, to `handle`, with its id.
  /// Throws if none has an id. Returns whether the last event ends its response.
  @discardableResult
  func each(
    in file: FileText, isEnd: Bool = true,
    _ handle: (borrowing Event, Span<UInt8>, String?) -> Void
  ) throws(Failure) -> Bool {
    var hasAny = false
    let read = EventFeed.all(
      in: file.bytes, acceptsAnything: isInAnything, sorting: .handlingAll, isEnd: isEnd
    ) { event, line in
      let id = id(in: line).map { String(decoding: $0, as: UTF8.self) }
      hasAny = hasAny || id != nil
      handle(event, line, id)
    }
    guard !hasAny else { return read.isAtEnd }
    let fault = read.fault.map { fault in
      (fault.place.map { ": line \($0.line): " } ?? ": ") + fault.message
    }
    throw file.fault("no id of \(name) in it" + (fault ?? ""))
  }
}
