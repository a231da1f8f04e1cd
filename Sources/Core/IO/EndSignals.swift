import CProcess

/// The signals by which people and systems end a process: SIGHUP, SIGINT and SIGTERM.
package enum EndSignals {
  /// Does `work`, which the first such signal interrupts by `Failure.interrupted`, from a call that
  /// waits or from `check`. Then the signal ends the process as usual. A second signal ends it at
  /// once; one that the process ignores from its start stays ignored.
  package static func interrupt<Result>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    cprocess_begin_noting()
    defer { cprocess_end_noting() }
    do throws(Failure) {
      let result = try work()
      try check()
      return result
    } catch {
      if case .interrupted(let number) = error { cprocess_end_by_signal(number) }
      throw error
    }
  }

  /// Whether such a signal has come during `work`.
  static var hasCome: Bool { cprocess_noted_signal() != 0 }

  /// Throws `.interrupted` if such a signal has come during `work`.
  package static func check() throws(Failure) {
    let number = cprocess_noted_signal()
    if number != 0 { throw .interrupted(by: number) }
  }
}
