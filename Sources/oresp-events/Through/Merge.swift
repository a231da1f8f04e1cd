import Core

/// Joins the recordings of a stream that was resumed: leaves out what came before, and holds back
/// what stands at the end of one until a later one makes it good, or none does.
///
/// It holds an event for each input at most.
struct Merge {
  private var merger = Merger()
  private var input = 1
  /// What the inputs so far ended with.
  private var joints: [Joint] = []
  /// An error of the toolkit's own that nothing has followed yet.
  private var error: Joint?
  private var released: [(Event, [UInt8])] = []
  private var repeats = 0
  /// Whether the input was told to be out of order.
  private var hasToldOrder = false

  /// Whether the event, whose line is `line`, is to be handed on.
  mutating func take(
    _ event: Event, _ line: [UInt8], telling notices: inout [Notice]
  ) -> Bool {
    let place = StreamPlace(line.span)
    if event.type?.family == .error, place.isSynthetic, place.number == nil {
      releaseError()
      error = joint(event, line, [])
      return false
    }
    let decision = merger.handle(event, place)
    mend(place, hasPassed: decision == .pass, telling: &notices)
    if let missing = merger.missing {
      let why = "input \(input) leaves out \(missing.lowerBound) to \(missing.upperBound)"
      notices.append(Notice(.warning, why + " of the sequence numbers"))
    }
    switch decision {
    case .pass: releaseError()
    case .drop: repeats += 1
    case .tooEarly: tellOrder(&notices)
    }
    return decision == .pass
  }

  /// Keeps the faults in `notices` that the end of an input has, and the event they are about, until
  /// it is known whether a later input makes them good; whether there are any.
  mutating func putOff(
    _ notices: inout [Notice], _ event: Event? = nil, _ line: [UInt8] = []
  ) -> Bool {
    guard notices.contains(where: { $0.status == .badInput }) else { return false }
    joints.append(joint(event, line, notices))
    notices = []
    return true
  }

  /// What is to be handed on before the event that came last.
  mutating func takeReleased() -> [(Event, [UInt8])] {
    defer { released = [] }
    return released
  }

  mutating func endInput() {
    merger.endInput()
    input += 1
    hasToldOrder = false
  }

  /// Takes the end of the last input. Returns what is to be handed on.
  mutating func finish(telling notices: inout [Notice]) -> [(Event, [UInt8])] {
    releaseError()
    for joint in joints {
      notices += joint.told
      if let event = joint.event { released.append((event, joint.line)) }
    }
    notices.append(Notice(.summary, "\(repeats) events came more than once"))
    return takeReleased()
  }

  private func joint(_ event: Event?, _ line: [UInt8], _ notices: [Notice]) -> Joint {
    Joint(
      event: event, line: line, notices: notices, input: input, response: merger.response,
      last: merger.last, hadEnded: merger.hasEnded)
  }

  private mutating func mend(
    _ place: StreamPlace, hasPassed: Bool, telling notices: inout [Notice]
  ) {
    func isMended(_ joint: Joint) -> Bool {
      joint.isMended(by: place.number, of: merger.response, hasPassed: hasPassed)
    }
    if let joint = error, joint.input < input, isMended(joint) {
      notices.append(joint.mended)
      error = nil
    }
    for joint in joints where joint.input < input && isMended(joint) {
      notices.append(joint.mended)
    }
    joints.removeAll { $0.input < input && isMended($0) }
  }

  private mutating func releaseError() {
    if let joint = error, let event = joint.event { released.append((event, joint.line)) }
    error = nil
  }

  private mutating func tellOrder(_ notices: inout [Notice]) {
    guard !hasToldOrder else { return }
    hasToldOrder = true
    let why = "input \(input) begins before what was read of its response: name it first"
    notices.append(Notice(.error, why, status: .badInput))
  }
}
