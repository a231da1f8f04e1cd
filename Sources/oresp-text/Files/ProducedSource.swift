import Core

/// The item of the response, or the part of an item, that a file belongs to.
struct ProducedSource: Equatable {
  /// The name of its file, without the extension.
  let stem: String
  /// Its names: by the item's id, which some servers change from event to event, and others give to
  /// several items; and by its place in the output, which some events lack.
  private let byID: String?
  private let byPlace: String?

  /// The part `part` of the item `id` at `index` in the output; without an id its file is called
  /// `kind`.
  init(_ id: String, _ index: Int?, kind: String, part: String = "") {
    let name = FileFolder.name(id.utf8)
    stem = (name.isEmpty ? kind : name) + part
    byID = id.isEmpty ? nil : "\(kind) \(id)\(part)"
    byPlace = index.map { "\(kind) at \($0)\(part)" }
  }

  /// Whether neither an id nor a place names it.
  var isNameless: Bool { byID == nil && byPlace == nil }

  /// The part `part` of the item that an event is about.
  init(ofEvent line: Span<UInt8>, kind: String, part: String) {
    self.init(
      JSONChildren.text(of: "item_id", in: line),
      JSONChildren.integer(of: "output_index", in: line),
      kind: kind, part: part)
  }
}

extension ProducedSource {
  /// The sources of a response whose files were written, or tried.
  struct Known {
    private var places: Set<String> = []
    /// The contents of each id, as hashes; `nil` among them for any content.
    private var contents: [String: Set<UInt64?>] = [:]

    /// Notes `source`, whose file was made of a text with the hash `content`; with `nil`, of one
    /// that is not known.
    mutating func insert(_ source: ProducedSource, _ content: UInt64?) {
      if let place = source.byPlace { places.insert(place) }
      if let id = source.byID { contents[id, default: []].insert(content) }
    }

    /// Whether the file of `source` was written: by its place, or by its id if the content is the
    /// same, or if nothing else tells it from another item of that id.
    func contains(_ source: ProducedSource, _ content: UInt64?) -> Bool {
      if let place = source.byPlace, places.contains(place) { return true }
      guard let id = source.byID, let known = contents[id] else { return false }
      return source.byPlace == nil || content == nil || known.contains(nil)
        || known.contains(content)
    }
  }
}
