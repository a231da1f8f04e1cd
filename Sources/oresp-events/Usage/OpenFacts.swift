import Core

/// The facts of each open response of a stream.
struct OpenFacts {
  private var open = PerResponse<ResponseFacts?>(nil)
  /// Whether lines of a log of `oresp-send` came.
  private(set) var hasLogged = false

  /// Reads what an event says of its response. Returns the facts of a line that `oresp-send --log`
  /// wrote.
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) -> ResponseFacts? {
    guard !event.step.isRepeated, event.response != nil else { return nil }
    if event.isLogged(line) {
      hasLogged = true
      return ResponseFacts(logged: line)
    }
    if event.step.isFirst { open[event.slot] = ResponseFacts(tag: event.response?.tag ?? []) }
    // Most events say nothing of their response.
    if event.step.isFirst || event.step.kind != .inside || event.type?.family == .metadata {
      open[event.slot]?.update(with: event, line)
    }
    return nil
  }

  /// Returns the facts of a response that is over; `nil` for one of which only lines of a log came.
  mutating func close(_ ended: EndedResponse) -> ResponseFacts? {
    defer { open[ended.slot] = nil }
    open[ended.slot]?.close(ended.response)
    return open[ended.slot]
  }
}
