import Core

/// The settings of a batch: many requests, one a line.
struct BatchSettings: Sendable {
  /// Whether a batch is sent, not a single request.
  var isOn = false
  /// The file of requests in the value of `--batch`.
  var path: String?
  /// The most requests on their way at once.
  var jobs = 8
  /// The least time between the starts of two requests, in microseconds.
  var spacing: Int?
  var keepsOrder = false
  /// The file with the results of an earlier run.
  var donePath: String?
  /// Whether events are requested and printed, not whole responses.
  var givesEvents = false
}
