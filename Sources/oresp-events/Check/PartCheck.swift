import Core

/// One value of an item: the pieces of it that came.
struct PartCheck {
  let key: PartKey
  private(set) var name: TextName
  /// The highest index of its list so far.
  var highestIndex = -1
  /// Whether an event opened the part that holds it, so that another must close the part.
  private(set) var wasAdded = false
  /// Whether the item had it when the item was opened.
  private(set) var wasBrought = false
  /// Whether the part, not only the value, ended.
  var isClosed = false
  private var value = StreamedValue()
  /// Whether something came that is no text and cannot be compared.
  private var isOpaque = false

  init(_ key: PartKey, _ name: TextName) { (self.key, self.name) = (key, name) }

  var hasDeltas: Bool { value.hasDeltas }
  var isDone: Bool { value.isDone }

  /// Starts it with `text`, which is no delta. With `wasBrought` its item had it, else an event
  /// opens it.
  mutating func open(_ name: TextName, with text: Span<UInt8>, wasBrought: Bool) {
    self.name = name
    self.wasBrought = wasBrought
    wasAdded = !wasBrought
    isClosed = false
    isOpaque = false
    value = StreamedValue()
    guard Self.isText(text) else { return }
    JSONString.withText(of: text) { value.append($0) }
  }

  /// Appends a piece.
  mutating func append(delta: Span<UInt8>) {
    if Self.isText(delta) { value.append(delta: delta) } else { isOpaque = true }
  }

  /// Replaces the pieces that came by `whole`. Returns how `whole` differs from them, if it does.
  @discardableResult
  mutating func complete(with whole: Span<UInt8>) -> (got: String, expected: String)? {
    let isKnown = (hasDeltas || isDone) && !isOpaque
    isOpaque = !Self.isText(whole)
    if isOpaque {
      let former = value.text.count
      value.replace(with: Span())
      guard isKnown, former > 0 else { return nil }
      return ("no text", "the \(former) bytes that came before")
    }
    return JSONString.withText(of: whole) { text in
      let (relation, former) = value.replace(with: text)
      guard isKnown, relation != .continues(from: text.count) else { return nil }
      let how =
        switch relation {
        case .continues: "bytes that go on"
        case .isShorter: "bytes, too few"
        case .conflicts: "other bytes"
        }
      return ("\(text.count) \(how)", "the \(former) bytes that came before")
    }
  }

  /// Whether `whole` is a text of which no piece came before.
  func isNew(_ whole: Span<UInt8>) -> Bool {
    !hasDeltas && !isDone && whole.count > 2 && Self.isText(whole) && value.text.count == 0
  }

  private static func isText(_ value: Span<UInt8>) -> Bool {
    !value.isEmpty && value[0] == ASCII.quote
  }
}

extension TextName {
  /// The rule that its pieces are the same as its whole.
  var mismatch: CheckRule {
    switch self {
    case .refusal: .refusalMismatch
    case .reasoning: .reasoningMismatch
    case .summary: .summaryMismatch
    case .arguments: .argumentsMismatch
    case .input: .inputMismatch
    case .code: .codeMismatch
    case .command: .commandMismatch
    case .diff: .diffMismatch
    default: .textMismatch
    }
  }

  /// Whether known servers do not open its part.
  var isOftenUnopened: Bool { [.reasoning, .summary, .command].contains(self) }
}
