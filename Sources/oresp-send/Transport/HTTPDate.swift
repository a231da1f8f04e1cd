/// Dates as HTTP has them (RFC 9110, section 5.6.7).
package enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// The seconds since the epoch of `text`, in one of the three forms: `Sun, 06 Nov 1994 08:49:37
  /// GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. `nil` when it is none.
  package static func seconds(_ text: String) -> Int? {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "-" || $0 == "," })
    guard words.count == 5 || words.count == 6 else { return nil }
    // Only the last form has no time zone, and the month before the day.
    let isBare = words.count == 5
    let (day, month, year, time) =
      isBare ? (words[2], words[1], words[4], words[3]) : (words[1], words[2], words[3], words[4])
    guard isBare || words[5] == "GMT", let number = months.firstIndex(of: month.lowercased()),
      let day = digits(day, upTo: 31), day > 0, let year = self.year(year),
      let seconds = ofDay(time)
    else { return nil }
    return days(year, number + 1, day) * 86_400 + seconds
  }

  /// Two digits are of the fifty years around 2020.
  private static func year(_ text: Substring) -> Int? {
    guard let year = digits(text, upTo: 9999) else { return nil }
    return text.utf8.count > 2 ? year : year + (year < 70 ? 2000 : 1900)
  }

  private static func ofDay(_ time: Substring) -> Int? {
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    // A leap second is the sixtieth.
    guard parts.count == 3, let hour = digits(parts[0], upTo: 23),
      let minute = digits(parts[1], upTo: 59), let second = digits(parts[2], upTo: 60)
    else { return nil }
    return (hour * 60 + minute) * 60 + second
  }

  private static func digits(_ text: Substring, upTo highest: Int) -> Int? {
    guard 1...4 ~= text.utf8.count, text.utf8.allSatisfy({ 48...57 ~= $0 }),
      let value = Int(text), value <= highest
    else { return nil }
    return value
  }

  /// The days from 1 January 1970 to a date of the Gregorian calendar: years begin in March here, so
  /// that the leap day is the last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }
}
