import Core

/// One element of an array of an item, as far as its events told it: a part of a content or a
/// summary, a command, what a command printed.
struct ElementBuilder {
  /// The element as it was sent last; `nil` when only pieces of it came.
  private var whole: JSONValue?
  /// The part's type, where it is a part.
  private let part: StaticString?
  /// Its texts; one that has no member of its own is the element itself.
  private var texts: [(value: ItemValue, text: SpelledText)] = []
  private var annotations = Indexed<JSONValue>()
  private var logprobs: [JSONValue] = []

  private let textLimit: Int?

  /// An element as `whole` has it, if anything was sent of it. `textLimit` is that of its item:
  /// with one, no log probabilities are kept.
  init(_ part: StaticString?, _ whole: JSONValue?, textLimit: Int?) {
    (self.part, self.whole, self.textLimit) = (part, whole, textLimit)
  }

  /// Takes the whole element: at its start, when its text is still to come, or at its end.
  mutating func set(_ element: Span<UInt8>, isDone: Bool) {
    whole = .raw([UInt8](copying: element))
    if isDone { (texts, annotations, logprobs) = ([], Indexed(), []) }
  }

  /// Changes the text of `value`, which starts as the element has it.
  mutating func change(_ value: ItemValue, _ change: (SpelledText) -> Void) {
    if let place = texts.firstIndex(where: { $0.value.name == value.name }) {
      return change(texts[place].text)
    }
    let text = SpelledText(whole?.value(at: value.members), limit: textLimit)
    change(text)
    texts.append((value, text))
  }

  /// Where a piece of its texts came too late, if nothing whole came.
  var lateness: Notice.Place? { texts.lazy.compactMap(\.text.lateness).first }

  mutating func annotate(_ index: Int?, _ annotation: Span<UInt8>) {
    annotations[index ?? (annotations.last ?? -1) + 1] = .raw([UInt8](copying: annotation))
  }

  /// Appends the elements of `list`, an array.
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

/// A text that is put together from JSON strings, kept as it is spelled: what stands between the
/// quotes of one delta is laid behind that of the last, so that even a character whose escapes come
/// in two deltas is whole. It is a class so that deltas that go on from one another are laid in it
/// without a search.
final class SpelledText {
  private var inside: [UInt8] = []
  private let limit: Int
  /// Whether it came whole; where a piece came too late, if it did not.
  private var isWhole = false
  private(set) var lateness: Notice.Place?

  /// A text that starts as `value`, if that is a string. What comes when it has `limit` bytes or
  /// more is not kept.
  init(_ value: JSONValue?, limit: Int?) {
    self.limit = limit ?? .max
    if case .raw(let start)? = value { append(start.span) }
  }

  /// Appends `delta`, which comes too late at `place` if that is not `nil`; where there is none,
  /// takes `whole` in the place of all that came before.
  func append(
    _ delta: Range<Int>?, lateAt place: Notice.Place?, or whole: Range<Int>?, of line: Span<UInt8>
  ) {
    if let delta {
      if place != nil, isWhole { return }
      lateness = lateness ?? place
      append(line.extracting(delta))
    } else if let whole, line[whole.lowerBound] == ASCII.quote {
      inside.removeAll(keepingCapacity: true)
      (isWhole, lateness) = (true, nil)
      append(line.extracting(whole))
    }
  }

  /// Appends `value`, if it is a JSON string.
  func append(_ value: Span<UInt8>) {
    guard inside.count < limit, value.count >= 2, value[0] == ASCII.quote else { return }
    inside.append(copying: value.extracting(1..<value.count - 1))
  }

  /// The text as one JSON string.
  var value: JSONValue { .raw([ASCII.quote] + inside + [ASCII.quote]) }
}

extension JSONValue {
  /// The value that `path` leads to, one member's name after another.
  func value(at path: ArraySlice<StaticString>) -> JSONValue? {
    guard let name = path.first else { return self }
    if case .raw(let bytes) = self {
      let place = JSONChildren.value(at: path, in: bytes.span)
      return place.map { .raw([UInt8](copying: bytes.span.extracting($0))) }
    }
    return opened[name.description]?.value(at: path.dropFirst())
  }

  /// The element `index` of the array that `path` leads to.
  func element(_ index: Int, at path: ArraySlice<StaticString>) -> JSONValue? {
    guard case .array(let elements)? = value(at: path)?.opened, elements.indices.contains(index)
    else { return nil }
    return elements[index]
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

  /// Puts `elements` in their places in the array that `path` leads to, whose other elements stay;
  /// places that nothing fills are left out.
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
