import Core

/// A part of an item, built from its events: an element of one of its lists, as a part of a content,
/// a command or the output of one, or all that stands in no list.
struct ItemPart {
  /// Its place in its item: the name of its list, and its index there. What stands in no list is one
  /// part, with an empty name.
  struct Key: Hashable {
    let list: String
    let index: Int

    init(_ value: ItemValue, _ index: Int) {
      list = value.listName
      self.index = value.list.isEmpty ? 0 : index
    }
  }

  /// The value that came first of it: it names the list, and the type of a part that no event sent.
  let value: ItemValue
  let index: Int
  /// The part as an event sent it last; `nil` when only pieces of it came.
  private var sent: JSONValue?
  private var texts: [SpelledText] = []
  private var annotations = Indexed<JSONValue>()
  private var logprobs: [JSONValue] = []
  /// The most bytes of a text that are kept, without log probabilities; `nil` for all of both.
  private let textLimit: Int?

  init(_ value: ItemValue, at index: Int, textLimit: Int?) {
    self.value = value
    self.index = index
    self.textLimit = textLimit
  }

  /// Sets the whole part: at its start, before its text has come, or at its end. What is empty at
  /// its end stays as it came before.
  mutating func set(_ part: Span<UInt8>, isDone: Bool) {
    sent = .raw([UInt8](copying: part))
    guard isDone else { return }
    texts.removeAll { text in
      text.isEmpty || !part.isPart(text.value.part) || !part.isEmptyValue(at: text.value.members)
    }
    if !part.isEmptyValue(at: ["annotations"]) { annotations = Indexed() }
    if !part.isEmptyValue(at: ["logprobs"]) { logprobs = [] }
  }

  /// The number of the text of `value`, which is appended if there is none.
  mutating func number(of value: ItemValue) -> Int {
    if let known = texts.firstIndex(where: { $0.value === value }) { return known }
    texts.append(SpelledText(value, limit: textLimit ?? .max))
    return texts.count - 1
  }

  /// Appends `piece` to the text `number`.
  @inline(__always)
  mutating func append(_ piece: Span<UInt8>, to number: Int) { texts[number].append(piece) }

  /// Replaces the text `number` by `whole`.
  mutating func replace(_ number: Int, by whole: Span<UInt8>) { texts[number].replace(by: whole) }

  mutating func annotate(_ index: Int?, _ annotation: Span<UInt8>) {
    annotations[index ?? (annotations.last ?? -1) + 1] = .raw([UInt8](copying: annotation))
  }

  /// Appends the elements of `list`, an array of log probabilities, if they are kept.
  mutating func append(logprobs list: Span<UInt8>) {
    if textLimit != nil { return }
    for place in JSONChildren.elements(at: list.indices, in: list) {
      logprobs.append(.raw([UInt8](copying: list.extracting(place))))
    }
  }

  /// The part with what came of it. Where no event sent it whole, it is `element` of the item as
  /// that was sent last.
  func json(in element: JSONValue?) -> JSONValue {
    let known = (sent ?? element)?.opened
    var part = known ?? .object(value.part.map { [("type", .text($0.description))] } ?? [])
    for text in texts { part.change(at: text.value.members) { $0 = text.json(behind: $0) } }
    if known == nil, texts.isEmpty, value.part != nil { part["text"] = .text("") }
    if !annotations.isEmpty { part["annotations"] = .array(annotations.sorted) }
    if !logprobs.isEmpty { part["logprobs"] = .array(logprobs) }
    return part
  }
}

/// A text joined from JSON strings and kept as it is spelled: the bytes between the quotes of each
/// delta are appended, so that even a character whose escapes come in two deltas is whole.
struct SpelledText {
  let value: ItemValue
  private var inside: [UInt8] = []
  /// Whether an event brought it whole.
  private var isWhole = false
  private let limit: Int

  /// An empty text. Deltas behind `limit` bytes are dropped.
  init(_ value: ItemValue, limit: Int) { (self.value, self.limit) = (value, limit) }

  var isEmpty: Bool { inside.isEmpty }

  /// Appends `piece`, if it is a JSON string.
  @inline(__always)
  mutating func append(_ piece: Span<UInt8>) {
    guard inside.count < limit, piece.count >= 2, piece[0] == ASCII.quote else { return }
    inside.append(copying: piece.extracting(1..<piece.count - 1))
  }

  /// Replaces all that came by `whole`, a JSON string. An empty end takes nothing away.
  mutating func replace(by whole: Span<UInt8>) {
    guard whole.count > 2, whole[0] == ASCII.quote else { return }
    inside = [UInt8](copying: whole.extracting(1..<whole.count - 1))
    isWhole = true
  }

  /// The text as one JSON string. The deltas repeat `opening`, the text with which it opened, or go
  /// on with it.
  func json(behind opening: JSONValue) -> JSONValue {
    let own = [ASCII.quote] + inside + [ASCII.quote]
    guard !isWhole, case .raw(let first) = opening, first.count > 2, first[0] == ASCII.quote,
      !own.dropLast().starts(with: first.dropLast())
    else { return .raw(own) }
    if first.dropLast().starts(with: own.dropLast()) { return opening }
    return .raw(Array(first.dropLast()) + inside + [ASCII.quote])
  }
}
