import Core

/// Says what keeps bytes from being a JSON text (RFC 8259), by a plain walk that shares nothing
/// with what the tools have.
enum JSONText {
  private enum Expected { case value, valueOrEnd, keyOrEnd, key, colon, commaOrEnd }

  static func fault(in text: ArraySlice<UInt8>) -> String? {
    guard String(validating: text, as: UTF8.self) != nil else { return "not UTF-8" }
    var rest = text[...]
    var open: [UInt8] = []
    var expected = Expected.value
    var isOver = false
    while true {
      rest = rest.drop { " \t\r\n".utf8.contains($0) }
      guard let byte = rest.first else { return isOver ? nil : "it ends too early" }
      guard !isOver else { return "more behind its end" }
      switch (expected, byte) {
      case (.value, UInt8(ascii: "{")), (.valueOrEnd, UInt8(ascii: "{")):
        open.append(byte)
        rest.removeFirst()
        expected = .keyOrEnd
        continue
      case (.value, UInt8(ascii: "[")), (.valueOrEnd, UInt8(ascii: "[")):
        open.append(byte)
        rest.removeFirst()
        expected = .valueOrEnd
        continue
      case (.keyOrEnd, UInt8(ascii: "}")), (.valueOrEnd, UInt8(ascii: "]")):
        open.removeLast()
        rest.removeFirst()
      case (.commaOrEnd, UInt8(ascii: "}")) where open.last == UInt8(ascii: "{"),
        (.commaOrEnd, UInt8(ascii: "]")) where open.last == UInt8(ascii: "["):
        open.removeLast()
        rest.removeFirst()
      case (.commaOrEnd, UInt8(ascii: ",")):
        rest.removeFirst()
        expected = open.last == UInt8(ascii: "{") ? .key : .value
        continue
      case (.colon, UInt8(ascii: ":")):
        rest.removeFirst()
        expected = .value
        continue
      case (.key, UInt8(ascii: "\"")), (.keyOrEnd, UInt8(ascii: "\"")):
        guard takeString(&rest) else { return "a broken key" }
        expected = .colon
        continue
      case (.value, _), (.valueOrEnd, _):
        guard takeScalar(&rest) else { return "a broken value" }
      default: return "an unexpected \(Unicode.Scalar(byte))"
      }
      // A value has ended.
      (isOver, expected) = (open.isEmpty, .commaOrEnd)
    }
  }

  private static func takeString(_ rest: inout ArraySlice<UInt8>) -> Bool {
    rest.removeFirst()
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return true
      case 0..<0x20: return false
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return false }
        if escaped == UInt8(ascii: "u") {
          let digits = rest.prefix(4)
          let isHex = digits.allSatisfy { "0123456789abcdefABCDEF".utf8.contains($0) }
          guard digits.count == 4, isHex else { return false }
          rest.removeFirst(4)
        } else if !"\"\\/bfnrt".utf8.contains(escaped) {
          return false
        }
      default: break
      }
    }
    return false
  }

  private static func takeScalar(_ rest: inout ArraySlice<UInt8>) -> Bool {
    if rest.first == UInt8(ascii: "\"") { return takeString(&rest) }
    for word in ["true", "false", "null"] where rest.starts(with: word.utf8) {
      rest.removeFirst(word.utf8.count)
      return true
    }
    return takeNumber(&rest)
  }

  private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> Bool {
    func takeDigits() -> Int {
      let digits = rest.prefix(while: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
      rest.removeFirst(digits.count)
      return digits.count
    }
    func take(_ bytes: String) -> Bool {
      guard let byte = rest.first, bytes.utf8.contains(byte) else { return false }
      rest.removeFirst()
      return true
    }
    _ = take("-")
    let hasZero = rest.first == UInt8(ascii: "0")
    let count = takeDigits()
    guard count == 1 || count > 1 && !hasZero else { return false }
    if take("."), takeDigits() == 0 { return false }
    if take("eE") {
      _ = take("+-")
      if takeDigits() == 0 { return false }
    }
    return true
  }
}
