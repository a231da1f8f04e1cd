/// Bytes with a name: the characters that the grammars of this module turn on.
package enum ASCII {
  package static let tab = UInt8(ascii: "\t")
  package static let lf = UInt8(ascii: "\n")
  package static let cr = UInt8(ascii: "\r")
  package static let recordSeparator: UInt8 = 0x1E
  package static let space = UInt8(ascii: " ")
  package static let quote = UInt8(ascii: "\"")
  package static let comma = UInt8(ascii: ",")
  package static let minus = UInt8(ascii: "-")
  package static let point = UInt8(ascii: ".")
  package static let zero = UInt8(ascii: "0")
  package static let nine = UInt8(ascii: "9")
  package static let colon = UInt8(ascii: ":")
  package static let openBracket = UInt8(ascii: "[")
  package static let backslash = UInt8(ascii: "\\")
  package static let closeBracket = UInt8(ascii: "]")
  package static let openBrace = UInt8(ascii: "{")
  package static let closeBrace = UInt8(ascii: "}")

  /// Whether `byte` is white space in JSON (RFC 8259, section 2).
  @inline(__always)
  package static func isSpace(_ byte: UInt8) -> Bool {
    byte == space || byte == lf || byte == cr || byte == tab
  }

  /// Whether `byte` is one of the digits 0 to 9.
  @inline(__always)
  package static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= nine }

  /// Whether `byte` is one of the letters a to z and A to Z.
  @inline(__always)
  package static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
  }

  @inline(__always)
  package static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  /// `byte`, or the small letter for a capital one.
  @inline(__always)
  package static func lowercased(_ byte: UInt8) -> UInt8 {
    isLetter(byte) ? byte | 0x20 : byte
  }
}
