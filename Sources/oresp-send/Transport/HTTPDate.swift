import Core

/// Dates as HTTP has them.
enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// The seconds since the epoch of `text`, in one of the three forms of RFC 9110, section 5.6.7:
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37
  /// 1994`. `nil` when it is in none. The day of the week is not compared with the date.
  static func seconds(_ text: String) -> Int? {
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
    // Two digits are a year from 1970 to 2069.
    let century = words[year].utf8.count > 2 ? 0 : years < 70 ? 2000 : 1900
    return Clock.epochSeconds(year: years + century, month: number + 1, day: day)
      + (hours * 60 + minutes) * 60 + seconds
  }

  private static func digits(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.count <= 4, text.utf8.allSatisfy(ASCII.isDigit), let value = Int(text),
      range.contains(value)
    else { return nil }
    return value
  }
}
