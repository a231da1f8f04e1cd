/// The system's clock.
package enum Clock {
  /// The time since the epoch in microseconds.
  package static func microseconds() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
  }

  /// The time since some moment in milliseconds, for measuring: nobody sets it.
  package static func steadyMilliseconds() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// Waits; a signal may end the wait early.
  package static func pause(milliseconds: Int) {
    var time = timespec()
    time.tv_sec = .init(milliseconds / 1000)
    time.tv_nsec = .init(milliseconds % 1000 * 1_000_000)
    _ = unsafe nanosleep(&time, nil)
  }
}
