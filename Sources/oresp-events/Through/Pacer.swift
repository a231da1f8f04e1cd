import Core

/// Tells when each event of a recording is due, by the time that its line has (`oresp.at`).
///
/// It counts from the first event that has a time, so that a late one does not delay the next.
package struct Pacer {
  /// How many times as fast as recorded.
  private let speed: Double
  /// When the replay began, and how much of it is over at the event that came last.
  private var start: Int?
  private var elapsedMicroseconds = 0.0
  /// The recorded time of the event that came last.
  private var lastSeconds: Double?

  package init(speed: Double) { self.speed = speed }

  /// When the event whose line is `line` is due, by the clock that says `now`; `nil` when it has no
  /// time.
  package mutating func due(_ line: Span<UInt8>, now: Int) -> Int? {
    guard let seconds = Self.time(of: line) else { return nil }
    let start = self.start ?? now
    self.start = start
    // The times have six decimals; what a difference of doubles has behind them is noise.
    let gap = (max(0, seconds - (lastSeconds ?? seconds)) * 1_000_000).rounded()
    lastSeconds = seconds
    // The bound keeps it a number that fits an Int, however odd the recording.
    elapsedMicroseconds = min(elapsedMicroseconds + gap / speed, 1e15)
    return start + Int((elapsedMicroseconds / 1000).rounded(.down))
  }

  /// Takes the end of an input: what lies between two recordings is not waited for.
  package mutating func endInput() { lastSeconds = nil }

  /// The time at which the event whose line is `line` was received, in seconds.
  package static func time(of line: Span<UInt8>) -> Double? {
    guard let value = JSONChildren.value(of: "oresp", "at", in: line) else { return nil }
    guard let time = Double(String(decoding: line.extracting(value))), time.isFinite else {
      return nil
    }
    return time
  }

  /// The speed that `text` means, a positive decimal number; `nil` when it is none.
  package static func speed(_ text: String) -> Double? {
    let isPlain = text.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
    guard isPlain, let speed = Double(text), speed > 0, speed.isFinite else { return nil }
    return speed
  }
}
