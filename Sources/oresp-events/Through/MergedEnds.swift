import Core

/// The ends of responses that the selections which are joined reported. Where the join has the
/// beginning or the end of the response itself, it is judged by that; else the worst of them is left.
struct MergedEnds {
  private static let mostKnown = 1 << 16

  private var held: [UInt64: (event: Event, line: [UInt8], exit: Int)] = [:]
  private var known: Set<UInt64> = []

  /// Keeps the end that `part` stands at, if it stands at one.
  mutating func holds(_ part: MergePart) -> Bool {
    guard part.hasEvent, part.event.type?.family == .ownEnd else { return false }
    let (event, (bytes, place)) = (part.event, part.line)
    let line = [UInt8](bytes[place])
    guard event.isOwnEnd(line.span) else { return false }
    let exit = JSONChildren.integer(of: "exit", in: line.span) ?? 0
    if let other = held[part.clues.response], other.exit >= exit { return true }
    held[part.clues.response] = (event, line, exit)
    return true
  }

  mutating func note(_ clues: MergeClues) {
    guard clues.isBeginning || clues.isEnd, clues.response != 0 else { return }
    if known.count == Self.mostKnown { known = [] }
    known.insert(clues.response)
  }

  /// What is left, in no order that means anything but always the same.
  var left: [(Event, [UInt8])] {
    held.filter { !known.contains($0.key) }.sorted {
      $0.value.line.lexicographicallyPrecedes($1.value.line)
    }
    .map { ($0.value.event, $0.value.line) }
  }
}
