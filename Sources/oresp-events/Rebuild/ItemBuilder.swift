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
  /// Its arrays; the first value of an array that came identifies it.
  private var lists: [(value: ItemValue, elements: Indexed<ElementBuilder>)] = []
  private let textLimit: Int?
  /// The text that the last event added a delta to; `nil` when it did more, or something else.
  private(set) var grown: SpelledText?

  /// An empty item. With `textLimit`, only so many bytes of a text that comes in deltas are kept,
  /// and no log probabilities; with `nil`, all of both.
  init(type: String, textLimit: Int? = nil) { (self.type, self.textLimit) = (type, textLimit) }

  /// The place of a piece of its texts that came too late and that no whole text replaced.
  var lateness: Notice.Place? {
    texts.lazy.compactMap(\.text.lateness).first
      ?? lists.lazy.compactMap { $0.elements.first(\.lateness) }.first
  }

  /// Handles an event about this item, which comes too late, at `place`, if that is not `nil`.
  mutating func handle(
    _ type: EventType, _ members: EventMembers, _ line: Span<UInt8>, lateAt place: Notice.Place?
  ) {
    grown = nil
    if isDone { return }
    let phase = type.phase
    switch phase {
    case .status: return note(status: type)
    case .annotation: return annotate(members, line)
    default: break
    }
    if type.family == .outputItem {
      if let item = members.item { set(line.extracting(item), isDone: phase == .done) }
      return
    }
    guard let value = type.values.first else { return }
    let delta = phase == .delta ? members.delta : nil
    if let part = members.part {
      change(members.partIndex, of: value) { $0.set(line.extracting(part), isDone: phase == .done) }
    } else if value.list.isEmpty {
      var text: SpelledText?
      change(value) {
        $0.append(delta, lateAt: place, or: members.final, of: line)
        text = $0
      }
      grown = delta == nil ? nil : text
    } else if type.values.count == 1 {
      var text: SpelledText?
      change(members.partIndex, of: value) { element in
        element.change(value) {
          $0.append(delta, lateAt: place, or: members.final, of: line)
          text = $0
        }
        if phase == .delta, let list = members.logprobs {
          element.append(logprobs: line.extracting(list))
        }
      }
      grown = delta == nil ? nil : text
    } else {
      changeAll(type.values, members, phase, line)
    }
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
    for (place, elements) in lists {
      value.lay(elements.sorted.map { ($0.index, $0.value.value) }, at: place.list)
    }
    if let status { value["status"] = .text(status) }
    return value
  }

  /// Sets the whole item, at its start or at its end.
  private mutating func set(_ item: Span<UInt8>, isDone: Bool) {
    guard item[0] == ASCII.openBrace else { return }
    if isDone { self = ItemBuilder(type: type, textLimit: textLimit) }
    (spelled, self.isDone) = ([UInt8](copying: item), isDone)
    let told = JSONChildren.text(of: "type", in: item)
    if !told.isEmpty { type = told }
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
    let text = SpelledText(whole?.value(at: value.members), limit: textLimit)
    change(text)
    texts.append((value, text))
  }

  /// Changes the element `index` of the array with `value`, which starts as in the whole item.
  private mutating func change(
    _ index: Int, of value: ItemValue, _ change: (inout ElementBuilder) -> Void
  ) {
    let place = lists.firstIndex { $0.value.listName == value.listName } ?? lists.count
    if place == lists.count { lists.append((value, Indexed())) }
    let spelled = spelled
    func element() -> ElementBuilder {
      let whole = spelled.map { JSONValue.raw($0) }
      return ElementBuilder(
        value.part, whole?.element(index, at: value.list), textLimit: textLimit)
    }
    lists[place].elements.update(index, with: element(), change)
  }

  private mutating func annotate(_ members: EventMembers, _ line: Span<UInt8>) {
    guard let annotation = members.final, let value = ItemCatalogue.value(ofPart: "output_text")
    else { return }
    change(members.partIndex, of: value) {
      $0.annotate(members.annotationIndex, line.extracting(annotation))
    }
  }

  /// Handles an event with several values: pieces in an object with a member for each, or the whole
  /// element in an array.
  private mutating func changeAll(
    _ values: [ItemValue], _ members: EventMembers, _ phase: EventPhase, _ line: Span<UInt8>
  ) {
    change(members.partIndex, of: values[0]) { element in
      guard phase == .delta, let delta = members.delta else {
        let whole = JSONChildren.elements(at: members.final, in: line).first
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
