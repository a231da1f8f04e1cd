import Core

/// Follows the responses of a stream, and gives what is known of each when it ends.
struct ResponseTracker {
  /// A response that ended.
  enum End {
    /// It ended without a terminal event, before the event that came.
    case before(ResponseFacts)
    /// It ended with the event that came.
    case with(ResponseFacts)

    var facts: ResponseFacts {
      switch self {
      case .before(let facts), .with(let facts): facts
      }
    }
  }

  private var bounds = ResponseBounds()
  private var facts = ResponseFacts()

  /// Takes an event, and reads it further if it may tell of its response.
  mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) -> End? {
    var members: EventMembers?
    if event.type?.family == .lifecycle {
      members = EventMembers(line)
      if members == nil { output.notices.append(.brokenMember(at: event.inputPlace)) }
    }
    return handle(event, members, line)
  }

  /// Takes an event with its members, `nil` when they were not read.
  mutating func handle(_ event: Event, _ members: EventMembers?, _ line: Span<UInt8>) -> End? {
    let mark = bounds.handle(event.type)
    var cut: ResponseFacts?
    if case .first(let isAfterCut) = mark {
      cut = isAfterCut ? facts : nil
      facts = ResponseFacts()
    }
    if let type = event.type, type.family == .lifecycle, let response = members?.response {
      facts.take(line.extracting(response), of: type.row.name.description)
    }
    guard case .last = mark else { return cut.map(End.before) }
    defer { facts = ResponseFacts() }
    return .with(facts)
  }

  /// Takes the end of the input; what is known of a response that had not ended.
  mutating func finish() -> ResponseFacts? {
    bounds.isUnfinished ? facts : nil
  }
}
