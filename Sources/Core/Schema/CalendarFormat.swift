/// Dates and times as RFC 3339 has them.
enum CalendarFormat {
  /// `full-date`, section 5.6, with the days that the month has.
  static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    guard let year = number(&rest, digits: 4), take(&rest, "-"),
      let month = number(&rest, digits: 2), (1...12).contains(month), take(&rest, "-"),
      let day = number(&rest, digits: 2), rest.isEmpty
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  /// `full-time`, section 5.6; a leap second only where it is 23:59:60 in UTC.
  static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    guard let hour = number(&rest, digits: 2), hour < 24, take(&rest, ":"),
      let minute = number(&rest, digits: 2), minute < 60, take(&rest, ":"),
      let second = number(&rest, digits: 2), second <= 60
    else { return false }
    if take(&rest, ".") {
      guard let digit = rest.popFirst(), ASCII.isDigit(digit) else { return false }
      while let digit = rest.first, ASCII.isDigit(digit) { rest.removeFirst() }
    }
    guard let offset = minutesFromUTC(rest) else { return false }
    return second < 60 || (hour * 60 + minute - offset + 2880) % 1440 == 1439
  }

  private static func minutesFromUTC(_ bytes: ArraySlice<UInt8>) -> Int? {
    var rest = bytes
    if take(&rest, "Z") || take(&rest, "z") { return rest.isEmpty ? 0 : nil }
    let isWest = rest.first == ASCII.minus
    guard isWest || rest.first == UInt8(ascii: "+") else { return nil }
    rest.removeFirst()
    guard let hour = number(&rest, digits: 2), hour < 24, take(&rest, ":"),
      let minute = number(&rest, digits: 2), minute < 60, rest.isEmpty
    else { return nil }
    return (hour * 60 + minute) * (isWest ? -1 : 1)
  }

  /// A duration, appendix A: weeks alone, or units in their order without a gap between them.
  static func isDuration(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    guard take(&rest, "P") else { return false }
    if rest.last == UInt8(ascii: "W") { return isUnits(rest, "W") }
    let parts = rest.split(separator: UInt8(ascii: "T"), omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return isUnits(parts[0], "YMD")
    case 2: return (parts[0].isEmpty || isUnits(parts[0], "YMD")) && isUnits(parts[1], "HMS")
    default: return false
    }
  }

  /// Whether `bytes` are digits and a unit, once or more, the units next to each other in `order`.
  private static func isUnits(_ bytes: ArraySlice<UInt8>, _ order: StaticString) -> Bool {
    var units: [UInt8] = []
    units.append(order)
    var rest = bytes
    var last: Int?
    while !rest.isEmpty {
      let digits = rest.prefix(while: ASCII.isDigit).count
      rest = rest.dropFirst(digits)
      guard digits > 0, let unit = rest.popFirst(), let place = units.firstIndex(of: unit),
        last == nil || place == (last ?? 0) + 1
      else { return false }
      last = place
    }
    return last != nil
  }

  private static func take(_ rest: inout ArraySlice<UInt8>, _ character: Unicode.Scalar) -> Bool {
    guard let byte = rest.first, UInt32(byte) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, digits: Int) -> Int? {
    let taken = rest.prefix(digits)
    guard taken.count == digits, taken.allSatisfy(ASCII.isDigit) else { return nil }
    rest = rest.dropFirst(digits)
    return taken.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
  }
}
