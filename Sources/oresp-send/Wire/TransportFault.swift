import Core

/// Why no whole reply came: a name for programs, and what happened and what to do for people.
struct TransportFault: Sendable {
  var code: String
  var message: String
  var advice: String
  /// Whether the time of the whole run is over, so that nothing can be tried again.
  var endsRun = false

  init(_ code: String, _ message: String, advice: String) {
    (self.code, self.message, self.advice) = (code, message, advice)
  }
}
