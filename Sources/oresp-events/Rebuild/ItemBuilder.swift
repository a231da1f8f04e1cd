import Core

/// One item of a response's output, as far as its events told it.
struct ItemBuilder {
  /// The item's id as it is spelled; empty when it has none. Worth something only where no index is.
  private(set) var id: [UInt8] = []
  private(set) var type: String
  /// Whether the item was sent whole at its end; nothing changes it any more.
  private(set) var isDone = false
  /// The item as it was sent last.
  private var whole: JSONValue?
  private var status: String?
  /// Members that are texts: arguments, input, code, output.
  private var texts: [(name: String, text: SpelledText)] = []
  private var diff: SpelledText?
  private var content = Indexed<PartBuilder>()
  private var summary = Indexed<PartBuilder>()
  private var commands = Indexed<SpelledText>()
  private var outputs = Indexed<JSONValue>()

  init(type: String) { self.type = type }

  /// Takes the whole item, at its start or at its end.
  mutating func set(_ item: Span<UInt8>, isDone: Bool) {
    guard !self.isDone, let value = JSONValue(object: item) else { return }
    if isDone { self = ItemBuilder(type: type) }
    (whole, self.isDone) = (value, isDone)
    let told = JSONChildren.text(of: "type", in: item)
    if !told.isEmpty { type = told }
    if case .raw(let spelled)? = value["id"] { id = spelled }
  }

  mutating func set(status: String) { self.status = status }

  /// Changes the text of the member `name`, which starts as the item has it.
  mutating func change(_ name: String, _ change: (inout SpelledText) -> Void) {
    if let place = texts.firstIndex(where: { $0.name == name }) {
      change(&texts[place].text)
    } else {
      var text = SpelledText()
      if case .raw(let start)? = whole?[name] { text.append(start.span) }
      change(&text)
      texts.append((name, text))
    }
  }

  mutating func changeDiff(_ change: (inout SpelledText) -> Void) {
    var text = diff ?? SpelledText()
    change(&text)
    diff = text
  }

  mutating func changeContent(
    _ index: Int, type: String, field: String, _ change: (inout PartBuilder) -> Void
  ) {
    content.update(index, with: PartBuilder(type: type, field: field), change)
  }

  mutating func changeSummary(_ index: Int, _ change: (inout PartBuilder) -> Void) {
    summary.update(index, with: PartBuilder(type: "summary_text"), change)
  }

  mutating func changeCommand(_ index: Int, _ change: (inout SpelledText) -> Void) {
    commands.update(index, with: SpelledText(), change)
  }

  mutating func changeOutput(_ index: Int, _ change: (inout JSONValue) -> Void) {
    outputs.update(index, with: .object([]), change)
  }

  var value: JSONValue {
    var value = whole ?? blank
    if isDone { return value }
    for (name, text) in texts { value[name] = text.value }
    if let diff { value.change("operation") { $0["diff"] = diff.value } }
    if !content.isEmpty {
      value.lay(content.sorted.map { ($0.index, $0.value.value) }, on: "content")
    }
    if !summary.isEmpty {
      value.lay(summary.sorted.map { ($0.index, $0.value.value) }, on: "summary")
    }
    if !commands.isEmpty {
      let list = commands.sorted.map { ($0.index, $0.value.value) }
      value.change("action") { $0.lay(list, on: "commands") }
    }
    if !outputs.isEmpty { value.lay(outputs.sorted.map { ($0.index, $0.value) }, on: "output") }
    if let status { value["status"] = .text(status) }
    return value
  }

  /// An item of which nothing whole was sent.
  private var blank: JSONValue {
    var value = JSONValue.object([("type", .text(type))])
    if type == "message" { value["role"] = .text("assistant") }
    return value
  }
}

extension JSONValue {
  /// Changes the member `name`, an object, which is made if there is none.
  mutating func change(_ name: String, _ change: (inout JSONValue) -> Void) {
    var member = JSONValue.object([])
    if case .raw(let text)? = self[name], let parsed = JSONValue(object: text.span) {
      member = parsed
    } else if case .object? = self[name], let known = self[name] {
      member = known
    }
    change(&member)
    self[name] = member
  }

  /// Puts `elements` in their places in the array `name`, whose other elements stay; places that
  /// nothing fills are left out.
  mutating func lay(_ elements: [(Int, JSONValue)], on name: String) {
    var all = Indexed<JSONValue>()
    if case .raw(let text)? = self[name], text.first == ASCII.openBracket {
      var children = JSONChildren()
      var index = 0
      while let child = children.next(in: text.span) {
        all[index] = .raw(Array(text[child.value]))
        index += 1
      }
    }
    for (index, element) in elements { all[index] = element }
    self[name] = .array(all.sorted.map(\.value))
  }
}
