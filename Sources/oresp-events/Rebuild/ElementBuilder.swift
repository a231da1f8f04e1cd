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

  /// Sets the whole element: at its start, before its text has come, or at its end.
  mutating func set(_ element: Span<UInt8>, isDone: Bool) {
    whole = .raw([UInt8](copying: element))
    if isDone { (texts, annotations, logprobs) = ([], Indexed(), []) }
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

  /// The place of a piece of its texts that came too late and that no whole text replaced.
  var lateness: Notice.Place? { texts.lazy.compactMap(\.text.lateness).first }

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
  private var inside: [UInt8] = []
  private let limit: Int
  /// Whether it came whole; and the place of a piece that came too late, if it did not.
  private var isWhole = false
  private(set) var lateness: Notice.Place?

  /// A text that starts as `value`, if that is a string. Deltas behind `limit` bytes are dropped.
  init(_ value: JSONValue?, limit: Int?) {
    self.limit = limit ?? .max
    if case .raw(let start)? = value { append(start.span) }
  }

  /// Appends `delta`, which comes too late, at `place`, if that is not `nil`. Without a delta,
  /// `whole` replaces all that came before.
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
  /// The value that `path`, one member's name after another, leads to; `nil` when there is none.
  func value(at path: ArraySlice<StaticString>) -> JSONValue? {
    guard let name = path.first else { return self }
    if case .raw(let bytes) = self {
      let place = JSONChildren.value(at: path, in: bytes.span)
      return place.map { .raw([UInt8](copying: bytes.span.extracting($0))) }
    }
    return opened[name.description]?.value(at: path.dropFirst())
  }

  /// The element `index` of the array that `path` leads to; `nil` when there is none.
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
