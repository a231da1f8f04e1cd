/// An event's part in the life of its response (`Responses`).
package struct Step: Equatable, Sendable {
  package enum Kind: Sendable {
    /// It begins a response.
    case begins
    /// It brings the state of a response that is open, or has failed.
    case goesOn
    /// It is an error.
    case fails
    /// It is a terminal event.
    case ends
    /// It says nothing of the response's state.
    case inside
  }

  package var kind: Kind
  /// Whether it is the first event of its response.
  package var isFirst = false
  /// Whether it repeats an earlier event, or came behind the end of its response: it counts for
  /// nothing then.
  package var isRepeated = false

  package static let inside = Step(kind: .inside)
}
