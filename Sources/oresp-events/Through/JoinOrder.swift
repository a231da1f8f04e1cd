import Core

/// Decides whose line comes next in a join.
///
///     1.ndjson: created :a #0, delta #2, completed :a #5      2.ndjson: added #1, delta #3
///
/// comes out as 0, 1, 2, 3, 5. Line 1 leaves behind 0 without a look at other FILEs, and so do 2
/// and 3. Nothing has 4: all FILEs are asked, then the lowest number, 5, leaves, and the hole is
/// reported. A FILE that stands at the next response waits until no other goes on with this one.
struct JoinOrder {
  enum Next {
    case print(JoinFile)
    /// The same line was printed before.
    case isRepeat(JoinFile)
    /// The line ends a FILE, and is void if another FILE goes on.
    case hold(JoinFile)
    /// No FILE goes on with the responses of these lanes.
    case giveUp([JoinLane])
    /// A FILE must be read first.
    case wait
    case end
  }

  /// Where a printed line stands: its response in its lane, and its number among all lines.
  private struct Printed {
    let response: Int
    let position: Int
  }

  /// The line of a FILE that was printed last, or was passed over as a repeat.
  struct Trail {
    /// The lane of its last line with a number, the response there, and the number.
    fileprivate(set) var lane: JoinLane?
    fileprivate(set) var response = 0
    fileprivate(set) var number: Int?
    /// The number of its last line, or the line that it repeats, among all lines.
    fileprivate(set) var position = 0
  }

  /// The line at which a FILE stands.
  private struct Head {
    let line: JoinLine
    /// Its number; a line without one stays behind the line before it in its FILE.
    let number: Int?
    let lane: JoinLane
    /// What tells it from other lines: its bytes, and its place where it has no number.
    let fingerprint: UInt64
    /// The same line that was printed before.
    var copy: Printed?

    /// Whether it was printed before. A line without ids may be one of another response.
    var isRepeat: Bool {
      guard let copy else { return false }
      return number == nil || line.hasID || copy.response == lane.response && !lane.isOver
    }

    /// Whether it was printed before, or is the same in the next response.
    var mayBeRepeat: Bool { copy?.response == lane.response && lane.isOver }
  }

  private let files: [JoinFile]
  private let reportsHoles: Bool
  private var heads: [Head?]
  /// The fingerprints of the heads, which are compared with each line that is printed.
  private var fingerprints: [UInt64]
  private var trails: [Trail]
  private var lanes = RecentValues<JoinLane>(most: 1 << 14)
  private var printed = RecentValues<Printed>(most: 1 << 16)
  /// The number of lines printed so far, and the FILE of the last of them.
  private var position = 0
  private var before: Int?
  /// Whether `oresp.n` numbers the lines; `nil` before the first number.
  private var isRun: Bool?
  /// Whether all FILEs are known to have numbers.
  private var isSettled = false
  /// Whether the FILEs come one after the other, since nothing says their order.
  private var isInTurn = false
  private var hasReportedUnnumbered = false
  /// Whether the first line of a response was printed.
  private(set) var hasBegun = false

  init(_ files: [JoinFile], reportsHoles: Bool) {
    self.files = files
    self.reportsHoles = reportsHoles
    heads = Array(repeating: nil, count: files.count)
    fingerprints = Array(repeating: 0, count: files.count)
    trails = Array(repeating: Trail(), count: files.count)
  }

  func trail(of file: JoinFile) -> Trail { trails[file.index] }

  // MARK: What comes next

  /// Decides what comes next. The FILE that it names goes on to its next line then.
  mutating func next(_ notices: inout [Notice]) -> Next {
    if !isInTurn, !isSettled {
      if files.contains(where: \.hasUnsettledLines) { return .wait }
      isSettled = files.allSatisfy(\.isSettled)
      if let file = files.first(where: \.isUnnumbered) {
        if files.count(where: \.hasHadLines) > 1 {
          comeInTurn("its lines have no numbers", file, &notices)
        } else if files.contains(where: { !$0.hasHadLines && !$0.isDone }) {
          // One that comes before it may be slower.
          return .wait
        }
      }
    }
    if !isInTurn, isRun == nil { findNumbering(&notices) }
    return isInTurn ? nextInTurn() : nextInOrder(&notices)
  }

