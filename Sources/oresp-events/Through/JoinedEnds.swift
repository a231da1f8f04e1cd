import Core

/// Lines that stand at the end of a FILE since its recording broke off there, held until the join
/// shows whether they are true: the toolkit's own error, and a piece of an event.
///
/// An error is void once its response ends, a piece once the number behind it has come.
struct JoinedEnds {
  struct End {
    let file: JoinFile
    let line: HeldEvent?
    let isCut: Bool
    /// What the reader found wrong with the line.
    let notices: [Notice]
    /// The line before it in its FILE.
    fileprivate let trail: JoinOrder.Trail
  }

  private(set) var held: [End] = []

  /// Holds the line at which `file` stands.
  mutating func hold(_ file: JoinFile, behind trail: JoinOrder.Trail) {
    let isCut = file.line?.kind == .cut
    let line = file.heldLine
    held.append(
      End(file: file, line: line, isCut: isCut, notices: file.notices, trail: trail))
  }

  /// Removes and returns the ends that are void. `hasBegun` says whether a response has its
  /// beginning: one that broke off in its first event stands behind no number.
  mutating func takeVoid(hasBegun: Bool) -> [End] {
    take { end in
      guard let lane = end.trail.lane, let number = end.trail.number else { return hasBegun }
      if lane.response != end.trail.response { return true }
      guard end.isCut else { return lane.hasEnd }
      return lane.last.map { $0 > number } == true && !lane.hasHole(behind: number)
    }
  }

  /// Removes and returns the ends of responses of `lanes`.
  mutating func take(of lanes: [JoinLane]) -> [End] {
    take { end in lanes.contains { $0 === end.trail.lane } }
  }

  private mutating func take(_ isTaken: (End) -> Bool) -> [End] {
    let taken = held.filter(isTaken)
    held.removeAll(where: isTaken)
    return taken
  }
}
