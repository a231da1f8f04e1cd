import Core

/// The item of the response, or the part of an item, that a file belongs to.
struct ProducedSource: Equatable {
  /// The name of its file, without the extension.
  let stem: String
  /// Up to two names that no other source has: by the item's id, which some servers change from
  /// event to event, and by its place in the output, which some events lack.
  let keys: Set<String>

  /// The part `part` of the item `id` at `index` in the output; without an id its file is called
  /// `kind`.
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
  /// The index of its first character.
  private(set) var start = 0
  /// The media type, if a data URL names it.
  private(set) var mediaType: String?

  /// Finds the base64 in `text`, which stands between the quotes of a JSON string; `nil` when that
  /// is an address.
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
