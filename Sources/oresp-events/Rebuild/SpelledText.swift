package import Core

/// A text that is put together from JSON strings, kept as it is spelled: what stands between the
/// quotes of one delta is laid behind that of the last, so that even a character whose escapes come
/// in two deltas is whole.
package struct SpelledText {
  private var inside: [UInt8] = []

  package init() {}

  /// Appends `value`, if it is a JSON string.
  package mutating func append(_ value: Span<UInt8>) {
    guard value.count >= 2, value[0] == ASCII.quote else { return }
    inside.append(copying: value.extracting(1..<value.count - 1))
  }

  /// Takes `value`, if it is a JSON string, in the place of all that came before.
  package mutating func set(_ value: Span<UInt8>) {
    guard value.count >= 2, value[0] == ASCII.quote else { return }
    inside.removeAll(keepingCapacity: true)
    append(value)
  }

  /// The text as one JSON string.
  package var value: JSONValue { .raw([ASCII.quote] + inside + [ASCII.quote]) }
}
