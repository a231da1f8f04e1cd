import Core

/// A pointer to a place in a JSON value (RFC 6901).
package struct JSONPointer: Equatable, Sendable {
  let text: String
  /// The names of members, and the numbers of elements, that lead there.
  let steps: [[UInt8]]

  /// `nil` when `text` is no pointer.
  package init?(_ text: String) {
    self.text = text
    var steps: [[UInt8]] = []
    var rest = text.utf8[...]
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "/") {
        steps.append([])
        continue
      }
      if byte == UInt8(ascii: "~") {
        switch rest.popFirst() {
        case UInt8(ascii: "0"): break
        case UInt8(ascii: "1"): byte = UInt8(ascii: "/")
        default: return nil
        }
      }
      guard !steps.isEmpty else { return nil }
      steps[steps.count - 1].append(byte)
    }
    self.steps = steps
  }

  /// The step to the member `name` of an object, which follows the pointer to the object.
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

  /// The pointer in `reference`, a URI that is a fragment alone, percent-decoded (section 6); `nil`
  /// when it is something else.
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
