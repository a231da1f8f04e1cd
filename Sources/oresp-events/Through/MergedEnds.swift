import Core

/// Lines with which the toolkit reports how an input or a response ended, held until the join is
/// complete: `oresp.end` of selections, of which the worst of a response holds unless the join has
/// its beginning or its end; and errors behind which another input goes on, which hold unless it
/// has the response's end.
struct MergedEnds {
  private static let mostKnown = 1 << 16

  private var ends: [UInt64: (event: HeldEvent, exit: Int)] = [:]
  /// Errors, each with its part and the response that the part named last.
  private var errors: [(event: HeldEvent, part: Int, response: UInt64)] = []
  /// The responses that the join has the beginning or the end of, and whether it has the end.
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

  /// The parts whose errors do not hold.
  var mended: [Int] { errors.filter { known[$0.response] == true }.map(\.part) }

  /// The lines that hold: errors, then ends in no order that means anything but always the same.
  var left: [HeldEvent] {
    errors.filter { known[$0.response] != true }.map(\.event)
      + ends.filter { known[$0.key] == nil }.map(\.value.event).sorted {
        $0.line.lexicographicallyPrecedes($1.line)
      }
  }
}
