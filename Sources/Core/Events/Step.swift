/// What an event does to its response (`Responses`).
package enum Step: Sendable {
  /// It belongs to no response.
  case none
  /// It is the first event of its response, and neither fails nor ends it.
  case begins
  /// It stands between the others.
  case inside
  /// It is an error, behind which the response is still open.
  case fails
  /// It is the end of its response.
  case ends
  /// It repeats an earlier event, or came behind the end of its response: it counts for nothing.
  case again
}
