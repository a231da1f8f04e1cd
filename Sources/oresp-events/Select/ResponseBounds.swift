import Core

/// Where responses begin and end in a stream, told from the types of events alone, as the verdict
/// tells it.
struct ResponseBounds {
  /// What an event is to the response that it belongs to.
  enum Mark {
    /// The first; `afterCut` when the response before began, or failed, and did not end.
    case first(afterCut: Bool)
    /// The terminal event.
    case last
    /// An error, which `response.failed` may follow.
    case error
    case inside
  }

  /// Whether a response began, or was told to have failed, and has not ended.
  var isUnfinished: Bool { isOpen || hasFailed }

  private var isOpen = false
  private var hasFailed = false

  mutating func handle(_ type: EventType?) -> Mark {
    switch type?.family {
    case .lifecycle: return lifecycle(type?.row.name.description ?? "")
    case .error:
      hasFailed = true
      return .error
    default: return .inside
    }
  }

  private mutating func lifecycle(_ name: String) -> Mark {
    switch name {
    case "response.connecting": return .inside
    case "response.queued", "response.in_progress":
      // After an error the response is over, whatever a proxy still says of its state.
      if isUnfinished { return .inside }
    case "response.created": break
    default:
      (isOpen, hasFailed) = (false, false)
      return .last
    }
    defer { (isOpen, hasFailed) = (true, false) }
    return .first(afterCut: isUnfinished)
  }
}
