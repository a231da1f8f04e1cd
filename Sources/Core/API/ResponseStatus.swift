/// The states of a response, as the API spells its `status`.
package enum ResponseStatus: String {
  case queued
  case inProgress = "in_progress"
  case completed
  case incomplete
  case failed
  case cancelled

  /// Whether a response in this state has ended.
  package var isFinal: Bool { self != .queued && self != .inProgress }
}
