/// The kinds of value that JSON knows (RFC 8259, section 3).
package enum JSONKind: String, Sendable {
  case null, boolean, number, string, array, object

  /// The kind of the value that begins with `byte`.
  package init(firstByte byte: UInt8) {
    switch byte {
    case ASCII.quote: self = .string
    case ASCII.openBrace: self = .object
    case ASCII.openBracket: self = .array
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
    case UInt8(ascii: "n"): self = .null
    default: self = .number
    }
  }
}
