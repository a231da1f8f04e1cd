/// The formats of strings that structured outputs know (JSON Schema 2020-12, Validation section
/// 7.3).
enum SchemaFormat: String, Sendable {
  case dateTime = "date-time"
  case time, date, duration, email, hostname, ipv4, ipv6, uuid

  /// Whether `text` is of the format.
  func holds(for text: Span<UInt8>) -> Bool {
    let bytes = [UInt8](copying: text)[...]
    switch self {
    case .dateTime:
      guard bytes.count > 11, [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(bytes[10]) else {
        return false
      }
      return CalendarFormat.isDate(bytes[..<10]) && CalendarFormat.isTime(bytes[11...])
    case .date: return CalendarFormat.isDate(bytes)
    case .time: return CalendarFormat.isTime(bytes)
    case .duration: return CalendarFormat.isDuration(bytes)
    case .email: return HostFormat.isEmail(bytes)
    case .hostname: return HostFormat.isHostname(bytes)
    case .ipv4: return HostFormat.isIPv4(bytes)
    case .ipv6: return HostFormat.isIPv6(bytes)
    case .uuid: return Self.isUUID(bytes)
    }
  }

  /// RFC 4122, section 3.
  private static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == 36
      && bytes.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index)
          ? byte == ASCII.minus : JSONString.hexDigit(byte) != nil
      }
  }
}