  private func nextInTurn() -> Next {
    guard let file = files.first(where: { $0.line != nil || !$0.isDone }) else { return .end }
    return file.line == nil ? .wait : .print(file)
  }

  private mutating func nextInOrder(_ notices: inout [Notice]) -> Next {
    var isStarved = false
    var unnumbered: Int?
    var follower: Int?
    var beginning: Int?
    var lowest: (file: Int, number: Int)?
    var waiting: [Int] = []
    for index in files.indices {
      guard let head = head(of: index) else {
        isStarved = isStarved || !files[index].isDone
        continue
      }
      if head.isRepeat { return passOver(index, head) }
      if isHeld(index, head) { return leave(index, .hold(files[index])) }
      guard let number = head.number else {
        if unnumbered == nil || index == before { unnumbered = index }
        continue
      }
      var standing = head.lane.standing(of: head.line, number, isRun: isRun == true)
      if head.mayBeRepeat { standing = .waits }
      switch standing {
      case .follows: if follower.map({ isNearer(index, than: $0) }) ?? true { follower = index }
      case .begins where beginning == nil: beginning = index
      case .begins, .ready: break
      case .waits:
        if isOfOtherRun(index, head) {
          comeInTurn("another file has other lines under its oresp.n", files[index], &notices)
          return nextInTurn()
        }
        waiting.append(index)
        continue
      }
      if lowest.map({ number < $0.number }) ?? true { lowest = (index, number) }
    }
    // With all FILEs at a line, the lowest number is the first of a response, too.
    let first = isStarved ? beginning : lowest?.file
    if let index = unnumbered ?? follower ?? first { return print(index, &notices) }
    if isStarved { return .wait }
    return waiting.isEmpty ? .end : endResponses(before: waiting)
  }

  /// Whether `index` comes before `other`, of two FILEs whose lines have the next number: the FILE
  /// of the line before does, then one whose item the response has.
  private func isNearer(_ index: Int, than other: Int) -> Bool {
    func distance(_ index: Int) -> Int {
      guard index != before, let head = heads[index] else { return 0 }
      if head.line.item == 0 { return 2 }
      return head.lane.knows(head.line.item) ? 1 : 3
    }
    return distance(index) < distance(other)
  }

  /// Whether the line is held: it is void if another FILE goes on where its FILE broke off.
  private func isHeld(_ index: Int, _ head: Head) -> Bool {
    guard files.count > 1 else { return false }
    switch head.line.kind {
    case .cut: return true
    case .ownError: return trails[index].lane === head.lane
    default: return false
    }
  }

  /// Whether the number of the line, which rises in its FILE, was another line's.
  private func isOfOtherRun(_ index: Int, _ head: Head) -> Bool {
    guard isRun == true, let number = head.number else { return false }
    guard let last = trails[index].number else { return true }
    return trails[index].lane === head.lane && last < number
  }

  /// Ends the responses whose next one the FILEs `waiting` begin.
  private mutating func endResponses(before waiting: [Int]) -> Next {
    let waiting = waiting.compactMap { index in heads[index].map { (index, head: $0) } }
    if let (index, head) = waiting.first(where: \.head.mayBeRepeat) { return passOver(index, head) }
    for (_, head) in waiting { head.lane.giveUp() }
    return .giveUp(waiting.map(\.head.lane))
  }

  // MARK: What is printed

  private mutating func print(_ index: Int, _ notices: inout [Notice]) -> Next {
    guard let head = heads[index] else { return .end }
    let file = files[index]
    position += 1
    if let number = head.number {
      hasBegun = hasBegun || number == 0 || head.line.kind == .created
      let last = lastBeforeFall(index, head, to: number)
      let hole = head.lane.note(head.line, number, isRun: isRun == true) { file.responseID }
      if let last {
        head.lane.noteFall()
        let help = "jq -sc 'sort_by(.sequence_number)[]' puts a file in order"
        report("sequence number \(number) comes after \(last); \(help)", file, &notices)
      } else if let hole, reportsHoles, !head.lane.hasFallen {
        notices.append(.hole(hole, head.lane, isRun: isRun == true))
      }
      trails[index].lane = head.lane
      trails[index].response = head.lane.response
      trails[index].number = number
    } else if isRun == true, head.line.sequenceNumber != nil, !hasReportedUnnumbered {
      hasReportedUnnumbered = true
      report("a line has no oresp.n, though the first line has it", file, &notices)
    }
    trails[index].position = position
    let copy = Printed(response: head.lane.response, position: position)
    printed[head.fingerprint] = copy
    before = index
    for other in fingerprints.indices where fingerprints[other] == head.fingerprint {
      heads[other]?.copy = copy
    }
    return leave(index, .print(file))
  }

