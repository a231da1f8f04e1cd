package import Core

/// Computes when each event of a recording is due, by the time in its line (`oresp.at`).
///
/// It counts from the first event that has a time, so that a late event does not delay the next.
package struct Pacer {
  /// The speed of the replay, as a multiple of the recorded speed.
  private let speed: Double
  /// The start of the replay in milliseconds, and its length up to the event that came last.
  private var start: Int?
  private var elapsedMicroseconds = 0.0
  /// The stamp of the event that came last.
  private var last: Int?
  private var hasEvents = false

  package init(speed: Double) { self.speed = speed }

  /// The time at which the event stamped `stamp` is due, in milliseconds by the clock of `now`;
  /// `nil` when it has no stamp.
  package mutating func due(_ stamp: Int?, now: Int) -> Int? {
    hasEvents = true
    guard let stamp else { return nil }
    let start = self.start ?? now
    self.start = start
    let gap = max(0, stamp - (last ?? stamp))
    last = stamp
    // The bound keeps the sum within an Int for any recording.
    elapsedMicroseconds = min(elapsedMicroseconds + Double(gap) / speed, 1e15)
    return start + Int((elapsedMicroseconds / 1000).rounded(.down))
  }

  /// Ends an input: the gap to the next recording is not waited for.
  package mutating func endInput() { last = nil }

  /// The notice on a recording in which no event has a time; else empty.
  var complaint: [Notice] {
    hasEvents && start == nil ? [.unstamped(.error)] : []
  }

  /// The speed that `text` means, a positive decimal number; `nil` when it is none.
  package static func speed(_ text: String) -> Double? {
    let isPlain = text.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
    guard isPlain, let speed = Double(text), speed > 0, speed.isFinite else { return nil }
    return speed
  }
}

/// Lets the events of one input after another wait for their recorded times.
package struct PaceGate: EventGate {
  private var pacer: Pacer
  private let now: () -> Int
  /// Whether the event that comes next has been waited for.
  private var isDue = false

  /// `now` returns the time in milliseconds, by the clock that the pump waits by.
  package init(speed: Double, now: @escaping () -> Int = Clock.steadyMilliseconds) {
    pacer = Pacer(speed: speed)
    self.now = now
  }

  package mutating func gate(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) -> Gate {
    let stamp = isDue ? nil : Stamp.microseconds(of: event, line)
    if !isDue, let due = pacer.due(stamp, now: now()), due > now() {
      isDue = true
      output.pauseUntil = due
      return .wait
    }
    isDue = false
    return .open
  }

  package mutating func endInput() { pacer.endInput() }

  package func finish(into output: inout Output) { output.notices += pacer.complaint }
}
