import Core

/// What a file belongs to: an item of the response, or a part of one.
struct ProducedSource: Equatable {
  /// The name for its file, without an extension.
  let stem: String
  /// What tells it from others: by its item's id, which some servers change from event to event,
  /// and by its place in the output, which some events do not tell.
  let keys: Set<String>

  /// The part `part` of the item `id` at `index` in the output; `kind` is its name when it has no
  /// id.
  init(_ id: String, _ index: Int?, kind: String, part: String = "") {
    let name = FileFolder.name(id.utf8)
    stem = (name.isEmpty ? kind : name) + part
    var keys: Set<String> = []
    if !id.isEmpty { keys.insert("\(kind) \(id)\(part)") }
    if let index { keys.insert("\(kind) at \(index)\(part)") }
    self.keys = keys
  }

  /// The part `part` of the item that an event is about.
  init(ofEvent line: Span<UInt8>, kind: String, part: String) {
    self.init(
      JSONChildren.text(of: "item_id", in: line),
      JSONChildren.integer(of: "output_index", in: line),
      kind: kind, part: part)
  }
}

/// Base64 in the text of a member, alone or in a data URL.
struct ProducedText {
  /// Where it starts.
  private(set) var start = 0
  /// The media type, when it is told.
  private(set) var mediaType: String?

  /// `text` is what stands between a JSON string's quotes; `nil` when that is an address.
  init?(_ text: Span<UInt8>) {
    // Base64 has no colon; a URL has one near its start.
    guard let colon = text.extracting(first: 64).firstIndex(of: ASCII.colon) else { return }
    guard text.starts(with: "data:"), let comma = text.firstIndex(of: ASCII.comma, from: colon),
      comma < 256
    else { return nil }
    let type = JSONString.text(inside: text.extracting(colon + 1..<comma))
    guard type.hasSuffix(";base64") else { return nil }
    start = comma + 1
    mediaType = type.split(separator: ";").first.map(String.init)
  }
}
