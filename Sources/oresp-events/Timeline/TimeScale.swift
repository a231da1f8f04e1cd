import Core

/// An axis of times, and the spelling of times.
struct TimeScale {
  /// The length of the axis, in microseconds and in columns or other units of drawing.
  let total: Int
  let length: Int

  /// The position of `time`, from 0 to `length`, which must be below 512.
  func place(of time: Int) -> Int { total > 0 ? min(time, total) * length / total : 0 }

  /// The times that are marked, at round distances: at most `most`, or the first alone.
  func ticks(atMost most: Int) -> [Int] {
    let step = Self.steps.first { total / $0 < most } ?? max(1, total)
    return Array(stride(from: 0, through: total, by: step))
  }

  private static let steps: [Int] = {
    func decades(_ last: Int, _ unit: Int) -> [Int] {
      var (steps, power) = ([Int](), unit)
      for _ in 0...last {
        steps += [power, power * 2, power * 5]
        power *= 10
      }
      return steps
    }
    let second = 1_000_000
    return decades(6, 1) + [10, 20, 30, 60, 120, 300, 600, 1200, 1800].map { $0 * second }
      + decades(5, 3600 * second)
  }()

  /// `number`, rounded to three digits.
  static func threeDigits(of number: Int) -> Int {
    var grain = 1
    while number / grain >= 1000 { grain *= 10 }
    return (number + grain / 2) / grain * grain
  }

  /// `microseconds` for people, to three digits or two units: `514 ms`, `5.06 s`, `3m05s`, `2h10m`.
  static func text(_ microseconds: Int) -> String {
    let (second, minute, hour) = (1_000_000, 60_000_000, 3_600_000_000)
    let grain = microseconds < hour ? second : minute
    let time =
      microseconds < minute
      ? threeDigits(of: microseconds) : (microseconds + grain / 2) / grain * grain
    func twoDigits(_ number: Int, _ unit: String) -> String {
      number == 0 ? "" : (number < 10 ? "0" : "") + "\(number)\(unit)"
    }
    switch time {
    case 0: return "0 s"
    case ..<second: return JSONDecimal.text(time, places: 3) + " ms"
    case ..<minute: return JSONDecimal.text(time, places: 6) + " s"
    case ..<hour: return "\(time / minute)m" + twoDigits(time % minute / second, "s")
    default: return "\(time / hour)h" + twoDigits(time % hour / minute, "m")
    }
  }
}
