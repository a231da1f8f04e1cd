#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Lets one thread at a time do something.
@safe package final class Lock: @unchecked Sendable {
  private let raw: UnsafeMutablePointer<pthread_mutex_t>

  package init() {
    unsafe raw = .allocate(capacity: 1)
    unsafe pthread_mutex_init(raw, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(raw)
    unsafe raw.deallocate()
  }

  package func hold<Result, Failed: Error>(
    _ work: () throws(Failed) -> Result
  ) throws(Failed) -> Result {
    unsafe pthread_mutex_lock(raw)
    defer { unsafe pthread_mutex_unlock(raw) }
    return try work()
  }
}
