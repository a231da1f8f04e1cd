import Core

/// A pointer to a place in a JSON value (RFC 6901).
package struct JSONPointer: Equatable, Sendable {
  let text: String
  /// The names of members, and the numbers of elements, that lead there.
  let steps: [[UInt8]]

  /// `nil` when `text` is no pointer.
  package init?(_ text: String) {
    self.text = text
    var steps = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard steps.removeFirst().isEmpty else { return nil }
    var names: [[UInt8]] = []
    for step in steps {
      guard let name = Self.unescaped(step) else { return nil }
      names.append(name)
    }
    self.steps = names
  }

  private static func unescaped(_ step: Substring.UTF8View) -> [UInt8]? {
    var (name, rest) = ([UInt8](), step)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        name.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "0"): name.append(byte)
      case UInt8(ascii: "1"): name.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return name
  }

  /// The step to the member `name` of an object, to be put behind a pointer to the object.
  static func step(_ name: [UInt8]) -> String {
    var step: [UInt8] = [UInt8(ascii: "/")]
    for byte in name {
      switch byte {
      case UInt8(ascii: "~"): step.append("~0")
      case UInt8(ascii: "/"): step.append("~1")
      default: step.append(byte)
      }
    }
    return String(decoding: step, as: UTF8.self)
  }

  /// The pointer in `reference`, a URI that is only a fragment, without its percent-encoding
  /// (section 6); `nil` when it is something else.
  static func fragment(of reference: String) -> [UInt8]? {
    var pointer: [UInt8] = []
    var rest = Array(reference.utf8)[...]
    guard rest.popFirst() == UInt8(ascii: "#") else { return nil }
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        pointer.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(JSONString.hexDigit),
        let low = rest.popFirst().flatMap(JSONString.hexDigit)
      else { return nil }
      pointer.append(UInt8(high << 4 | low))
    }
    return pointer.isEmpty || pointer[0] == UInt8(ascii: "/") ? pointer : nil
  }
}
