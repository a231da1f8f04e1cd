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
  /// The stamp of the event that came last.
  private var last: Int?
  private var hasEvents = false

  package init(speed: Double) { self.speed = speed }

  /// When the event that arrived at `stamp` is due, by the clock that says `now`; `nil` when it has
  /// no time.
  package mutating func due(_ stamp: Int?, now: Int) -> Int? {
    hasEvents = true
    guard let stamp else { return nil }
    let start = self.start ?? now
    self.start = start
    let gap = max(0, stamp - (last ?? stamp))
    last = stamp
    // The bound keeps it a number that fits an Int, however odd the recording.
    elapsedMicroseconds = min(elapsedMicroseconds + Double(gap) / speed, 1e15)
    return start + Int((elapsedMicroseconds / 1000).rounded(.down))
  }

  /// Takes the end of an input: what lies between two recordings is not waited for.
  package mutating func endInput() { last = nil }

  /// What is wrong with a recording of which no event has a time.
  var complaint: [Notice] {
    hasEvents && start == nil ? [.unstamped("no event has a time")] : []
  }

  /// The speed that `text` means, a positive decimal number; `nil` when it is none.
  package static func speed(_ text: String) -> Double? {
    let isPlain = text.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
    guard isPlain, let speed = Double(text), speed > 0, speed.isFinite else { return nil }
    return speed
  }
}
