/// The state of an event that its line does not show, for an event that is kept for later.
package struct EventState {
  private let inputPlace: Notice.Place
  private let step: Lifecycle.Step
  private let lane: Int
  private let response: ResponseName?
  private let block: EventBlock?

  package init(_ event: borrowing Event) {
    (inputPlace, step, lane) = (event.inputPlace, event.step, event.lane)
    (response, block) = (event.response, event.block)
  }

  /// Whether the event is no more than its line.
  fileprivate var isPlain: Bool { step == .inside && block == nil }

  /// Gives the state to `event`.
  fileprivate func restore(_ event: inout Event) {
    (event.inputPlace, event.step, event.lane) = (inputPlace, step, lane)
    (event.response, event.block) = (response, block)
  }
}

extension Event {
  /// An event that was kept, with the line `line`, which has no place in the input.
  package init(of line: Span<UInt8>, _ state: EventState) {
    self.init(of: line)
    state.restore(&self)
  }

  /// Becomes the next kept event of its response, whose line is at `line` in `bytes`. Its own line
  /// is at `former`; `nil` before the first event. A next event that repeats it is a continuation,
  /// even if events of other responses came between them.
  package mutating func become(
    _ state: EventState, _ line: Range<Int>, behind former: Range<Int>?, in bytes: Span<UInt8>
  ) {
    let model = state.isPlain && isModel ? former : nil
    if model.map({ goOn(from: $0, to: line, in: bytes) }) != true {
      begin(at: inputPlace)
      note(bytes.extracting(line))
      if isModel { noteContents(in: bytes.extracting(line)) }
    }
    state.restore(&self)
  }
}
