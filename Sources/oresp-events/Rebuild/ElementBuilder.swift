import Core

/// One element of an array in an item, built from its events: a part of a content or a summary, a
/// command, or the output of a command.
struct ElementBuilder {
  /// The element as it was sent last; `nil` when only pieces of it came.
  private var whole: JSONValue?
  /// The type of a part; `nil` when the element is no part.
  private let part: StaticString?
  /// Its texts; a text whose value has no members is the element itself.
  private var texts: [(value: ItemValue, text: SpelledText)] = []
  private var annotations = Indexed<JSONValue>()
  private var logprobs: [JSONValue] = []

  private let textLimit: Int?

  /// An element that starts as `whole`, or empty if that is `nil`. With a `textLimit`, its item's,
  /// no log probabilities are kept.
  init(_ part: StaticString?, _ whole: JSONValue?, textLimit: Int?) {
    (self.part, self.whole, self.textLimit) = (part, whole, textLimit)
  }

  /// Sets the whole element: at its start, before its text has come, or at its end. What is empty
  /// at its end stays as it came before.
  mutating func set(_ element: Span<UInt8>, isDone: Bool) {
    whole = .raw([UInt8](copying: element))
    guard isDone else { return }
    texts.removeAll { value, text in
      text.isEmpty || !element.isPart(value.part) || !element.isEmptyValue(at: value.members)
    }
    if !annotations.isEmpty, !element.isEmptyValue(at: ["annotations"]) { annotations = Indexed() }
    if !logprobs.isEmpty, !element.isEmptyValue(at: ["logprobs"]) { logprobs = [] }
  }

  /// Changes the text of `value`, which starts as the text in the whole element.
  mutating func change(_ value: ItemValue, _ change: (SpelledText) -> Void) {
    if let place = texts.firstIndex(where: { $0.value.name == value.name }) {
      return change(texts[place].text)
    }
    let text = SpelledText(whole?.value(at: value.members), limit: textLimit)
    change(text)
    texts.append((value, text))
  }

  mutating func annotate(_ index: Int?, _ annotation: Span<UInt8>) {
    annotations[index ?? (annotations.last ?? -1) + 1] = .raw([UInt8](copying: annotation))
  }

  /// Appends the elements of `list`, an array of log probabilities, if they are kept.
  mutating func append(logprobs list: Span<UInt8>) {
    if textLimit != nil { return }
    for place in JSONChildren.elements(at: 0..<list.count, in: list) {
      logprobs.append(.raw([UInt8](copying: list.extracting(place))))
    }
  }

  var value: JSONValue {
    var value = whole?.opened ?? .object(part.map { [("type", .text($0.description))] } ?? [])
    for (place, text) in texts { value.change(at: place.members) { $0 = text.value } }
    if whole == nil, texts.isEmpty, part != nil { value["text"] = .text("") }
    if !annotations.isEmpty { value["annotations"] = .array(annotations.sorted.map(\.value)) }
    if !logprobs.isEmpty { value["logprobs"] = .array(logprobs) }
    return value
  }
}

/// A text joined from JSON strings and kept as it is spelled: the bytes between the quotes of each
/// delta are appended, so that even a character whose escapes come in two deltas is whole. It is a
/// class, so that the deltas of a text are appended without a search for it.
final class SpelledText {
  /// One value, so that a delta is one access to the object.
  private var text: Text

  /// A text that starts as `value`, if that is a string. Deltas behind `limit` bytes are dropped.
  init(_ value: JSONValue?, limit: Int?) { text = Text(value, limit: limit ?? .max) }

  var isEmpty: Bool { text.inside.isEmpty }

  /// Appends `delta`; without one, `whole` replaces all that came before.
  func append(_ delta: Range<Int>?, or whole: Range<Int>?, of line: Span<UInt8>) {
    if let delta {
      append(line.extracting(delta))
    } else if let whole, line[whole.lowerBound] == ASCII.quote {
      text.replace(by: line.extracting(whole))
    }
  }

  /// Appends `value` (`Text.append`).
  func append(_ value: Span<UInt8>) { text.append(value) }

  /// Returns the text, which is to grow, and is empty until `put`. An access to an object costs more
  /// than the delta that is appended.
  func take() -> Text {
    var taken = Text(nil, limit: 0)
    swap(&taken, &text)
    return taken
  }

  /// Puts the text back that was taken.
  func put(_ text: Text) { self.text = text }

  /// The text as one JSON string.
  var value: JSONValue { .raw([ASCII.quote] + text.inside + [ASCII.quote]) }

  struct Text {
    private(set) var inside: [UInt8] = []
    private let limit: Int
    /// The text with which it opened, as long as deltas repeat that: its length, and how much of it
    /// they have repeated.
    private var openingCount = 0
    private var repeatedCount = 0

    init(_ value: JSONValue?, limit: Int) {
      self.limit = limit
      guard case .raw(let start)? = value else { return }
      append(start.span)
      openingCount = inside.count
    }

    mutating func replace(by whole: Span<UInt8>) {
      // An empty end takes nothing away.
      guard whole.count > 2 else { return }
      inside.removeAll(keepingCapacity: true)
      openingCount = 0
      repeatedCount = 0
      append(whole)
    }

    /// Appends `value`, if it is a JSON string, but for what repeats the text with which it opened.
    mutating func append(_ value: Span<UInt8>) {
      guard inside.count < limit, value.count >= 2, value[0] == ASCII.quote else { return }
      var new = value.extracting(1..<value.count - 1)
      if repeatedCount < openingCount { dropRepeated(from: &new) }
      inside.append(copying: new)
    }

