import Core

/// A part of an item, built from its events: an element of one of its lists, as a part of a content,
/// a command or the output of one, or a value that stands in no list.
struct ItemPart {
  /// A text joined from JSON strings and kept as it is spelled: the bytes between the quotes of each
  /// delta are appended, so that even a character whose escapes come in two deltas is whole.
  private struct Text {
    let value: ItemValue
    var inside: [UInt8] = []

    /// Appends `piece`, if it is a JSON string. What goes past `limit` bytes is dropped.
    @inline(__always)
    mutating func append(_ piece: Span<UInt8>, upTo limit: Int) {
      guard inside.count < limit, piece.count >= 2, piece[0] == ASCII.quote else { return }
      inside.append(copying: piece.extracting(1..<piece.count - 1))
    }
  }

  /// The value that came first of it: it names the list, and the type of a part that no event sent.
  let value: ItemValue
  /// Its index in its list.
  let index: Int
  /// The part as an event sent it last; `nil` when only pieces of it came.
  private var sent: JSONValue?
  private var texts: [Text] = []
  /// The annotations, each with its index, in the order in which they came.
  private var annotations: [(Int, JSONValue)] = []
  private var logprobs: [JSONValue] = []
  /// The most bytes of a text that comes in deltas; `nil` for all of it, and log probabilities.
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
      text.inside.isEmpty || !part.isPart(text.value.part)
        || !part.isEmptyValue(at: text.value.members)
    }
    if !part.isEmptyValue(at: ["annotations"]) { annotations = [] }
    if !part.isEmptyValue(at: ["logprobs"]) { logprobs = [] }
  }

  /// The number of the text of `value`, which is appended if there is none.
  mutating func number(of value: ItemValue) -> Int {
    if let known = texts.firstIndex(where: { $0.value === value }) { return known }
    texts.append(Text(value: value))
    return texts.count - 1
  }

  /// Appends `piece` to the text `number`.
  @inline(__always)
  mutating func append(_ piece: Span<UInt8>, to number: Int) {
    texts[number].append(piece, upTo: textLimit ?? .max)
  }

  /// Replaces the text `number` by `whole`, if that is a JSON string. An empty end takes nothing
  /// away.
  mutating func replace(_ number: Int, by whole: Span<UInt8>) {
    guard whole.count > 2, whole[0] == ASCII.quote else { return }
    texts[number].inside = [UInt8](copying: whole.extracting(1..<whole.count - 1))
  }

  /// Adds an annotation, which has the index `index`, or the next one.
  mutating func annotate(_ index: Int?, _ annotation: Span<UInt8>) {
    let next = (annotations.last?.0 ?? -1) &+ 1
    annotations.append((index ?? next, .raw([UInt8](copying: annotation))))
  }

  /// Appends the elements of `list`, an array of log probabilities, if they are kept.
  mutating func append(logprobs list: Span<UInt8>) {
    if textLimit != nil { return }
    for place in JSONChildren.elements(at: list.indices, in: list) {
      logprobs.append(.raw([UInt8](copying: list.extracting(place))))
    }
  }

  /// The part with what came of it, whose pieces stand for the text with which it opened. Where no
  /// event sent it whole, it is `element` of the item as that was sent last.
  func json(in element: JSONValue?) -> JSONValue {
    let known = (sent ?? element)?.opened
    var part = known ?? .object(value.part.map { [("type", .text($0.description))] } ?? [])
    for text in texts {
      part.change(at: text.value.members) { former in
        if text.inside.isEmpty, former.string?.isEmpty == false { return }
        former = .raw([ASCII.quote] + text.inside + [ASCII.quote])
      }
    }
    if known == nil, texts.isEmpty, value.part != nil { part["text"] = .text("") }
    if !annotations.isEmpty {
      part["annotations"] = .array(Dictionary(annotations) { $1 }.inOrder)
    }
    if !logprobs.isEmpty { part["logprobs"] = .array(logprobs) }
    return part
  }
}

extension [Int: JSONValue] {
  /// The values in the order of their indexes.
  var inOrder: [JSONValue] { sorted { $0.key < $1.key }.map(\.value) }
}
