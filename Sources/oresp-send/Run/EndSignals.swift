import Core

/// The signals by which people and systems end a process: SIGHUP, SIGINT and SIGTERM.
enum EndSignals {
  /// Calls `work` with the signal's number, on a thread of its own, before such a signal ends the
  /// process as usual. A signal that the process ignores from its start stays ignored.
  static func precede(with work: @escaping @Sendable (Int) -> Void) {
    let watch = Watch(work)
    // Threads that start after this block the signals, too, and leave them to the watch.
    unsafe pthread_sigmask(SIG_BLOCK, &watch.signals, nil)
    let context = unsafe Unmanaged.passRetained(watch).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failed = unsafe pthread_create(&thread, nil, serve, context)
    guard failed != 0 else { return }
    unsafe Unmanaged<Watch>.fromOpaque(context).release()
    unsafe pthread_sigmask(SIG_UNBLOCK, &watch.signals, nil)
  }

  /// The signals to wait for, and the work to do when one comes.
  fileprivate final class Watch {
    let work: @Sendable (Int) -> Void
    var signals = sigset_t()

    init(_ work: @escaping @Sendable (Int) -> Void) {
      self.work = work
      unsafe sigemptyset(&signals)
      for signal in [SIGHUP, SIGINT, SIGTERM] where !isIgnored(signal) {
        unsafe sigaddset(&signals, signal)
      }
    }

    private func isIgnored(_ number: Int32) -> Bool {
      var action = sigaction()
      unsafe sigaction(number, nil, &action)
      #if os(Linux)
        let handler = unsafe action.__sigaction_handler.sa_handler
      #else
        let handler = unsafe action.__sigaction_u.__sa_handler
      #endif
      // SIG_IGN is the number 1 in place of a function.
      return unsafe unsafeBitCast(handler, to: Int.self) == 1
    }

    func wait() {
      var number: Int32 = 0
      while unsafe sigwait(&signals, &number) != 0 {}
      work(Int(number))
      // Unblocked, the signal reaches its own handler, which removes the files of `NewFile`.
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      kill(getpid(), number)
    }
  }
}

#if canImport(Darwin)
  private func serve(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<EndSignals.Watch>.fromOpaque(context).takeRetainedValue().wait()
    return nil
  }
#else
  private func serve(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<EndSignals.Watch>.fromOpaque(context).takeRetainedValue().wait()
    return nil
  }
#endif
