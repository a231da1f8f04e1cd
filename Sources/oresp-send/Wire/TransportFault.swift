import Core

/// The reason why no whole reply came: a code for programs, a message and advice for people.
struct TransportFault: Sendable {
  var code: String
  var message: String
  var advice: String
  /// Whether the time limit of the whole run is over, so that no retry is possible.
  var endsRun = false

  init(_ code: String, _ message: String, advice: String) {
    (self.code, self.message, self.advice) = (code, message, advice)
  }
}
