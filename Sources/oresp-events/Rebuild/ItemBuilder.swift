import Core

/// One item of a response's output, built from its events. Of
///
///     {"type":"response.output_item.added",…,"item":{"type":"message","id":"m","content":[]}}
///     {"type":"response.output_text.delta",…,"content_index":0,"delta":"Hel"}
///     {"type":"response.output_text.delta",…,"content_index":0,"delta":"lo"}
///
/// `sent` is the first one's `item`, `parts` has one part, `content[0]` with the text `Hello`, and
/// the item is
///
///     {"type":"message","id":"m","content":[{"type":"output_text","text":"Hello"}]}
struct ItemBuilder {
  /// Whether the item was sent whole at its end; nothing changes it any more.
  private(set) var isDone = false
  /// Whether it was given out, and so is not held.
  var isReported: Bool { isDone && sent == nil }
  private let type: String
  /// The item as it was sent last: an object.
  private var sent: [UInt8]?
  private var status: String?
  /// What events brought of it, in the order in which it came, and the index of each in `parts`.
  private var parts: [ItemPart] = []
  private var numbers: [PartKey: Int] = [:]
  private let textLimit: Int?

  /// An empty item. With `textLimit`, only so many bytes of a text that comes in deltas are kept,
  /// and no log probabilities; with `nil`, all of both.
  init(type: String, textLimit: Int? = nil) { (self.type, self.textLimit) = (type, textLimit) }

  /// The place of a text in the item.
  struct TextPlace {
    let part: Int
    let text: Int
  }