    /// Removes the start of `new` that goes on repeating the text with which it opened. The first
    /// delta that does not ends that: it and all others are added.
    private mutating func dropRepeated(from new: inout Span<UInt8>) {
      let count = min(new.count, openingCount - repeatedCount)
      let known = inside
      let opening = known.span.extracting(repeatedCount..<repeatedCount + count)
      guard new.extracting(first: count).equals(opening) else {
        openingCount = 0
        return
      }
      repeatedCount += count
      new = new.extracting(count...)
    }
  }
}

extension JSONValue {
  /// The value that `path`, one member's name after another, leads to; `nil` when there is none.
  func value(at path: ArraySlice<StaticString>) -> JSONValue? {
    guard let name = path.first else { return self }
    if case .raw(let bytes) = self {
      let place = JSONChildren.value(at: path, in: bytes.span)
      return place.map { .raw([UInt8](copying: bytes.span.extracting($0))) }
    }
    return opened[name.description]?.value(at: path.dropFirst())
  }

  /// Whether the value that `path` leads to is missing, null, or an empty string, array or object.
  func isEmpty(at path: ArraySlice<StaticString>) -> Bool {
    switch self {
    case .raw(let bytes): return bytes.span.isEmptyValue(at: path)
    case .object where !path.isEmpty:
      return value(at: path)?.isEmpty(at: []) ?? true
    case .null: return true
    case .string(let text): return text.isEmpty
    case .array(let elements): return elements.isEmpty
    case .object(let members): return members.isEmpty
    default: return !path.isEmpty
    }
  }

  /// Whether it is a part of type `part`; any value is, if that is `nil`.
  func isPart(_ part: StaticString?) -> Bool {
    if case .raw(let bytes) = self { return bytes.span.isPart(part) }
    guard let part else { return true }
    guard let type = opened["type"]?.string else { return false }
    return type.span.equals(part)
  }

  /// Takes `value`, and the annotations beside it, from `former`, an item as it was before, where
  /// they are empty here. False when nothing is taken.
  mutating func fill(_ value: ItemValue, from former: JSONValue) -> Bool {
    guard !value.list.isEmpty else { return fill(at: value.members, from: former) }
    guard case .array(let known)? = former.value(at: value.list)?.opened, !known.isEmpty
    else { return false }
    var elements: [JSONValue] = []
    if case .array(let own)? = self.value(at: value.list)?.opened { elements = own }
    if elements.isEmpty, !isEmpty(at: value.list) { return false }
    var isFilled = elements.isEmpty
    if elements.isEmpty { elements = known }
    for index in elements.indices.prefix(known.count) {
      if elements[index].isNull { (elements[index], isFilled) = (known[index], true) }
      guard elements[index].isPart(value.part) else { continue }
      isFilled = elements[index].fill(at: value.members, from: known[index]) || isFilled
      guard value.part != nil else { continue }
      isFilled = elements[index].fill(at: ["annotations"], from: known[index]) || isFilled
    }
    if isFilled { change(at: value.list) { $0 = .array(elements) } }
    return isFilled
  }

  private mutating func fill(
    at path: ArraySlice<StaticString>, from former: JSONValue
  ) -> Bool {
    guard isEmpty(at: path), let known = former.value(at: path), !known.isEmpty(at: [])
    else { return false }
    change(at: path) { $0 = known }
    return true
  }

  /// Changes the value that `path` leads to; objects on the way are made where there are none.
  mutating func change(at path: ArraySlice<StaticString>, _ change: (inout JSONValue) -> Void) {
    guard let name = path.first?.description else { return change(&self) }
    self = opened
    if case .object = self {} else { self = .object([]) }
    var member = self[name] ?? .null
    member.change(at: path.dropFirst(), change)
    self[name] = member
  }

  /// Puts `elements` at their indexes in the array that `path` leads to, whose other elements stay.
  /// Indexes without an element are left out.
  mutating func lay(_ elements: [(Int, JSONValue)], at path: ArraySlice<StaticString>) {
    change(at: path) { list in
      var all = Indexed<JSONValue>()
      if case .array(let known) = list.opened {
        for (index, element) in known.enumerated() { all[index] = element }
      }
      for (index, element) in elements { all[index] = element }
      list = .array(all.sorted.map(\.value))
    }
  }
}

extension Span<UInt8> {
  /// Whether the value that `path` leads to in these bytes, a JSON value, is missing, null, or an
  /// empty string, array or object.
  func isEmptyValue(at path: ArraySlice<StaticString>) -> Bool {
    guard var elements = JSONChildren.children(at: path, in: self) else { return true }
    let start = elements.position
    if starts(with: "\"\"", at: start) || starts(with: "null", at: start) { return true }
    let isList = self[start] == ASCII.openBracket || self[start] == ASCII.openBrace
    return isList && elements.next(in: self) == nil
  }

  /// Whether these bytes, a JSON value, are an object without members.
  var isEmptyObject: Bool { self[0] == ASCII.openBrace && isEmptyValue(at: []) }

  /// Whether these bytes, a JSON value, are a part of type `part`; any value is, if that is `nil`.
  func isPart(_ part: StaticString?) -> Bool {
    part.map { JSONChildren.hasType($0, self) } ?? true
  }
}
