import Core

/// The facts of each open response of a stream.
struct OpenFacts {
  private var open = PerResponse<ResponseFacts?>(nil)
  /// Whether lines of a log of `oresp-send` came.
  private(set) var hasLogged = false

  /// Reads what an event says of its response. Returns the facts of a line that `oresp-send --log`
  /// wrote.
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>) -> ResponseFacts? {
    guard event.step != .again, let response = event.response else { return nil }
    if event.isLogged(line) {
      hasLogged = true
      return ResponseFacts(logged: line)
    }
    // Most events say nothing of their response.
    if event.step == .inside, ![.lifecycle, .metadata].contains(event.type?.family) { return nil }
    if open[response] == nil { open[response] = ResponseFacts(tag: response.tag) }
    open[response]?.update(with: event, line)
    return nil
  }

  /// Returns the facts of a response that is over; `nil` for one of which only lines of a log came.
  mutating func close(_ response: Response) -> ResponseFacts? {
    var facts = open.remove(response)
    facts?.close(response)
    return facts
  }
}