  /// Handles an event about this item, which says something. Returns the place of the text that it
  /// adds a delta to; `nil` when it does something else.
  mutating func handle(
    _ type: EventType, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> TextPlace? {
    if isDone { return nil }
    let isDone = type.phase == .done
    if type.phase == .status {
      note(status: type)
    } else if type.phase == .annotation {
      annotate(event, line)
    } else if type.family == .outputItem {
      guard let item = event.object(of: "item", in: line) else { return nil }
      if isDone {
        end(with: line.extracting(item))
      } else {
        sent = [UInt8](copying: line.extracting(item))
      }
    } else if let value = type.values.first {
      let part = number(of: value, at: event.partIndex(in: line))
      guard let whole = event.part(in: line) else {
        return change(part, type.values, event, line)
      }
      parts[part].set(line.extracting(whole), isDone: isDone)
    }
    return nil
  }

  /// Appends `piece` to the text at `place`.
  @inline(__always)
  mutating func append(_ piece: Span<UInt8>, at place: TextPlace) {
    parts[place.part].append(piece, to: place.text)
  }

  /// Forgets the item, which has ended and was given out.
  mutating func forget() {
    self = ItemBuilder(type: type, textLimit: textLimit)
    isDone = true
  }

  /// The item as far as it has come.
  var value: JSONValue {
    var value = sent.flatMap { JSONValue(object: $0.span) } ?? blank
    if isDone { return value }
    for (number, first) in parts.enumerated() {
      let list = first.value.listName
      guard !list.isEmpty else {
        value = first.json(in: value)
        continue
      }
      if parts[..<number].contains(where: { $0.value.listName == list }) { continue }
      value.change(at: first.value.list) { whole in
        var elements: [Int: JSONValue] = [:]
        if case .array(let known) = whole.opened {
          for (index, element) in known.enumerated() { elements[index] = element }
        }
        for part in parts where part.value.listName == list {
          elements[part.index] = part.json(in: elements[part.index])
        }
        whole = .array(elements.inOrder)
      }
    }
    if let status { value["status"] = .text(status) }
    return value
  }

  /// The item as one line, as it is spelled if it was sent whole.
  var line: [UInt8] {
    if isDone, let sent { return sent }
    return value.line
  }

  /// Sets the whole item at its end, or in the whole response, unless it was given out.
  mutating func end(with item: Span<UInt8>) {
    if isReported { return }
    let whole = filled(item) ?? [UInt8](copying: item)
    self = ItemBuilder(type: type, textLimit: textLimit)
    sent = whole
    isDone = true
  }

  /// Whether it ended as `item`, byte for byte.
  func hasEnded(as item: Span<UInt8>) -> Bool {
    isDone && sent.map { $0.span.equals(item) } ?? false
  }

  /// `item`, the item as it is sent whole, with what came before in place of what it lacks: a text
  /// that stands in no list, and all its lists, if they have nothing but empty texts; `nil` when it
  /// lacks nothing.
  func filled(_ item: Span<UInt8>) -> [UInt8]? {
    if isDone ? hasEnded(as: item) : parts.isEmpty { return nil }
    guard let row = ItemCatalogue.row(of: type) else { return nil }
    let lists = row.streamedLists
    let lacksTexts = !lists.isEmpty && item.hasNoText(in: lists)
    let lacking = row.streamedTexts.filter { item.isEmptyValue(at: $0.members) }
    guard lacksTexts || !lacking.isEmpty, var filled = JSONValue(object: item) else { return nil }
    let former = line
    var paths = lacking.map(\.members)
    if lacksTexts, !former.span.hasNoText(in: lists) { paths += lists.map { $0[0].list } }
    paths.removeAll { former.span.isEmptyValue(at: $0) }
    for path in paths {
      guard let known = JSONChildren.value(at: path, in: former.span) else { continue }
      filled.change(at: path) { $0 = .raw(Array(former[known])) }
    }
    return paths.isEmpty ? nil : filled.line
  }

  /// Sets the status to the last word of the event's type, if items of this type can have it.
  private mutating func note(status event: EventType) {
    let name = event.row.name.description
    let states = ItemCatalogue.row(of: type)?.states ?? ["in_progress", "completed", "failed"]
    status = states.first { name.hasSuffix(".\($0)") }?.description ?? status
  }

  /// The number of the part at `index` of the list with `value`, which is appended if there is none.
  private mutating func number(of value: ItemValue, at index: Int) -> Int {
    let key = PartKey(value, index)
    if let known = numbers[key] { return known }
    parts.append(ItemPart(value, at: key.index, textLimit: textLimit))
    numbers[key] = parts.count - 1
    return parts.count - 1
  }

  private mutating func annotate(_ event: borrowing Event, _ line: Span<UInt8>) {
    guard let annotation = event.whole(in: line),
      let value = ItemCatalogue.value(ofPart: "output_text")
    else { return }
    let part = number(of: value, at: event.partIndex(in: line))
    let index = event.integer(of: "annotation_index", in: line)
    parts[part].annotate(index, line.extracting(annotation))
  }

  /// Handles an event with a piece or the whole of `values`, in the part `number`: several stand in an
  /// object with a member for each or, whole, in an array. Returns the place of the one text that a
  /// piece is added to.
  private mutating func change(
    _ number: Int, _ values: [ItemValue], _ event: borrowing Event, _ line: Span<UInt8>
  ) -> TextPlace? {
    let isOne = values.count == 1
    guard event.type?.phase == .delta, let delta = event.piece(in: line) else {
      guard let whole = event.whole(in: line) else { return nil }
      if isOne {
        let text = parts[number].number(of: values[0])
        parts[number].replace(text, by: line.extracting(whole))
      } else if let part = JSONChildren.elements(at: whole, in: line).first {
        parts[number].set(line.extracting(part), isDone: true)
      }
      return nil
    }
    var place: TextPlace?
    for value in values {
      let piece = isOne ? delta : event.value(at: value.members, inside: delta, in: line)
      guard let piece else { continue }
      let text = parts[number].number(of: value)
      parts[number].append(line.extracting(piece), to: text)
      if isOne { place = TextPlace(part: number, text: text) }
    }
    if let list = event.value(of: "logprobs", in: line) {
      parts[number].append(logprobs: line.extracting(list))
    }
    return place
  }

  /// The start of an item that was never sent whole.
  private var blank: JSONValue {
    var value = JSONValue.object([("type", .text(type))])
    if type == "message" { value["role"] = .text("assistant") }
    return value
  }
}

extension ItemBuilder? {
  /// Appends `piece` to the text at `place`. A chain through the element of an array would be a call
  /// that reads and writes it.
  @inline(__always)
  mutating func append(_ piece: Span<UInt8>, at place: ItemBuilder.TextPlace) {
    self?.append(piece, at: place)
  }
}

extension Span<UInt8> {
  /// Whether the lists in these bytes, an item, are missing or have nothing but empty texts; each of
  /// `lists` has the values of one.
  fileprivate func hasNoText(in lists: [[ItemValue]]) -> Bool {
    lists.allSatisfy { values in
      let list = values[0].list
      let elements = JSONChildren.elements(at: list, in: self)
      // {"role":"assistant","content":"Hi"}
      if elements.isEmpty { return isEmptyValue(at: list) }
      return elements.allSatisfy { place in
        let element = extracting(place)
        if element.isEmptyValue(at: []) { return true }
        let own = values.filter { element.isPart($0.part) }
        return !own.isEmpty && own.allSatisfy { element.isEmptyValue(at: $0.members) }
      }
    }
  }
}
