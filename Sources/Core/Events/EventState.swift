/// The state of an event that its line does not show, for an event that is kept for later.
package struct EventState {
  private let place: Notice.Place
  private let step: Step
  private let response: Response?
  private let item: Int
  private let goesOn: Bool
  private let block: EventBlock?
  private let isUntypedBlock: Bool
  private let isHeartbeat: Bool
  private let isDocument: Bool
  private let isBareError: Bool
  private let told: Int?

  package init(_ event: borrowing Event) {
    place = event.place
    step = event.step
    response = event.response
    item = event.item
    goesOn = event.goesOn
    block = event.block
    isUntypedBlock = event.isUntypedBlock
    isHeartbeat = event.isHeartbeat
    isDocument = event.isDocument
    isBareError = event.isBareError
    told = event.told
  }

  /// Gives the state to `event`.
  fileprivate func restore(_ event: inout Event) {
    event.place = place
    event.step = step
    event.response = response
    event.item = item
    event.goesOn = goesOn
    event.block = block
    event.isUntypedBlock = isUntypedBlock
    event.isHeartbeat = isHeartbeat
    event.isDocument = isDocument
    event.isBareError = isBareError
    event.told = told
  }
}

extension Event {
  /// An event that was kept, with the line `line`, which has no place in the input.
  package init(of line: Span<UInt8>, _ state: EventState) {
    self.init(of: line)
    state.restore(&self)
    if isDocument { noteOutput(of: line) }
  }
}