  /// The number of the line before in its FILE, if the numbers fall within a response.
  private func lastBeforeFall(_ index: Int, _ head: Head, to number: Int) -> Int? {
    let lane = head.lane
    guard isRun == false, lane === trails[index].lane, lane.isOver, head.line.kind == .other,
      !lane.hasEnd || lane.knows(head.line.item), let last = trails[index].number, number <= last
    else { return nil }
    return last
  }

  private mutating func passOver(_ index: Int, _ head: Head) -> Next {
    if let copy = head.copy {
      trails[index].position = copy.position
      if let number = head.number {
        trails[index].lane = head.lane
        trails[index].response = copy.response
        trails[index].number = number
      }
    }
    return leave(index, .isRepeat(files[index]))
  }

  private mutating func leave(_ index: Int, _ next: Next) -> Next {
    heads[index] = nil
    fingerprints[index] = 0
    return next
  }

  private mutating func head(of index: Int) -> Head? {
    if let head = heads[index] { return head }
    guard let line = files[index].line else { return nil }
    let number = isRun == true ? line.runNumber : line.sequenceNumber
    let known = lanes[line.lane]
    let lane = known ?? JoinLane()
    if known == nil { lanes[line.lane] = lane }
    var fingerprint = line.content
    if number == nil { fingerprint ^= UInt64(trails[index].position + 1) &* 0x9E37_79B9_7F4A_7C15 }
    // What goes on with the line before in its FILE repeats none. Each look into the table costs.
    let goesOn =
      index == before && !lane.isOver && number != nil && number == lane.last.map { $0 + 1 }
    let copy = goesOn ? nil : printed[fingerprint]
    let head = Head(line: line, number: number, lane: lane, fingerprint: fingerprint, copy: copy)
    heads[index] = head
    fingerprints[index] = fingerprint
    return head
  }

  // MARK: What says the order

  /// Finds out if `oresp.n` numbers the lines: then each FILE has it at its first line with a
  /// number.
  private mutating func findNumbering(_ notices: inout [Notice]) {
    let first = files.compactMap { file in file.firstNumbered.map { (file, line: $0) } }
    guard !first.isEmpty else { return }
    isRun = first.allSatisfy { $0.line.runNumber != nil }
    guard isRun == false, first.contains(where: { $0.line.runNumber != nil }) else { return }
    if let (file, _) = first.first(where: { $0.line.sequenceNumber == nil }) {
      return comeInTurn("only some files have oresp.n", file, &notices)
    }
    notices.append(
      Notice(.warning, "not every file has oresp.n in its first line, so it is ignored"))
  }

  private mutating func comeInTurn(_ why: String, _ file: JoinFile, _ notices: inout [Notice]) {
    isInTurn = true
    let help = "oresp-sse --number numbers a stream before it is split"
    report("\(why), so the files come one after the other, as by cat; \(help)", file, &notices)
  }

  private func report(_ why: String, _ file: JoinFile, _ notices: inout [Notice]) {
    var notice = Notice(.error, why, status: .badInput)
    notice.input = files.count > 1 ? file.name : nil
    notices.append(notice)
  }
}

extension Notice {
  /// The report of numbers that did not come where they belong. A FILE may still have them behind
  /// its next line.
  fileprivate static func hole(
    _ hole: ClosedRange<Int>, _ lane: JoinLane, isRun: Bool
  ) -> Notice {
    let first = hole.lowerBound
    let last = hole.upperBound
    let missing = first == last ? "\(first) is missing" : "\(first) to \(last) are missing"
    let name = lane.name.isEmpty ? "a response" : lane.name
    let owner = lane.name.isEmpty ? "" : " of \(lane.name)"
    let numbers = (isRun ? "oresp.n" : "sequence numbers") + owner
    let why =
      first == 0
      ? "\(name) begins with \(isRun ? "oresp.n" : "sequence number") \(last + 1): \(missing)"
      : "\(numbers): \(missing) between \(first - 1) and \(last + 1)"
    return Notice(.error, why, status: .badInput)
  }
}
