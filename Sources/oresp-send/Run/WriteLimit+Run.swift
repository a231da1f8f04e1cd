import Core

extension WriteLimit {
  /// The time by which the output of a run of `milliseconds` must be read: a second after its end,
  /// for its messages. `nil` for 0, which is no limit.
  init?(ofRun milliseconds: Int) {
    guard milliseconds > 0 else { return nil }
    let fault = TransportFault.overTime(milliseconds)
    self.init(
      Clock.steadyMilliseconds() + milliseconds + 1000, "nobody reads it, and \(fault.message)",
      .temporary)
  }
}
