#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What a signal does to this process.
package enum SignalAction {
  case standard, ignored, handled

  /// `nil` when `signal` is none.
  package init?(of signal: Int32) {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return nil }
    #if os(Linux)
      let handler = unsafe action.__sigaction_handler.sa_handler
    #else
      let handler = unsafe action.__sigaction_u.__sa_handler
    #endif
    // SIG_DFL and SIG_IGN are no functions but the numbers 0 and 1.
    switch unsafe unsafeBitCast(handler, to: Int.self) {
    case 0: self = .standard
    case 1: self = .ignored
    default: self = .handled
    }
  }
}
