/// The state of a number in its grammar (RFC 8259, section 6).
enum JSONNumberState {
  case start, minus, zero, digits, point, fraction, exponent, exponentSign, exponentDigits

  /// Whether a number that ends here is whole.
  var isWhole: Bool {
    self == .zero || self == .digits || self == .fraction || self == .exponentDigits
  }

  /// The state behind `byte`; `nil` when `byte` is no part of the number.
  func behind(_ byte: UInt8) -> JSONNumberState? {
    let (isDigit, isPoint) = (ASCII.isDigit(byte), byte == UInt8(ascii: "."))
    let isPower = byte | 0x20 == UInt8(ascii: "e")
    let isSign = byte == ASCII.minus || byte == UInt8(ascii: "+")
    return switch self {
    case .start where byte == ASCII.minus: .minus
    case .start, .minus: byte == ASCII.zero ? .zero : isDigit ? .digits : nil
    case .zero: isPoint ? .point : isPower ? .exponent : nil
    case .digits: isDigit ? .digits : isPoint ? .point : isPower ? .exponent : nil
    case .point: isDigit ? .fraction : nil
    case .fraction: isDigit ? .fraction : isPower ? .exponent : nil
    case .exponent where isSign: .exponentSign
    case .exponent, .exponentSign, .exponentDigits: isDigit ? .exponentDigits : nil
    }
  }
}
