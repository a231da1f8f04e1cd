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
    fileprivate let number: Int
  }

  /// The ends of one lane. Its errors are all of one response, since those of a former one are void;
  /// each FILE has one cut at most.
  private struct Lane {
    var errors: [End] = []
    var cuts: [End] = []

    var isEmpty: Bool { errors.isEmpty && cuts.isEmpty }
  }

  /// The ends behind a number, by the lanes of those.
  private var lanes: [ObjectIdentifier: Lane] = [:]
  /// The ends behind none.
  private var others: [End] = []
  /// The number of ends so far.
  private var count = 0

  /// Holds the line at which `file` stands.
  mutating func hold(_ file: JoinFile, behind trail: JoinOrder.Trail) {
    count += 1
    let end = End(
      file: file, line: file.heldLine, isCut: file.line?.kind == .cut, notices: file.notices,
      trail: trail, number: count)
    guard let lane = trail.lane else { return others.append(end) }
    if end.isCut {
      lanes[ObjectIdentifier(lane), default: Lane()].cuts.append(end)
    } else {
      lanes[ObjectIdentifier(lane), default: Lane()].errors.append(end)
    }
  }

  /// Removes and returns the ends that are void, once a line of `lane` was printed or held.
  /// `hasBegun` says whether a response has its beginning: one that broke off in its first event
  /// stands behind no number.
  mutating func takeVoid(of lane: JoinLane?, hasBegun: Bool) -> [End] {
    var void: [End] = []
    if hasBegun, !others.isEmpty { swap(&void, &others) }
    guard let lane, !lanes.isEmpty, var held = lanes[ObjectIdentifier(lane)] else { return void }
    func isFormer(_ end: End) -> Bool { lane.response != end.trail.response }
    // The last error may be of a FILE that is behind.
    let hasVoidError =
      lane.hasEnd || held.errors.first.map(isFormer) == true
      || held.errors.last.map(isFormer) == true
    func isVoid(_ end: End) -> Bool {
      guard !isFormer(end) else { return true }
      guard end.isCut, let number = end.trail.number else { return lane.hasEnd }
      return lane.last.map { $0 > number } == true && !lane.hasHole(behind: number)
    }
    if hasVoidError {
      void += held.errors.filter(isVoid)
      held.errors.removeAll(where: isVoid)
    }
    void += held.cuts.filter(isVoid)
    held.cuts.removeAll(where: isVoid)
    lanes[ObjectIdentifier(lane)] = held.isEmpty ? nil : held
    return void.sorted { $0.number < $1.number }
  }

  /// Removes and returns the ends of responses of `lanes`.
  mutating func take(of lanes: [JoinLane]) -> [End] {
    let taken = lanes.compactMap { self.lanes.removeValue(forKey: ObjectIdentifier($0)) }
    return taken.flatMap { $0.errors + $0.cuts }.sorted { $0.number < $1.number }
  }

  /// Removes and returns all ends.
  mutating func takeAll() -> [End] {
    let taken = others + lanes.values.flatMap { $0.errors + $0.cuts }
    lanes = [:]
    others = []
    return taken.sorted { $0.number < $1.number }
  }
}
