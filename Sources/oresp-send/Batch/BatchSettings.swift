import Core

/// What is said of a batch: many requests, a line each.
struct BatchSettings: Sendable {
  /// Whether many requests are to be sent, and not one.
  var isOn = false
  /// The file of requests that `--batch` names itself.
  var path: String?
  /// How many requests may be on their way at once.
  var jobs: Int?
  /// How many microseconds lie between the starts of two requests, at least.
  var spacing: Int?
  var keepsOrder = false
  /// The file with what an earlier run has answered.
  var donePath: String?
  /// Whether events are asked for and given, not whole responses.
  var givesEvents = false

  static let usualJobs = 8
}
