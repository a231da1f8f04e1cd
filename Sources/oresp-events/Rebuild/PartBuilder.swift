import Core

/// A content part or a part of a summary, as far as its events told it.
struct PartBuilder {
  /// The part as it was sent last; `nil` when only pieces of it came.
  private var whole: JSONValue?
  private let type: String
  /// The member that holds the text.
  private let field: String
  private var text: SpelledText?
  private var annotations = Indexed<JSONValue>()
  private var logprobs: [JSONValue] = []

  init(type: String, field: String = "text") {
    (self.type, self.field) = (type, field)
  }

  /// Takes the whole part: at its start, when its text is still to come, or at its end.
  mutating func set(_ part: Span<UInt8>, isDone: Bool) {
    whole = JSONValue(object: part) ?? whole
    guard isDone else { return }
    text = nil
    annotations = Indexed()
    logprobs = []
  }

  mutating func append(_ delta: Span<UInt8>) {
    if text == nil {
      text = SpelledText()
      if case .raw(let start)? = whole?[field] { text?.append(start.span) }
    }
    text?.append(delta)
  }

  mutating func set(text value: Span<UInt8>) {
    if text == nil { text = SpelledText() }
    text?.set(value)
  }

  mutating func annotate(_ index: Int?, _ annotation: Span<UInt8>) {
    annotations[index ?? (annotations.last ?? -1) + 1] = .raw([UInt8](copying: annotation))
  }

  /// Appends the elements of `list`, an array.
  mutating func append(logprobs list: Span<UInt8>) {
    var children = JSONChildren()
    while let child = children.next(in: list) {
      logprobs.append(.raw([UInt8](copying: list.extracting(child.value))))
    }
  }

  var value: JSONValue {
    var value = whole ?? .object([("type", .text(type))])
    if let text {
      value[field] = text.value
    } else if value[field] == nil {
      value[field] = .text("")
    }
    if !annotations.isEmpty { value["annotations"] = .array(annotations.sorted.map(\.value)) }
    if !logprobs.isEmpty { value["logprobs"] = .array(logprobs) }
    return value
  }
}
