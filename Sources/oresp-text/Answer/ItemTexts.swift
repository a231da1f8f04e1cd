import Core

/// One whole text of an output item.
struct WholeText {
  let name: TextName
  var text: [UInt8]
  /// What it cites; places count from its own beginning.
  var citations: [Citation] = []

  init(_ name: TextName, _ text: [UInt8]) { (self.name, self.text) = (name, text) }

  /// The text of a content part, or of a part of a summary, of an item of type `type`, whose
  /// members `value` finds in `bytes`; its citations where `readsCitations`. `nil` when it has no
  /// text of `kinds`.
  init?(
    ofItem type: String, _ kinds: TextKinds, readsCitations: Bool, in bytes: Span<UInt8>,
    _ value: (StaticString) -> Range<Int>?
  ) {
    guard let partType = value("type"),
      let row = ItemCatalogue.value(ofPart: JSONString.text(bytes.extracting(partType))),
      kinds.contains(row.name.inItem(of: type).kind), let place = row.members.first.flatMap(value),
      bytes[place.lowerBound] == ASCII.quote
    else { return nil }
    self.init(row.name.inItem(of: type), JSONString.decoded(bytes.extracting(place)))
    if name == .answer, readsCitations, let list = value("annotations") {
      citations = Citation.all(in: bytes.extracting(list))
    }
  }
}

/// Finds the texts of a whole output item, where the catalogue of items says that its type has
/// them.
struct ItemTexts {
  let type: String
  /// What the server marks a message with; empty when it does not.
  private(set) var phase = ""
  /// What a tool is called, for a heading.
  let label: String
  /// The texts, those of one name together.
  private(set) var sections: [[WholeText]] = []

  /// Reads the item at `place` in `bytes`, whose members `value` finds there, for the texts of
  /// `kinds`; its citations where `readsCitations`.
  init(
    _ type: String, kinds: TextKinds, readsCitations: Bool, at place: Range<Int>,
    in bytes: Span<UInt8>, _ value: (StaticString) -> Range<Int>?
  ) {
    self.type = type
    let row = ItemCatalogue.row(of: type)
    let isTool = row?.values.first.map { $0.part == nil } ?? true
    label = isTool && kinds.contains(.tools) ? Self.label(in: bytes, value) : ""
    guard let row else {
      guard kinds.contains(.tools) else { return }
      append(WholeText(.value, [UInt8](copying: bytes.extracting(place))))
      return
    }
    var list = ""
    for row in row.values {
      if row.part == nil {
        guard kinds.contains(.tools) else { return }
        let found = sections.count
        if let first = row.path.first, let member = value(first) {
          append(row.name, at: row.path.dropFirst(), in: bytes.extracting(member))
        }
        // A search tells its query twice: in a list, and alone as it once was.
        if row.name == .query, sections.count > found { return }
      } else if let member = row.list.first, member.description != list {
        // Parts of all types stand in one array, and keep their order.
        list = member.description
        if let start = value(member)?.lowerBound {
          appendParts(at: start, of: bytes, kinds, readsCitations)
        }
      }
    }
    if type == "message" { phase = Self.text(of: value("phase"), in: bytes) }
  }

  /// What texts an item of type `type` can have, for which later items wait: none for lists of
  /// tools, whose end servers leave out.
  static func names(in type: String) -> [TextName] {
    guard let row = ItemCatalogue.row(of: type) else { return [.value] }
    return row.quirks.contains(.mayLackEnd) ? [] : row.values.map(\.name)
  }

  private static func label(
    in bytes: Span<UInt8>, _ value: (StaticString) -> Range<Int>?
  ) -> String {
    let server = text(of: value("server_label"), in: bytes)
    let name = text(of: value("name"), in: bytes)
    return server.isEmpty || name.isEmpty ? server + name : "\(server).\(name)"
  }

  private static func text(of place: Range<Int>?, in bytes: Span<UInt8>) -> String {
    place.map { JSONString.text(bytes.extracting($0)) } ?? ""
  }

  private mutating func append(_ text: WholeText) {
    if let index = sections.firstIndex(where: { $0[0].name == text.name }) {
      sections[index].append(text)
    } else {
      sections.append([text])
    }
  }

  /// Appends the texts of the parts in the array that starts at `start`.
  private mutating func appendParts(
    at start: Int, of item: Span<UInt8>, _ kinds: TextKinds, _ readsCitations: Bool
  ) {
    var parts = JSONChildren(at: start)
    while let place = parts.next(in: item)?.value {
      let part = item.extracting(place)
      let members = Event(of: part)
      let text = WholeText(ofItem: type, kinds, readsCitations: readsCitations, in: part) {
        members.value(of: $0, in: part)
      }
      if let text { append(text) }
    }
  }

  /// Appends what `path` leads to; `[]` in it stands for each element of an array. What is no
  /// string is given as JSON.
  private mutating func append(
    _ name: TextName, at path: ArraySlice<StaticString>, in value: Span<UInt8>
  ) {
    // As deep as the longest path of the table.
    guard let step = path.first else {
      if value.count > 0, value[0] == ASCII.quote {
        append(WholeText(name, JSONString.decoded(value)))
      } else if !value.equals("null") {
        append(WholeText(name, [UInt8](copying: value)))
      }
      return
    }
    let isEach = step.description == "[]"
    guard value.count > 0, value[0] == (isEach ? ASCII.openBracket : ASCII.openBrace) else {
      return
    }
    var children = JSONChildren()
    while let child = children.next(in: value) {
      guard isEach || JSONChildren.isName(value.extracting(child.name), step) else { continue }
      append(name, at: path.dropFirst(), in: value.extracting(child.value))
      if !isEach { return }
    }
  }
}
