#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system's clock.
package enum Clock {
  /// The time since the epoch in microseconds.
  package static func microseconds() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
  }
}
