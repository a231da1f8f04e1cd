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

  /// The moment `seconds` after the epoch, in UTC, as `format` says (strftime).
  package static func text(epochSeconds seconds: Int, _ format: String) -> String {
    var time = time_t(seconds)
    var parts = unsafe tm()
    unsafe gmtime_r(&time, &parts)
    var text = [CChar](repeating: 0, count: 100)
    let size = text.count
    let count = unsafe strftime(&text, size, format, &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
