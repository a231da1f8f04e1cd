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

  var name: String { index.map { "\(list.split(separator: ".").last ?? "")[\($0)]" } ?? "it" }
}

/// One value of an item, as far as its pieces came.
struct PartCheck {
  let key: PartKey
  let name: TextName
  /// Whether an event opened a part that holds it, and so must close it.
  let wasAdded: Bool
  /// Whether the item had it when it was opened.
  var wasBrought = false
  /// Whether the part, not only the value, was told to be at its end.
  var isClosed = false
  private var value = StreamedValue()
  /// Whether something came that is no text, so that it cannot be compared.
  private var isOpaque = false

  init(_ key: PartKey, _ name: TextName, wasAdded: Bool = false) {
    (self.key, self.name, self.wasAdded) = (key, name, wasAdded)
  }

  var hasDeltas: Bool { value.hasDeltas }
  var isDone: Bool { value.isDone }

  /// Takes what the value starts with, which is no delta.
  mutating func start(_ text: Span<UInt8>) {
    guard Self.isText(text) else { return }
    let decoded = JSONString.decoded(text)
    value.append(decoded.span)
  }

  mutating func append(delta: Span<UInt8>) {
    guard Self.isText(delta) else {
      isOpaque = true
      return
    }
    var decoded: [UInt8] = []
    value.append(delta: delta, into: &decoded)
  }

  /// Takes the whole value and reports, by `rule`, when it is not what came before.
  mutating func complete(
    with whole: Span<UInt8>, by rule: CheckRule, _ report: inout CheckReport
  ) {
    defer { replace(with: whole) }
    guard hasDeltas || isDone, !isOpaque else { return }
    if let got = difference(from: whole) {
      report.add(rule, got, expected: "the \(value.text.count) bytes that came before")
    }
  }

  /// Whether `whole` has a text that no piece of came before.
  func isNew(_ whole: Span<UInt8>) -> Bool {
    !hasDeltas && !isDone && whole.count > 2 && Self.isText(whole) && value.text.count == 0
  }

  /// Takes the whole value unseen.
  mutating func replace(with whole: Span<UInt8>) {
    isOpaque = !Self.isText(whole)
    let text = isOpaque ? [] : JSONString.decoded(whole)
    value.replace(with: text.span)
  }

  private mutating func difference(from whole: Span<UInt8>) -> String? {
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
    CheckRule(rawValue: "\(self)-mismatch").flatMap { $0 == .outputMismatch ? nil : $0 }
      ?? .textMismatch
  }

  /// Whether servers are known that leave the opening of its part out.
  var isOftenUnopened: Bool { [.reasoning, .summary, .command].contains(self) }
}
