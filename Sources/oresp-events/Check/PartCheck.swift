import Core

/// One value of an item, as far as its pieces came.
struct PartCheck {
  let kind: ValueKind
  /// Whether a part was opened that holds it.
  let wasAdded: Bool
  /// Whether the part, not only the value, was told to be at its end.
  var isClosed = false
  private(set) var hasDeltas = false
  private(set) var isDone = false
  private var text = StreamedText()
  private var decoder = JSONStringDecoder()
  /// Whether something came that is no text, so that it cannot be compared.
  private var isOpaque = false

  init(_ kind: ValueKind, wasAdded: Bool) { (self.kind, self.wasAdded) = (kind, wasAdded) }

  /// Takes what the value starts with, which is no delta.
  mutating func start(_ value: Span<UInt8>) {
    if !value.isEmpty, value[0] == ASCII.quote { append(value) }
  }

  mutating func take(delta: Span<UInt8>) {
    hasDeltas = true
    guard !delta.isEmpty, delta[0] == ASCII.quote else {
      isOpaque = true
      return
    }
    append(delta)
  }

  /// Takes the whole value and reports, by `rule`, when it is not what came before.
  mutating func take(whole: Span<UInt8>, by rule: CheckRule, _ report: inout CheckReport) {
    defer { set(whole) }
    guard hasDeltas || isDone, !isOpaque else { return }
    finish()
    if let got = difference(from: whole) {
      report.add(rule, got, expected: "the \(text.count) bytes that came before")
    }
  }

  /// Whether `whole` has a text that no piece of came before.
  func isNew(_ whole: Span<UInt8>) -> Bool {
    !hasDeltas && !isDone && whole.count > 2 && whole[0] == ASCII.quote && text.count == 0
  }

  /// Whether there is a text that should be in the whole.
  var hasText: Bool { text.count > 0 }

  private func difference(from whole: Span<UInt8>) -> String? {
    guard !whole.isEmpty, whole[0] == ASCII.quote else {
      // Some servers give an object where the pieces were its spelling.
      if !whole.isEmpty, whole[0] == ASCII.openBrace { return nil }
      return text.count == 0 ? nil : "no text"
    }
    let decoded = JSONString.decoded(whole)
    switch text.compare(with: decoded.span) {
    case .continues(let end) where end == decoded.count: return nil
    case .continues: return "\(decoded.count) bytes that go on"
    case .isShorter: return "\(decoded.count) bytes, too few"
    case .conflicts: return "\(decoded.count) other bytes"
    }
  }

  /// Takes the whole value unseen.
  mutating func set(_ whole: Span<UInt8>) {
    text = StreamedText()
    decoder = JSONStringDecoder()
    (isDone, isOpaque) = (true, false)
    if !whole.isEmpty, whole[0] == ASCII.quote { append(whole) } else { isOpaque = true }
  }

  private mutating func append(_ value: Span<UInt8>) {
    var decoded: [UInt8] = []
    decoder.decode(value, into: &decoded)
    text.append(decoded.span)
  }

  private mutating func finish() {
    var rest: [UInt8] = []
    decoder.finish(into: &rest)
    text.append(rest.span)
  }
}
