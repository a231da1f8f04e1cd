#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Moments as HTTP and ISO 8601 write them, by the system's calendar.
package enum Moment {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// The seconds since the epoch of `text`, a date in one of the three forms of RFC 9110, section
  /// 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6
  /// 08:49:37 1994`. `nil` when it is in none. The day of the week is not compared with the date.
  package static func seconds(http text: String) -> Int? {
    let words = text.split { " -,:".contains($0) }
    guard words.count == 7 || words.count == 8 && words[7] == "GMT" else { return nil }
    // Only the last form has no time zone; it has the month before the day, and the year last.
    let (day, month, year, hour) = words.count == 7 ? (2, 1, 6, 3) : (1, 2, 3, 4)
    guard let number = months.firstIndex(of: words[month].lowercased()),
      let day = digits(words[day], 1...31), let hours = digits(words[hour], 0...23),
      let minutes = digits(words[hour + 1], 0...59),
      // A leap second is the sixtieth.
      let seconds = digits(words[hour + 2], 0...60), let years = digits(words[year], 0...9999)
    else { return nil }
    var time = unsafe tm()
    // Two digits are a year from 1970 to 2069.
    let century: Int32 = words[year].utf8.count > 2 ? -1900 : years < 70 ? 100 : 0
    unsafe (time.tm_year, time.tm_mon, time.tm_mday) = (years + century, Int32(number), day)
    unsafe (time.tm_hour, time.tm_min, time.tm_sec) = (hours, minutes, seconds)
    return unsafe Int(timegm(&time))
  }

  private static func digits(_ text: Substring, _ range: ClosedRange<Int32>) -> Int32? {
    guard text.utf8.count <= 4, text.utf8.allSatisfy({ 48...57 ~= $0 }), let value = Int32(text),
      range.contains(value)
    else { return nil }
    return value
  }

  /// The moment `seconds` after the epoch in UTC, such as `2026-01-31T12:00:00Z`.
  package static func text(epochSeconds seconds: Int) -> String {
    var (moment, time) = (time_t(seconds), unsafe tm())
    _ = unsafe gmtime_r(&moment, &time)
    let year = unsafe String(10_000 + time.tm_year + 1900).dropFirst()
    let rest = unsafe [time.tm_mon + 1, time.tm_mday, time.tm_hour, time.tm_min, time.tm_sec]
    let parts = rest.map { String(100 + $0).dropFirst() }
    return "\(year)-\(parts[0])-\(parts[1])T\(parts[2]):\(parts[3]):\(parts[4])Z"
  }
}
