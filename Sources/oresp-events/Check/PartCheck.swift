import Core

/// Where in its item a value stands.
struct PartKey: Hashable {
  /// The item's member that lists it, or the value's name where none does.
  var list: String
  /// Its number in the list; `nil` where there is none.
  var index: Int?

  init(_ value: ItemValue, _ index: Int) {
    let isListed = !value.list.isEmpty
    list = isListed ? value.listName : String(describing: value.name)
    self.index = isListed ? index : nil
  }

  var name: String { index.map { "\(list.split(separator: ".").last ?? "")[\($0)]" } ?? list }
}

/// One value of an item, as far as its pieces came.
final class PartCheck {
  let key: PartKey
  private(set) var name: TextName
  /// Whether an event opened a part that holds it, and so must close it.
  private(set) var wasAdded = false
  /// Whether the item had it when it was opened.
  private(set) var wasBrought = false
  /// Whether the part, not only the value, was told to be at its end.
  var isClosed = false
  private var value = StreamedValue()
  /// Whether something came that is no text, so that it cannot be compared.
  private var isOpaque = false

  init(_ key: PartKey, _ name: TextName) { (self.key, self.name) = (key, name) }

  var hasDeltas: Bool { value.hasDeltas }
  var isDone: Bool { value.isDone }

  /// Starts it with `text`, which is no delta; whether its item brought it, or an event opened it.
  func open(_ name: TextName, with text: Span<UInt8>, wasBrought: Bool) {
    (self.name, self.wasBrought, wasAdded, isClosed) = (name, wasBrought, !wasBrought, false)
    (value, isOpaque) = (StreamedValue(), false)
    guard Self.isText(text) else { return }
    let decoded = JSONString.decoded(text)
    value.append(decoded.span)
  }

  /// Takes a piece.
  func append(delta: Span<UInt8>) {
    guard Self.isText(delta) else {
      isOpaque = true
      return
    }
    var decoded: [UInt8] = []
    value.append(delta: delta, into: &decoded)
  }

  /// Takes the whole value, and tells how it differs from what came before, if it does.
  func complete(with whole: Span<UInt8>) -> (got: String, expected: String)? {
    defer { replace(with: whole) }
    guard hasDeltas || isDone, !isOpaque, let got = difference(from: whole) else { return nil }
    return (got, "the \(value.text.count) bytes that came before")
  }

  /// Whether `whole` has a text that no piece of came before.
  func isNew(_ whole: Span<UInt8>) -> Bool {
    !hasDeltas && !isDone && whole.count > 2 && Self.isText(whole) && value.text.count == 0
  }

  /// Takes the whole value unseen.
  func replace(with whole: Span<UInt8>) {
    isOpaque = !Self.isText(whole)
    let text = isOpaque ? [] : JSONString.decoded(whole)
    value.replace(with: text.span)
  }

  private func difference(from whole: Span<UInt8>) -> String? {
    guard Self.isText(whole) else {
      // Some servers give an object where the pieces were its spelling.
      if !whole.isEmpty, whole[0] == ASCII.openBrace { return nil }
      return value.text.count == 0 ? nil : "no text"
    }
    let decoded = JSONString.decoded(whole)
    switch value.complete(with: decoded.span) {
    case .continues(let end) where end == decoded.count: return nil
    case .continues: return "\(decoded.count) bytes that go on"
    case .isShorter: return "\(decoded.count) bytes, too few"
    case .conflicts: return "\(decoded.count) other bytes"
    }
  }

  private static func isText(_ value: Span<UInt8>) -> Bool {
    !value.isEmpty && value[0] == ASCII.quote
  }
}

extension TextName {
  /// The rule that its pieces and its whole are the same.
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

  /// Whether servers are known that leave the opening of its part out.
  var isOftenUnopened: Bool { [.reasoning, .summary, .command].contains(self) }
}
