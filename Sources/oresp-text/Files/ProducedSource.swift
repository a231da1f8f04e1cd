import Core

/// What a file belongs to: an item of the response, or a part of one.
struct ProducedSource: Equatable {
  /// The name for its file, without an extension.
  let stem: String
  /// What tells it from others: by its item's id, which some servers change from event to event, and
  /// by its place in the output, which some events do not tell.
  let keys: Set<String>

  /// The part `part` of the item `id` at `index` in the output; `kind` is its name when it has no
  /// id.
  init(_ id: String, _ index: Int?, kind: String, part: String = "") {
    let name = FileName.safe([UInt8](id.utf8))
    stem = (name.isEmpty ? kind : name) + part
    var keys: Set<String> = []
    if !id.isEmpty { keys.insert("\(kind) \(id)\(part)") }
    if let index { keys.insert("\(kind) at \(index)\(part)") }
    self.keys = keys
  }
}

/// What the text of a member holds: base64, alone or in a data URL, or an address.
enum ProducedText {
  /// Base64 from an index on, and the media type, when it is told.
  case base64(Int, mediaType: String?)
  case address

  /// `text` is what stands between a JSON string's quotes.
  init(_ text: Span<UInt8>) {
    // Base64 has no colon; a URL has one near its start.
    let head = text.extracting(first: 64)
    guard let colon = head.firstIndex(of: ASCII.colon) else {
      self = .base64(0, mediaType: nil)
      return
    }
    guard text.starts(with: "data:"), let comma = text.firstIndex(of: ASCII.comma, from: colon),
      comma < 256
    else {
      self = .address
      return
    }
    let type = JSONString.text(inside: text.extracting(colon + 1..<comma))
    guard type.hasSuffix(";base64") else {
      self = .address
      return
    }
    self = .base64(comma + 1, mediaType: type.split(separator: ";").first.map(String.init))
  }
}
