import Core

/// One whole text of an output item.
struct WholeText {
  let name: TextName
  var text: [UInt8]
  /// What it cites; places count from its own beginning.
  var citations: [Citation] = []

  init(_ name: TextName, _ text: [UInt8]) { (self.name, self.text) = (name, text) }

  /// The text of `part`, a content part or a part of a summary of an item of type `type`; its
  /// citations where `readsCitations`. `nil` when it has no text of `kinds`.
  init?(
    part: Span<UInt8>, ofItem type: String, _ kinds: TextKinds, readsCitations: Bool
  ) {
    guard let value = ItemCatalogue.value(ofPart: JSONChildren.text(of: "type", in: part)),
      kinds.contains(value.name.inItem(of: type).kind),
      let place = JSONChildren.value(at: value.members, in: part),
      part[place.lowerBound] == ASCII.quote
    else { return nil }
    self.init(value.name.inItem(of: type), JSONString.decoded(part.extracting(place)))
    if name == .answer, readsCitations, let list = JSONChildren.value(of: "annotations", in: part) {
      citations = Citation.all(in: part.extracting(list))
    }
  }
}

/// Finds the texts of a whole output item, where the catalogue of items says that its type has them.
struct ItemTexts {
  let identity: ItemIdentity
  /// What the server marks a message with; empty when it does not.
  private(set) var phase = ""
  /// What a tool is called, for a heading.
  let label: String
  /// The texts, those of one name together.
  private(set) var sections: [[WholeText]] = []

  /// Reads `item`, a JSON object, for the texts of `kinds`; its citations where `readsCitations`.
  init(
    _ item: Span<UInt8>, _ identity: ItemIdentity, kinds: TextKinds,
    readsCitations: Bool
  ) {
    self.identity = identity
    let row = ItemCatalogue.row(of: identity.type)
    let isTool = row?.values.first.map { $0.part == nil } ?? true
    label = isTool && kinds.contains(.tools) ? Self.label(of: item) : ""
    guard let row else {
      if kinds.contains(.tools) { append(WholeText(.value, [UInt8](copying: item))) }
      return
    }
    var list = ""
    for value in row.values {
      if value.part == nil {
        guard kinds.contains(.tools) else { return }
        let found = sections.count
        append(value.name, at: value.path[...], in: item)
        // A search tells its query twice: in a list, and alone as it once was.
        if value.name == .query, sections.count > found { return }
      } else if let member = value.list.first, member.description != list {
        // Parts of all types stand in one array, and keep their order.
        list = member.description
        let end = appendParts(at: value.list, of: item, kinds, readsCitations)
        if identity.type == "message" { phase = Self.phase(of: item, contentEnd: end) }
      }
    }
  }

  /// The phase of `item`, a message whose content ends at `contentEnd`: a long text is not read once
  /// more for it.
  private static func phase(of item: Span<UInt8>, contentEnd: Int?) -> String {
    var members = JSONChildren()
    while let name = members.nextName(in: item) {
      let start = members.position
      let isContent = JSONChildren.isName(item.extracting(name), "content")
      members.skip(to: isContent ? contentEnd : nil, in: item)
      if JSONChildren.isName(item.extracting(name), "phase"), !members.isBroken {
        return JSONString.text(item.extracting(start..<members.position))
      }
    }
    return ""
  }

  /// What texts an item of type `type` can have, for which later items wait: none for lists of
  /// tools, whose end servers leave out.
  static func names(in type: String) -> [TextName] {
    guard let row = ItemCatalogue.row(of: type) else { return [.value] }
    return row.quirks.contains(.mayLackEnd) ? [] : row.values.map(\.name)
  }

  private static func label(of item: Span<UInt8>) -> String {
    let name = JSONChildren.text(of: "name", in: item)
    let server = JSONChildren.text(of: "server_label", in: item)
    return [server, name].filter { !$0.isEmpty }.joined(separator: ".")
  }

  private mutating func append(_ text: WholeText) {
    if let index = sections.firstIndex(where: { $0[0].name == text.name }) {
      sections[index].append(text)
    } else {
      sections.append([text])
    }
  }

  /// Appends the texts of the parts in `list`; where that ends, if it is there.
  private mutating func appendParts(
    at list: ArraySlice<StaticString>, of item: Span<UInt8>, _ kinds: TextKinds,
    _ readsCitations: Bool
  ) -> Int? {
    guard var parts = JSONChildren.children(at: list, in: item) else { return nil }
    while let part = parts.next(in: item) {
      let text = WholeText(
        part: item.extracting(part.value), ofItem: identity.type, kinds,
        readsCitations: readsCitations)
      if let text { append(text) }
    }
    return parts.isBroken ? nil : parts.position
  }

  /// Appends what `path` leads to; `[]` in it stands for each element of an array. What is no string
  /// is given as JSON.
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
