import Core

/// Decides whose line comes next in a join.
///
///     1.ndjson: created :a #0, delta #2, completed :a #5      2.ndjson: added #1, delta #3
///
/// comes out as 0, 1, 2, 3, 5. Line 1 leaves behind 0 without a look at other FILEs, and so do 2
/// and 3. Nothing has 4: all FILEs are asked, then the lowest number, 5, leaves, and the hole is
/// reported. A FILE that stands at the next response waits until no other goes on with this one.
struct Join {
  enum Next {
    case print(JoinFile)
    /// The same line was printed before.
    case skip(JoinFile)
    /// The FILE ends with an error of ours, and another one goes on there.
    case leaveOut(JoinFile)
    /// A FILE must be read first.
    case wait
    case end
  }

  /// What may become of a line that has a number.
  private enum Standing {
    /// It was printed before, in the response with this number.
    case repeats(Int)
    /// Its number is the next one.
    case follows
    /// It is the first of its response, so that no other line can come before it.
    case begins
    /// It comes next only if no other FILE has a lower number.
    case ready
    /// It is of the response behind the printed one.
    case waits
  }

  /// The response of one tag that is printed, or the run that `oresp.n` numbers.
  private final class Lane {
    /// The number printed last; `nil` before the first.
    var last: Int?
    /// The number of its responses so far.
    var response = 0
    /// The id of the response, for notices.
    var name = ""
    /// Hashes of the ids of the response and its items.
    var ids: Set<UInt64> = []
    var hasItems = false
    /// Whether the response has its end, or was given up since no FILE goes on with it.
    var isOver = false
    /// The index of the FILE whose line ended the response, if that was the last line.
    var endedBy: Int?
    /// Whether its numbers fell within a FILE: a number that is missing may have come before.
    var hasFallen = false
    /// The response and the number of the last line of each FILE.
    var trails: [(response: Int, number: Int)]

    init(files: Int) { trails = Array(repeating: (0, 0), count: files) }
  }

  /// The next line of a FILE.
  private struct Head {
    let file: JoinFile
    let key: JoinKey
    /// A line without one stays behind the line before it in its FILE.
    let number: Int?
    let lane: Lane

    var trail: (response: Int, number: Int) { lane.trails[file.index] }
    /// What tells it from other lines.
    var mark: UInt64 {
      key.mark &+ UInt64(bitPattern: Int64(number ?? 0)) &* 0x9E37_79B9_7F4A_7C15
    }
    var hasKnownItem: Bool { lane.ids.contains(key.item) }
    // `response.done` behind `completed`
    var isBehindEnd: Bool {
      let isNext = number.map { $0 - 1 } == lane.last
      return isNext && !key.isBeginning && (hasKnownItem || lane.ids.contains(key.response))
    }
    /// Whether another FILE goes on where this one ends with an error of ours.
    var isVoid: Bool {
      let isFormer = trail.response > 0 && trail.response < lane.response
      return isFormer || lane.endedBy.map { $0 != file.index } ?? false
    }
  }

  private let files: [JoinFile]
  private let reportsHoles: Bool
  private var heads: [Head?]
  private var lanes = RecentValues<Lane>(most: 1 << 14)
  /// The responses in which lines were printed last, by the marks of the lines.
  private var printed = RecentValues<Int>(most: 1 << 16)
  /// The FILE of the line before.
  private var before: JoinFile?
  /// Whether `oresp.n` says the order; `nil` before the first number.
  private var isRun: Bool?
  private var hasReportedClash = false

  private static let mostIDs = 1 << 16
  private static let help = "oresp-sse --number numbers a stream before it is split"

  init(_ files: [JoinFile], reportsHoles: Bool) {
    self.files = files
    self.reportsHoles = reportsHoles
    heads = Array(repeating: nil, count: files.count)
  }

  /// Finds the numbers that say the order, once all FILEs are read to their first one: `oresp.n`, if
  /// each has it. FILEs of ends alone need none, nor does the only FILE beside them.
  mutating func begin() throws(Failure) {
    let parts = files.filter { !$0.hasLines || !$0.hasOnlyEnds }
    guard files.count > 1, parts.count != 1 else { return }
    let numbered = parts.compactMap(\.firstNumbered)
    let isRun = !numbered.isEmpty && numbered.allSatisfy { $0.runNumber != nil }
    for file in parts.isEmpty ? files : parts where file.hasLines {
      let key = file.firstNumbered
      guard (isRun ? key?.runNumber : key?.sequenceNumber) == nil else { continue }
      throw .other("\(file.name): its lines have no numbers; \(Self.help)", .badInput)
    }
    if !numbered.isEmpty { self.isRun = isRun }
  }

