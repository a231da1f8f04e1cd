/// Where the responses of a stream begin, go on, fail and end, told from their events.
///
/// `response.created` begins a response, and so does another event of a response that has not been
/// seen to begin: one that follows an end, or has another id than the response that is open. An
/// error fails the response that is open; its terminal event may still follow. A whole Response by
/// itself begins and ends in one event.
///
/// The streams of other endpoints have no event that begins them: the first does, whatever it is
/// (`EventFamily.standsAlone`).
package struct Lifecycle: Sendable {
  /// What an event is to its response.
  package struct Step: Equatable, Sendable {
    package enum Kind: Sendable {
      /// It begins a response.
      case begins
      /// It tells again of a response that is open, or has failed.
      case goesOn
      /// It is an error.
      case fails
      /// It is a terminal event.
      case ends
      /// It tells nothing of where the response is.
      case inside
    }

    package var kind: Kind
    /// Whether no event before this one told of its response.
    package var isFirst = false
    /// Whether the response before it had begun, or failed, and did not end.
    package var leavesCut = false
    /// Whether it came before, so that it counts for nothing; `Judge` decides that.
    package var isRepeated = false
    /// Whether it stands behind an event of its response with a higher number; of an end, whether
    /// the numbers before it do not all stand there in order.
    package var isLate = false

    package static let inside = Step(kind: .inside)
  }

  /// Whether a response began and has not ended.
  package private(set) var isOpen = false
  /// Whether an error was told that no terminal event has followed.
  package private(set) var hasFailed = false
  /// Whether the last event of a response was its end.
  package private(set) var hasEnded = false
  /// The id of the response; empty when none was told.
  package private(set) var id = ""
  /// The id with which it began.
  private(set) var firstID = ""
  /// The sequence number of `response.created`, as long as no other event told of the response.
  private(set) var created: Int?
  /// What began or ended last: a response, or the stream of another endpoint.
  private var family = EventFamily.lifecycle

  package init() {}

  /// Whether a response began, or was told to have failed, and has not ended.
  package var isUnfinished: Bool { isOpen || hasFailed }

  /// Takes the next event, whose line is `line`.
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
    let told = event.text(of: "response", "id", in: line)
    switch type.phase {
    case .start:
      defer { created = event.sequenceNumber(in: line) }
      return begin(told)
    case .terminal: return end(told, event.isSynthetic(line), isBehindOther)
    default:
      // What a relay still says of a response behind its end is no other one.
      if hasEnded, !isUnfinished, !told.isEmpty, told == id { return .inside }
      guard isUnfinished, !isBehindOther, !isOther(told) || follows(event.sequenceNumber(in: line))
      else {
        return begin(told)
      }
      if !told.isEmpty { id = told }
      created = nil
      return Step(kind: .goesOn)
    }
  }

  /// Takes the end of the input.
  package mutating func conclude() { self = Lifecycle() }

  /// Takes an event of the stream of another endpoint.
  private mutating func handle(alone type: EventType) -> Step {
    let isBehindOther = leavesOther(type)
    guard type.phase != .done else { return end("", false, isBehindOther) }
    return isUnfinished && !isBehindOther ? .inside : begin("")
  }

  /// Whether something else than what `type` is about began and has not ended.
  private mutating func leavesOther(_ type: EventType) -> Bool {
    defer { family = type.family }
    return isOpen && family != type.family
  }

  private mutating func begin(_ told: String) -> Step {
    defer {
      (isOpen, hasFailed, hasEnded, id, firstID, created) = (true, false, false, told, told, nil)
    }
    return Step(kind: .begins, isFirst: true, leavesCut: isUnfinished)
  }

  /// A server can give a response another id at its end; a whole Response that the toolkit made an
  /// event of is another.
  private mutating func end(
    _ told: String, _ isSynthetic: Bool, _ isBehindOther: Bool
  ) -> Step {
    var step = Step(kind: .ends)
    if isUnfinished {
      step.leavesCut =
        isBehindOther || isOther(told) && isSynthetic
      step.isFirst = step.leavesCut
    } else {
      step.isFirst = true
    }
    if step.isFirst { firstID = told }
    if !told.isEmpty || step.isFirst { id = told }
    (isOpen, hasFailed, hasEnded, created) = (false, false, true, nil)
    return step
  }

  private func isOther(_ told: String) -> Bool { !told.isEmpty && !id.isEmpty && told != id }

  /// Whether the event comes right behind `response.created` by its number: GitHub Copilot gives
  /// each event another id.
  private func follows(_ number: Int?) -> Bool {
    guard let created, let number else { return false }
    return number > 0 && number - 1 == created
  }
}
