import Core

/// One item of a response's output, built from its events.
struct ItemBuilder {
  /// Whether the item was sent whole at its end; nothing changes it any more.
  private(set) var isDone = false
  private var type: String
  /// The item as it was sent last: an object.
  private var spelled: [UInt8]?
  private var whole: JSONValue? { spelled.flatMap { JSONValue(object: $0.span) } }
  private var status: String?
  /// Texts that stand in no array.
  private var texts: [(value: ItemValue, text: SpelledText)] = []
  private var lists: [List] = []
  /// Whether an annotation of a text came.
  private var hasAnnotations = false
  private let textLimit: Int?

  /// One of its arrays; the first value of the array that came identifies it.
  private struct List {
    let value: ItemValue
    /// The elements of the item as it was sent last.
    var opened: [JSONValue]
    var elements = Indexed<ElementBuilder>()
  }

  /// An empty item. With `textLimit`, only so many bytes of a text that comes in deltas are kept,
  /// and no log probabilities; with `nil`, all of both.
  init(type: String, textLimit: Int? = nil) { (self.type, self.textLimit) = (type, textLimit) }

  /// Handles an event about this item, which says something. Returns the text that it adds a delta
  /// to; `nil` when it does something else.
  mutating func handle(
    _ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> SpelledText? {
    if isDone { return nil }
    let phase = type.phase
    if phase == .status {
      note(status: type)
      return nil
    }
    if phase == .annotation {
      annotate(event, line)
      return nil
    }
    if type.family == .outputItem {
      guard let item = event.object(of: "item", in: line) else { return nil }
      if phase == .done { end(with: line.extracting(item)) } else { open(line.extracting(item)) }
      return nil
    }
    guard let value = type.values.first else { return nil }
    let delta = phase == .delta ? event.piece(in: line) : nil
    var grown: SpelledText?
    if let part = event.part(in: line) {
      change(event.partIndex(in: line), of: value) {
        $0.set(line.extracting(part), isDone: phase == .done)
      }
    } else if value.list.isEmpty {
      change(value) {
        $0.append(delta, or: event.whole(in: line), of: line)
        grown = $0
      }
    } else if type.values.count == 1 {
      change(event.partIndex(in: line), of: value) { element in
        element.change(value) {
          $0.append(delta, or: event.whole(in: line), of: line)
          grown = $0
        }
        if phase == .delta, let list = event.value(of: "logprobs", in: line) {
          element.append(logprobs: line.extracting(list))
        }
      }
    } else {
      changeAll(type.values, event, phase, line)
    }
    return delta == nil ? nil : grown
  }

  /// Forgets the item, which has ended.
  mutating func forget() {
    self = ItemBuilder(type: type, textLimit: textLimit)
    isDone = true
  }

  /// The item as far as it has come.
  var value: JSONValue {
    var value = whole ?? blank
    if isDone { return value }
    for (place, text) in texts { value.change(at: place.members) { $0 = text.value } }
    for list in lists {
      let elements = list.elements.sorted.map { ($0.index, $0.value.value) }
      value.lay(elements, at: list.value.list)
    }
    if let status { value["status"] = .text(status) }
    return value
  }

  /// The item as one line, as it is spelled if it was sent whole.
  var line: [UInt8] {
    if isDone, let spelled { return spelled }
    return value.line
  }

  /// Sets the whole item at its start.
  private mutating func open(_ item: Span<UInt8>) {
    spelled = [UInt8](copying: item)
    note(typeOf: item)
    for index in lists.indices { lists[index].opened = opened(lists[index].value) }
  }

  /// Sets the whole item at its end, or in the whole response. A value that is empty there stays as
  /// it came before.
  mutating func end(with item: Span<UInt8>) {
    let whole = filled(item) ?? [UInt8](copying: item)
    self = ItemBuilder(type: type, textLimit: textLimit)
    spelled = whole
    isDone = true
    note(typeOf: item)
  }

  /// Whether it ended as `item`, byte for byte.
  func hasEnded(as item: Span<UInt8>) -> Bool {
    isDone && spelled.map { $0.span.equals(item) } ?? false
  }

  /// `item`, the item as it is sent whole, with the values that are empty there and came before;
  /// `nil` when there are none.
  func filled(_ item: Span<UInt8>) -> [UInt8]? {
    let mayLack = isDone ? !hasEnded(as: item) : !texts.isEmpty || !lists.isEmpty
    guard mayLack, lacksValue(item), var filled = JSONValue(object: item) else { return nil }
    let former = value
    let values = streamedValues
    // Some servers leave a member out, as they put its text into another one.
    let isBare = values.allSatisfy { filled.isEmpty(at: $0.outerPath) }
    var isFilled = false
    for value in values where isBare || filled.value(at: value.outerPath) != nil {
      isFilled = filled.fill(value, from: former) || isFilled
    }
    return isFilled ? filled.line : nil
  }

  private mutating func note(typeOf item: Span<UInt8>) {
    guard let told = JSONChildren.value(of: "type", in: item) else { return }
    let text = JSONString.text(item.extracting(told))
    if !text.isEmpty { type = text }
  }

  /// The values of items of its type that events bring.
  private var streamedValues: [ItemValue] {
    ItemCatalogue.row(of: type)?.values.filter { !$0.families.isEmpty } ?? []
  }

  /// Whether such a value is empty in `item`, a whole one.
  private func lacksValue(_ item: Span<UInt8>) -> Bool {
    // Values that stand in one list follow each other.
    var listName = ""
    var elements: [Range<Int>] = []
    return ItemCatalogue.row(of: type)?.values.contains { value in
      guard !value.families.isEmpty, hasCome(value) else { return false }
      if value.list.isEmpty { return item.isEmptyValue(at: value.members) }
      if value.listName != listName {
        listName = value.listName
        elements = JSONChildren.elements(at: value.list, in: item)
      }
      // {"role":"assistant","content":"Hi"}
      if elements.isEmpty { return item.isEmptyValue(at: value.list) }
      return elements.contains { lacks(value, item.extracting($0)) }
    } ?? false
  }

  /// Whether `value`, or an annotation beside it that came, is empty in `element`, one of its list.
  private func lacks(_ value: ItemValue, _ element: Span<UInt8>) -> Bool {
    guard element[0] == ASCII.openBrace else { return element.isEmptyValue(at: []) }
    guard element.isPart(value.part) else { return false }
    return element.isEmptyValue(at: value.members)
      || hasAnnotations && element.isEmptyValue(at: ["annotations"])
  }

  /// Whether events brought `value`, or another of its list.
  private func hasCome(_ value: ItemValue) -> Bool {
    if isDone { return spelled.map { !$0.span.isEmptyValue(at: value.outerPath) } ?? false }
    return value.list.isEmpty
      ? texts.contains { $0.value.name == value.name }
      : lists.contains { $0.value.listName == value.listName }
  }

  /// Sets the status to the last word of the event's type, if items of this type can have it.
  private mutating func note(status event: EventType) {
    let name = event.row.name.description.utf8
    let states = ItemCatalogue.row(of: type)?.states ?? ["in_progress", "completed", "failed"]
    let word = name.lastIndex(of: ASCII.point).map { name[$0...].dropFirst() } ?? name[...]
    if let state = states.first(where: { $0.description.utf8.elementsEqual(word) }) {
      status = state.description
    }
  }

  /// Changes the text of `value`, which starts as the text in the whole item.
  private mutating func change(_ value: ItemValue, _ change: (SpelledText) -> Void) {
    if let place = texts.firstIndex(where: { $0.value.name == value.name }) {
      return change(texts[place].text)
    }
    let known = spelled.flatMap { JSONValue.raw($0).value(at: value.members) }
    let text = SpelledText(known, limit: textLimit)
    change(text)
    texts.append((value, text))
  }

  /// Changes the element `index` of the array with `value`, which starts as in the whole item.
  private mutating func change(
    _ index: Int, of value: ItemValue, _ change: (inout ElementBuilder) -> Void
  ) {
    let place = lists.firstIndex { $0.value.listName == value.listName } ?? lists.count
    if place == lists.count { lists.append(List(value: value, opened: opened(value))) }
    let opened = lists[place].opened
    let whole = opened.indices.contains(index) ? opened[index] : nil
    let element = ElementBuilder(value.part, whole, textLimit: textLimit)
    lists[place].elements.update(index, with: element, change)
  }

  /// The elements of the array with `value` in the item as it was sent last.
  private func opened(_ value: ItemValue) -> [JSONValue] {
    let list = spelled.flatMap { JSONValue.raw($0).value(at: value.list) }
    guard case .array(let elements)? = list?.opened else { return [] }
    return elements
  }

  private mutating func annotate(_ event: borrowing Event, _ line: Span<UInt8>) {
    guard let annotation = event.whole(in: line),
      let value = ItemCatalogue.value(ofPart: "output_text")
    else { return }
    hasAnnotations = true
    change(event.partIndex(in: line), of: value) {
      $0.annotate(event.integer(of: "annotation_index", in: line), line.extracting(annotation))
    }
  }

  /// Handles an event with several values: pieces in an object with a member for each, or the whole
  /// element in an array.
  private mutating func changeAll(
    _ values: [ItemValue], _ event: borrowing Event, _ phase: EventPhase, _ line: Span<UInt8>
  ) {
    change(event.partIndex(in: line), of: values[0]) { element in
      guard phase == .delta, let delta = event.piece(in: line) else {
        let whole = JSONChildren.elements(at: event.whole(in: line), in: line).first
        if let whole { element.set(line.extracting(whole), isDone: true) }
        return
      }
      let object = line.extracting(delta)
      for value in values {
        guard let piece = JSONChildren.value(at: value.members, in: object) else { continue }
        element.change(value) { $0.append(object.extracting(piece)) }
      }
    }
  }

  /// The start of an item that was never sent whole.
  private var blank: JSONValue {
    var value = JSONValue.object([("type", .text(type))])
    if type == "message" { value["role"] = .text("assistant") }
    return value
  }
}

extension ItemValue {
  /// The path to it in its item, or to the array whose elements have it.
  fileprivate var outerPath: ArraySlice<StaticString> { list.isEmpty ? members : list }
}