  // MARK: What comes next

  /// Decides what comes next. The FILE that it names goes on to its next line then.
  mutating func next(_ notices: inout [Notice]) -> Next {
    var isStarved = false
    var unnumbered: Head?
    var follower: Head?
    var beginning: Head?
    var lowest: (head: Head, number: Int)?
    var waiting: [(head: Head, number: Int)] = []
    var ends: [Head] = []
    for file in files {
      guard let head = head(of: file) else {
        isStarved = isStarved || !file.isDone
        continue
      }
      if file.isAtError || file.hasOnlyEnds, files.count > 1 {
        if file.isAtError, head.isVoid { return leave(head, .leaveOut(file)) }
        ends.append(head)
        continue
      }
      guard let number = head.number else {
        if unnumbered == nil || file === before { unnumbered = head }
        continue
      }
      switch standing(of: head, number) {
      case .repeats(let response):
        head.lane.trails[file.index] = (response, number)
        return leave(head, .skip(file))
      case .follows: if follower.map({ isNearer(head, than: $0) }) ?? true { follower = head }
      case .begins: beginning = beginning ?? head
      case .ready: break
      case .waits:
        reportClash(of: head, number, &notices)
        waiting.append((head, number))
        continue
      }
      if lowest.map({ number < $0.number }) ?? true { lowest = (head, number) }
    }
    // With all FILEs at a line, the lowest number is the first of a response, too.
    let first = isStarved ? beginning : lowest?.head
    if let head = unnumbered ?? follower ?? first { return print(head, &notices) }
    return isStarved ? .wait : endResponses(before: waiting, ends, &notices)
  }

  private mutating func standing(of head: Head, _ number: Int) -> Standing {
    let lane = head.lane
    let first = number == 0 || isRun == false && head.key.kind == .created
    guard let last = lane.last else { return first ? .begins : .ready }
    // A line that goes on in the response of the one before in its FILE is new.
    let isNew = number > last && head.trail.response == lane.response && head.key.response == 0
    if !isNew, let former = former(of: head) { return .repeats(former) }
    if lane.isOver { return head.isBehindEnd ? .follows : first ? .begins : .ready }
    guard number > last else { return .waits }
    if isRun == false, head.key.isBeginning, !lane.ids.contains(head.key.response),
      head.key.kind == .created || lane.hasItems && head.key.response != 0
    {
      return .waits
    }
    return number == last + 1 ? .follows : .ready
  }

  /// The response in which the line was printed before, as the same event; `nil` if it was not.
  private mutating func former(of head: Head) -> Int? {
    guard let response = printed[head.mark] else { return nil }
    // What a FILE has behind its line of a response is none of a former one.
    if head.key.response != 0 || response > head.trail.response { return response }
    let isSame = head.key.item != 0 || response == head.lane.response && !head.lane.isOver
    return response == head.trail.response && isSame ? response : nil
  }

  /// Whether `head` comes before `other`, if both have the next number: the FILE of the line before
  /// does, then one whose item the response has.
  private func isNearer(_ head: Head, than other: Head) -> Bool {
    func distance(_ head: Head) -> Int {
      if head.file === before { return 0 }
      if head.key.item == 0 { return 2 }
      return head.hasKnownItem ? 1 : 3
    }
    return distance(head) < distance(other)
  }

  /// Ends the responses whose next one the FILEs `waiting` begin, or all. An end that stands alone
  /// in its FILE goes last; of errors of ours at the ends of FILEs the last one of a lane counts.
  private mutating func endResponses(
    before waiting: [(head: Head, number: Int)], _ ends: [Head], _ notices: inout [Notice]
  ) -> Next {
    let errors = ends.filter { end in
      end.file.isAtError
        && (waiting.isEmpty || waiting.contains { $0.head.lane === end.lane })
    }
    if waiting.isEmpty, let end = ends.first(where: { !$0.file.isAtError }) {
      return print(end, &notices)
    }
    if let error = errors.first {
      let hasLater = errors.dropFirst().contains {
        $0.lane === error.lane && $0.trail.number >= error.trail.number
      }
      return hasLater ? leave(error, .leaveOut(error.file)) : print(error, &notices)
    }
    for (head, _) in waiting { head.lane.isOver = true }
    let lowest = waiting.min { $0.number < $1.number }
    return lowest.map { print($0.head, &notices) } ?? .end
  }

