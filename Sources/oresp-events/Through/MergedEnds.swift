import Core

/// The toolkit's own reports of ends, held until the join is complete. Of the `oresp.end` lines of
/// a response, the worst is kept unless the join has the response's beginning or end. An error
/// behind which another input goes on is kept unless the join has the response's end.
struct MergedEnds {
  private static let mostKnown = 1 << 16

  private var ends: [UInt64: (event: HeldEvent, exit: Int)] = [:]
  /// Errors, each with its part and the response that the part named last.
  private var errors: [(event: HeldEvent, part: Int, response: UInt64)] = []
  /// The responses whose beginning or end is in the join, and whether the end is.
  private var known: [UInt64: Bool] = [:]

  /// Holds the `oresp.end` at which `part` stands; false when it stands at none.
  mutating func holdEnd(of part: MergePart) -> Bool {
    guard part.hasEvent, part.event.type?.family == .ownEnd else { return false }
    let (bytes, range) = part.line
    let line = bytes.span.extracting(range)
    guard part.event.isOwnEnd(line) else { return false }
    let exit = JSONChildren.integer(of: "exit", in: line) ?? 0
    if let other = ends[part.clues.response], other.exit >= exit { return true }
    ends[part.clues.response] = (HeldEvent(part.event, line), exit)
    return true
  }

  /// Holds `error`, at which `part` ended behind events of `response`.
  mutating func hold(_ error: HeldEvent, of part: Int, behind response: UInt64) {
    errors.append((error, part, response))
  }

  /// Notes an event of the join.
  mutating func note(_ clues: MergeClues) {
    guard clues.isBeginning || clues.isEnd, clues.response != 0 else { return }
    if known.count == Self.mostKnown { known = [:] }
    known[clues.response] = clues.isEnd || known[clues.response] == true
  }

  /// The parts whose errors are not kept.
  var mended: [Int] { errors.filter { known[$0.response] == true }.map(\.part) }

  /// The lines that are kept: errors, then ends, sorted by their bytes.
  var left: [HeldEvent] {
    errors.filter { known[$0.response] != true }.map(\.event)
      + ends.filter { known[$0.key] == nil }.map(\.value.event).sorted {
        $0.line.lexicographicallyPrecedes($1.line)
      }
  }
}
