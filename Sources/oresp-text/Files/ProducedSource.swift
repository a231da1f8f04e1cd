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
