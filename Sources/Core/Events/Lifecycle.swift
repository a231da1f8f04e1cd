/// Tracks the responses of a stream: its events show where each begins, goes on, fails and ends.
///
/// `response.created` begins a response, and so does another lifecycle event that follows an end,
/// or has another id than the open response. An error fails the response that is open; its terminal
/// event may still follow. A whole Response by itself begins and ends in one event.
///
/// A stream of another endpoint (`EventFamily.standsAlone`) begins with its first event, of any
/// type.
package struct Lifecycle: Sendable {
  /// An event's part in the life of its response.
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
    /// Whether the response before it began or failed, and did not end.
    package var leavesCut = false
    /// Whether it repeats an earlier event, and so counts for nothing; `Responses` decides that.
    package var isRepeated = false
    /// Whether an event of its response with a higher number came before it; for an end, whether
    /// events before it are missing or out of order.
    package var isLate = false

    package static let inside = Step(kind: .inside)
  }

  /// Whether a response began and has not ended.
  package private(set) var isOpen = false
  /// Whether an error came that no terminal event has followed.
  package private(set) var hasFailed = false
  /// Whether the last event of a response was its end.
  package private(set) var hasEnded = false
  /// The id of the response; empty when none is known.
  package private(set) var id = ""
  /// The sequence number of `response.created`, until another lifecycle event comes.
  private(set) var created: Int?
  /// The family of the last event that began or ended a response or another endpoint's stream.
  private var family = EventFamily.lifecycle

  package init() {}

  /// Whether a response began, or an error came, and no end has followed.
  package var isUnfinished: Bool { isOpen || hasFailed }

  /// Handles the next event, whose line is `line`.
  package mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) -> Step {
    guard let type = event.type else { return .inside }
    switch type.family {
    case .lifecycle: break
    case .error:
      hasFailed = true
      return Step(kind: .fails)
    case .transcription, .speech, .image: return handle(alone: type)
    default: return .inside
    }
    let isBehindOther = leavesOther(type)
    let newID = event.text(of: "response", "id", in: line)
    switch type.phase {
    case .start:
      defer { created = event.sequenceNumber(in: line) }
      return begin(newID)
    case .terminal: return end(newID, event.isSynthetic(line), isBehindOther)
    default:
      // A relay may repeat a response's state behind its end: {"type":"response.in_progress",…}
      if hasEnded, !isUnfinished, !newID.isEmpty, newID == id { return .inside }
      guard isUnfinished, !isBehindOther, !isOther(newID) || follows(event.sequenceNumber(in: line))
      else {
        return begin(newID)
      }
      if !newID.isEmpty { id = newID }
      created = nil
      return Step(kind: .goesOn)
    }
  }

  /// Ends the input.
  package mutating func conclude() { self = Lifecycle() }

  /// Handles an event of another endpoint's stream.
  private mutating func handle(alone type: EventType) -> Step {
    let isBehindOther = leavesOther(type)
    guard type.phase != .done else { return end("", false, isBehindOther) }
    return isUnfinished && !isBehindOther ? .inside : begin("")
  }

  /// Whether a response or stream of another family than `type`'s began and has not ended.
  private mutating func leavesOther(_ type: EventType) -> Bool {
    defer { family = type.family }
    return isOpen && family != type.family
  }

  private mutating func begin(_ newID: String) -> Step {
    defer {
      (isOpen, hasFailed, hasEnded, id, created) = (true, false, false, newID, nil)
    }
    return Step(kind: .begins, isFirst: true, leavesCut: isUnfinished)
  }

  /// Ends the open response. A server may give it another id at its end; only an event that the
  /// toolkit made of a whole Response is another response then.
  private mutating func end(
    _ newID: String, _ isSynthetic: Bool, _ isBehindOther: Bool
  ) -> Step {
    var step = Step(kind: .ends)
    if isUnfinished {
      step.leavesCut =
        isBehindOther || isOther(newID) && isSynthetic
      step.isFirst = step.leavesCut
    } else {
      step.isFirst = true
    }
    if !newID.isEmpty || step.isFirst { id = newID }
    (isOpen, hasFailed, hasEnded, created) = (false, false, true, nil)
    return step
  }

  private func isOther(_ newID: String) -> Bool { !newID.isEmpty && !id.isEmpty && newID != id }

  /// Whether the event's number follows the number of `response.created`: GitHub Copilot gives each
  /// event another id.
  private func follows(_ number: Int?) -> Bool {
    guard let created, let number else { return false }
    return number > 0 && number - 1 == created
  }
}
