import Core

/// The ends of responses that the selections which are joined reported. Where the join has the
/// beginning or the end of the response itself, it is judged by that; else the worst of them is
/// left. The same holds of the errors with which the toolkit ended an input where another goes on.
struct MergedEnds {
  private static let mostKnown = 1 << 16

  private var held: [UInt64: (event: HeldEvent, exit: Int)] = [:]
  private var known: Set<UInt64> = []
  /// Errors, each with the response that its input named last.
  private var errors: [(event: HeldEvent, response: UInt64, input: String)] = []
  private var ended: Set<UInt64> = []

  /// Keeps the end that `part` stands at, if it stands at one.
  mutating func holds(_ part: MergePart) -> Bool {
    guard part.hasEvent, part.event.type?.family == .ownEnd else { return false }
    let (bytes, place) = part.line
    let event = HeldEvent(part.event, bytes.span.extracting(place))
    guard part.event.isOwnEnd(event.line.span) else { return false }
    let exit = JSONChildren.integer(of: "exit", in: event.line.span) ?? 0
    if let other = held[part.clues.response], other.exit >= exit { return true }
    held[part.clues.response] = (event, exit)
    return true
  }

  mutating func note(_ clues: MergeClues) {
    guard clues.isBeginning || clues.isEnd, clues.response != 0 else { return }
    if known.count == Self.mostKnown { known = [] }
    known.insert(clues.response)
    if ended.count == Self.mostKnown { ended = [] }
    if clues.isEnd { ended.insert(clues.response) }
  }

  /// Keeps `error`, with which the toolkit ended `input`, behind events of `response`.
  mutating func keep(_ error: HeldEvent, of response: UInt64, in input: String) {
    errors.append((error, response, input))
  }

  /// The errors that hold, as no end of their response came, and the inputs of the others.
  var errorsLeft: (hold: [HeldEvent], others: [String]) {
    let hold = errors.filter { !ended.contains($0.response) }
    let others = errors.filter { ended.contains($0.response) }
    return (hold.map(\.event), others.map(\.input))
  }

  /// What is left, in no order that means anything but always the same.
  var left: [HeldEvent] {
    held.filter { !known.contains($0.key) }.map(\.value.event).sorted {
      $0.line.lexicographicallyPrecedes($1.line)
    }
  }
}