  private mutating func head(of file: JoinFile) -> Head? {
    if let head = heads[file.index] { return head }
    guard let key = file.key else { return nil }
    if isRun == nil, key.hasNumber { isRun = key.runNumber != nil }
    let number = isRun == true ? key.runNumber : key.sequenceNumber
    let lane = lanes[key.lane] ?? Lane(files: files.count)
    lanes[key.lane] = lane
    let head = Head(file: file, key: key, number: number, lane: lane)
    heads[file.index] = head
    return head
  }

  private mutating func leave(_ head: Head, _ next: Next) -> Next {
    heads[head.file.index] = nil
    return next
  }

  // MARK: What is printed

  private mutating func print(_ head: Head, _ notices: inout [Notice]) -> Next {
    let lane = head.lane
    if let number = head.number {
      note(head, number, &notices)
    } else if head.key.kind == .terminal, lane.ids.contains(head.key.response) {
      end(lane, head)
    }
    before = head.file
    return leave(head, .print(head.file))
  }

  /// Notes that a line was printed, and reports the numbers that are missing before it.
  private mutating func note(_ head: Head, _ number: Int, _ notices: inout [Notice]) {
    let key = head.key
    let lane = head.lane
    var before = lane.last ?? 0
    var higher: Int?
    if lane.last == nil || lane.isOver && !head.isBehindEnd {
      higher = higherNumber(before: head, number)
      begin(lane, hasFallen: higher != nil)
      before = isRun == true ? 0 : key.kind == .created ? number : -1
    }
    if lane.name.isEmpty, key.response != 0 { lane.name = head.file.responseID }
    if let higher {
      let help = "jq -sc 'sort_by(.sequence_number)[]' puts a file in order"
      report("sequence number \(number) comes after \(higher); \(help)", head.file, &notices)
    } else if reportsHoles, !lane.hasFallen, number - 1 > before {
      notices.append(.hole(before + 1...number - 1, lane.name, isRun: isRun == true))
    }
    lane.last = number
    lane.trails[head.file.index] = (lane.response, number)
    if lane.ids.count >= Self.mostIDs { lane.ids = [] }
    if key.response != 0 { lane.ids.insert(key.response) }
    if key.item != 0 { lane.ids.insert(key.item) }
    lane.hasItems = lane.hasItems || key.item != 0
    lane.endedBy = nil
    if key.kind == .terminal { end(lane, head) }
    printed[head.mark] = lane.response
  }

  private func begin(_ lane: Lane, hasFallen: Bool) {
    lane.response += 1
    lane.name = ""
    lane.ids = []
    lane.hasItems = false
    lane.isOver = false
    lane.hasFallen = hasFallen
  }

  /// Notes that the line ends the response. A run goes on.
  private func end(_ lane: Lane, _ head: Head) {
    lane.endedBy = head.file.index
    lane.isOver = isRun == false
  }

  /// The number before, if the numbers of a FILE fall within a response.
  private func higherNumber(before head: Head, _ number: Int) -> Int? {
    let lane = head.lane
    let trail = head.trail
    guard isRun == false, head.key.kind == .other, trail.response == lane.response,
      number <= trail.number, lane.endedBy == nil || head.hasKnownItem
    else { return nil }
    return trail.number
  }

  /// Reports that nothing says the order: the number, which rises in its FILE, is another line's.
  private mutating func reportClash(
    of head: Head, _ number: Int, _ notices: inout [Notice]
  ) {
    let rises = head.trail.response == head.lane.response && head.trail.number < number
    guard isRun == true, !hasReportedClash, rises || head.trail.response == 0 else { return }
    hasReportedClash = true
    report("another file has other lines under its oresp.n; \(Self.help)", head.file, &notices)
  }

  private func report(_ why: String, _ file: JoinFile, _ notices: inout [Notice]) {
    var notice = Notice(.error, why, status: .badInput)
    notice.input = files.count > 1 ? file.name : nil
    notices.append(notice)
  }
}

extension Notice {
  /// The report of numbers that did not come where they belong, of the response named `name`. A FILE
  /// may still have them behind its next line.
  fileprivate static func hole(_ hole: ClosedRange<Int>, _ name: String, isRun: Bool) -> Notice {
    let first = hole.lowerBound
    let last = hole.upperBound
    let missing = first == last ? "\(first) is missing" : "\(first) to \(last) are missing"
    let owner = name.isEmpty ? "a response" : name
    let numbers = (isRun ? "oresp.n" : "sequence numbers") + (name.isEmpty ? "" : " of \(name)")
    let why =
      first == 0
      ? "\(owner) begins with \(isRun ? "oresp.n" : "sequence number") \(last + 1): \(missing)"
      : "\(numbers): \(missing) between \(first - 1) and \(last + 1)"
    return Notice(.error, why, status: .badInput)
  }
}
