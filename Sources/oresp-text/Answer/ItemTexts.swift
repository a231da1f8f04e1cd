import Core

/// One whole text of an output item.
struct WholeText {
  let name: TextName
  let text: [UInt8]
  /// Its citations; their ends count from its own beginning.
  private(set) var citations: [Citation] = []

  init(_ name: TextName, _ text: [UInt8]) { (self.name, self.text) = (name, text) }

  /// Reads a part of an item of type `type`, whose members `value` finds in `bytes`; `nil` when
  /// `settings` ask for no text to read there.
  init?(
    ofItem type: String, by settings: AnswerFilter.Settings, in bytes: Span<UInt8>,
    _ value: (StaticString) -> Range<Int>?
  ) {
    guard let partType = value("type"),
      let row = ItemCatalogue.value(ofPart: JSONString.text(bytes.extracting(partType))),
      case let name = row.name.inItem(of: type), settings.allKinds.contains(name.kind),
      let place = row.members.first.flatMap(value), bytes[place.lowerBound] == ASCII.quote
    else { return nil }
    self.init(name, JSONString.decoded(bytes.extracting(place)))
    if name == .answer, settings.readsCitations, let list = value("annotations") {
      citations = Citation.all(in: bytes.extracting(list))
    }
  }
}

/// The texts of a whole output item, by the catalogue of items.
///
/// Of `{"type":"shell_call","action":{"commands":["ls","pwd"]}}` the one section is the texts `ls`
/// and `pwd`, both called `command`.
struct ItemTexts {
  let type: String
  /// The phase that the server marks a message with; empty when it gives none.
  private(set) var phase = ""
  /// The name of a tool, for a heading.
  let label: String
  /// The texts, grouped by name.
  private(set) var sections: [[WholeText]] = []

  /// Reads the item at `place` in `bytes`, whose members `value` finds there.
  init(
    _ type: String, by settings: AnswerFilter.Settings, at place: Range<Int>, in bytes: Span<UInt8>,
    _ value: (StaticString) -> Range<Int>?
  ) {
    self.type = type
    let row = ItemCatalogue.row(of: type)
    let isTool = row?.values.first.map { $0.part == nil } ?? true
    let readsTools = settings.allKinds.contains(.tools)
    label = isTool && readsTools ? Self.label(in: bytes, value) : ""
    guard let row else {
      if readsTools { append(WholeText(.value, [UInt8](copying: bytes.extracting(place)))) }
      return
    }
    var list = ""
    for row in row.values {
      if row.part == nil {
        guard readsTools else { return }
        let found = sections.count
        if let first = row.path.first, let member = value(first) {
          append(row.name, at: row.path.dropFirst(), in: bytes.extracting(member))
        }
        // {"queries":["a"],"query":"a"}: a search names its query twice, as it once did alone.
        if row.name == .query, sections.count > found { return }
      } else if let member = row.list.first, member.description != list {
        // Parts of all types stand in one array, and keep their order.
        list = member.description
        guard let place = value(member) else { continue }
        if bytes[place.lowerBound] == ASCII.quote {
          appendContent(bytes.extracting(place), role: value("role"), in: bytes, settings)
        } else {
          appendParts(at: place.lowerBound, of: bytes, settings)
        }
      }
    }
    if type == "message" { phase = Self.text(of: value("phase"), in: bytes) }
  }

  /// The names of the texts that an item of type `type` can have, for which later items wait: none
  /// for lists of tools, whose end servers leave out.
  static func names(in type: String) -> [TextName] {
    guard let row = ItemCatalogue.row(of: type) else { return [.value] }
    return row.mayLackEnd ? [] : row.values.map(\.name)
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

  /// Appends `content`, the string that a message has in place of parts, if it is the assistant's.
  private mutating func appendContent(
    _ content: Span<UInt8>, role: Range<Int>?, in bytes: Span<UInt8>,
    _ settings: AnswerFilter.Settings
  ) {
    let role = Self.text(of: role, in: bytes)
    guard type == "message", role.isEmpty || role == "assistant",
      settings.allKinds.contains(TextName.answer.kind)
    else { return }
    append(WholeText(.answer, JSONString.decoded(content)))
  }

  /// Appends the texts of the parts in the array that starts at `start`.
  private mutating func appendParts(
    at start: Int, of item: Span<UInt8>, _ settings: AnswerFilter.Settings
  ) {
    var parts = JSONChildren(at: start)
    while let place = parts.next(in: item)?.value {
      let part = item.extracting(place)
      let members = Event(of: part)
      let text = WholeText(ofItem: type, by: settings, in: part) { members.value(of: $0, in: part) }
      if let text { append(text) }
    }
  }

  /// Appends the values that `path` leads to; `[]` in it stands for each element of an array. A
  /// value that is no string is appended as JSON.
  private mutating func append(
    _ name: TextName, at path: ArraySlice<StaticString>, in value: Span<UInt8>
  ) {
    // This recurses as deep as the longest path of the table.
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
