/// The rules of Open Responses, the neutral standard (version 2026-04-24), that a stream or a document
/// shows; the raw value is the name in the report. The manual says what each means.
package enum StandardRule: String, CaseIterable, Sendable {
  case oneJSON = "one-json"
  case doneMark = "done-mark"
  case eventName = "event-name"
  case noID = "no-id"
  case eventType = "event-type"
  case eventMembers = "event-members"
  case sequence
  case itemMembers = "item-members"
  case itemType = "item-type"
  case itemBegins = "item-begins"
  case partOrder = "part-order"
  case itemEnds = "item-ends"
  case itemStatus = "item-status"
  case incompleteLast = "incomplete-last"
  case responseStatus = "response-status"
  case errorThenFailed = "error-then-failed"
  case errorMembers = "error-members"
  case errorStatus = "error-status"
  case responseMembers = "response-members"

  /// Whether the standard says that it must be so, not only that it should.
  package var isMust: Bool { self != .noID && self != .errorStatus }

  /// The section of the specification, or the file of its schema.
  package var section: String {
    switch self {
    case .oneJSON, .doneMark, .eventName, .noID: "Streaming HTTP Responses"
    case .eventType, .eventMembers, .sequence: "Extending streaming events"
    case .itemMembers: "Extending Items"
    case .itemType: "Items are extensible"
    case .itemBegins, .partOrder, .itemEnds: "Items are streamable"
    case .itemStatus, .incompleteLast: "Items are state machines"
    case .responseStatus: "Streaming, state machine events"
    case .errorThenFailed, .errorMembers: "Errors"
    case .errorStatus: "Error Types"
    case .responseMembers: "responses.tsp"
    }
  }
}

extension CheckRule {
  /// The rule of the standard that is broken where this one is; `nil` where the standard is silent.
  /// What is about a part of an item is `ofPart`.
  func standard(ofPart: Bool) -> StandardRule? {
    switch self {
    case .notJSON: .oneJSON
    case .nameMismatch: .eventName
    case .missingMember: .eventMembers
    case .sequenceGap, .sequenceRepeat, .sequenceDisorder: .sequence
    case .noBeginning, .noEnd, .twoEnds, .eventAfterEnd: .responseStatus
    case .addedTwice, .deltaWithoutAdded, .doneWithoutAdded: ofPart ? .partOrder : .itemBegins
    case .addedWithoutDone, .deltaAfterDone, .doneTwice: ofPart ? .partOrder : .itemEnds
    case .deltaWithoutDone, .doneWithoutDelta: .partOrder
    case .itemStatus: .itemStatus
    default: nil
    }
  }
}
