import Core

/// A mutex: one thread at a time holds it.
@safe final class Lock: @unchecked Sendable {
  private let raw: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    unsafe raw = .allocate(capacity: 1)
    unsafe pthread_mutex_init(raw, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(raw)
    unsafe raw.deallocate()
  }

  /// Locks for good: any other thread that asks waits until the process ends.
  func seize() { unsafe pthread_mutex_lock(raw) }

  func hold<Result, Failed: Error>(
    _ work: () throws(Failed) -> Result
  ) throws(Failed) -> Result {
    unsafe pthread_mutex_lock(raw)
    defer { unsafe pthread_mutex_unlock(raw) }
    return try work()
  }
}
