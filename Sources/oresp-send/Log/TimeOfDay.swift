/// Moments as ISO 8601 has them.
package enum TimeOfDay {
  /// The moment `seconds` after the epoch in UTC, such as `2026-01-31T12:00:00Z`.
  package static func text(epochSeconds seconds: Int) -> String {
    let (days, rest) = (floor(seconds, 86_400), seconds - floor(seconds, 86_400) * 86_400)
    // Years begin in March here, so that the leap day is the last; an era has 400 of them.
    let shifted = days + 719_468
    let era = floor(shifted, 146_097)
    let day = shifted - era * 146_097
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    let date = [
      padded(era * 400 + year + (month <= 2 ? 1 : 0), 4), padded(month, 2),
      padded(dayOfYear - (153 * march + 2) / 5 + 1, 2),
    ]
    let time = [padded(rest / 3600, 2), padded(rest / 60 % 60, 2), padded(rest % 60, 2)]
    return date.joined(separator: "-") + "T" + time.joined(separator: ":") + "Z"
  }

  private static func floor(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
