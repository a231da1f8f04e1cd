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

  /// What may become of a line; of several lines the lowest leaves.
  private enum Standing: Int {
    /// It has no number, and stays behind the line before it in its FILE.
    case stays
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

    init(files: Int) { trails = Array(repeating: (0, -1), count: files) }
  }

  /// The next line of a FILE.
  private struct Head {
    let file: JoinFile
    let key: JoinKey
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
      return lane.isOver && isNext && !key.isBeginning
        && (hasKnownItem || lane.ids.contains(key.response))
    }
    /// Whether another FILE goes on where this one ends with an error of ours.
    var isVoid: Bool {
      let isFormer = trail.response > 0 && trail.response < lane.response
      return isFormer || lane.endedBy.map { $0 != file.index } ?? false
    }
  }

  private let files: [JoinFile]
  private let reportsHoles: Bool
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
    var first: (head: Head, standing: Standing, order: (Int, Int))?
    var ends: [Head] = []
    for file in files {
      guard let head = head(of: file) else {
        isStarved = isStarved || !file.isDone
        continue
      }
      if files.count > 1, file.isAtError || file.hasOnlyEnds {
        if file.isAtError, head.isVoid { return .leaveOut(file) }
        ends.append(head)
        continue
      }
      guard let standing = standing(of: head) else { return .skip(file) }
      if standing == .waits { reportClash(of: head, &notices) }
      let order = (standing.rawValue, order(of: head, standing))
      if first.map({ order < $0.order }) ?? true { first = (head, standing, order) }
    }
    let standing = first?.standing ?? .waits
    if isStarved, standing == .ready || standing == .waits { return .wait }
    if standing == .waits, let next = settle(ends, in: first?.head.lane, &notices) { return next }
    guard let first else { return .end }
    if standing == .waits { first.head.lane.isOver = true }
    return print(first.head, &notices)
  }

  private mutating func head(of file: JoinFile) -> Head? {
    guard let key = file.next?.key else { return nil }
    if isRun == nil, key.hasNumber { isRun = key.runNumber != nil }
    let number = isRun == true ? key.runNumber : key.sequenceNumber
    let lane = lanes[key.lane] ?? Lane(files: files.count)
    lanes[key.lane] = lane
    return Head(file: file, key: key, number: number, lane: lane)
  }

  /// The standing of a line; `nil` if it was printed before.
  private mutating func standing(of head: Head) -> Standing? {
    guard let number = head.number else { return .stays }
    let lane = head.lane
    if let response = former(of: head, number) {
      lane.trails[head.file.index] = (response, number)
      return nil
    }
    if head.isBehindEnd { return .follows }
    guard let last = lane.last, !lane.isOver else {
      return number == 0 || isRun == false && head.key.kind == .created ? .begins : .ready
    }
    let isOfNext =
      isRun == false && head.key.isBeginning && !lane.ids.contains(head.key.response)
      && (head.key.kind == .created || lane.hasItems && head.key.response != 0)
    if number <= last || isOfNext { return .waits }
    return number == last + 1 ? .follows : .ready
  }

  /// The response in which the line was printed before, as the same event; `nil` if it was not.
  private mutating func former(of head: Head, _ number: Int) -> Int? {
    guard let response = printed[head.mark] else { return nil }
    let trail = head.trail
    // What a FILE has behind its line of a response is none of a former one.
    if head.key.response != 0 || response > trail.response { return response }
    let isOpen = response == head.lane.response && !head.lane.isOver
    let isSame = isOpen || head.key.item != 0 || number > trail.number
    return response == trail.response && isSame ? response : nil
  }

  /// The order among lines of one standing: the FILE of the line before comes first, then one whose
  /// item the response has; where numbers decide, the lowest.
  private func order(of head: Head, _ standing: Standing) -> Int {
    if standing == .stays { return head.file === before ? 0 : 1 }
    guard standing == .follows else { return head.number ?? 0 }
    if head.file === before { return 0 }
    if head.key.item == 0 { return 2 }
    return head.hasKnownItem ? 1 : 3
  }

  /// Settles the ends of FILEs where no line goes on with the response of `lane`, or `nil` for all:
  /// an end that stands alone in its FILE goes last, and of errors of ours the last one of a lane.
  private mutating func settle(
    _ ends: [Head], in lane: Lane?, _ notices: inout [Notice]
  ) -> Next? {
    if lane == nil, let end = ends.first(where: { !$0.file.isAtError }) {
      return print(end, &notices)
    }
    let errors = ends.filter { $0.file.isAtError && (lane == nil || $0.lane === lane) }
    guard let error = errors.first else { return nil }
    let hasLater = errors.dropFirst().contains {
      $0.lane === error.lane && $0.trail.number >= error.trail.number
    }
    return hasLater ? .leaveOut(error.file) : print(error, &notices)
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
    return .print(head.file)
  }

  /// Notes that a line was printed, and reports the numbers that are missing before it.
  private mutating func note(_ head: Head, _ number: Int, _ notices: inout [Notice]) {
    let key = head.key
    let lane = head.lane
    let trail = head.trail
    let falls =
      isRun == false && key.kind == .other && (lane.endedBy == nil || head.hasKnownItem)
      && trail.response == lane.response && number <= trail.number
    var before = lane.last ?? 0
    if lane.last == nil || lane.isOver && !head.isBehindEnd {
      lane.response += 1
      lane.name = ""
      lane.ids = []
      lane.hasItems = false
      lane.isOver = false
      lane.hasFallen = falls
      before = isRun == true ? 0 : key.kind == .created ? number : -1
    }
    if lane.name.isEmpty, key.response != 0 { lane.name = head.file.next?.responseID ?? "" }
    if falls {
      let help = "jq -sc 'sort_by(.sequence_number)[]' puts a file in order"
      report("sequence number \(number) comes after \(trail.number); \(help)", head, &notices)
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

  /// Notes that the line ends the response. A run goes on.
  private func end(_ lane: Lane, _ head: Head) {
    lane.endedBy = head.file.index
    lane.isOver = isRun == false
  }

  /// Reports that nothing says the order: the number, which rises in its FILE, is another line's.
  private mutating func reportClash(of head: Head, _ notices: inout [Notice]) {
    let falls = head.trail.response == head.lane.response && head.trail.number >= head.number ?? 0
    guard isRun == true, !hasReportedClash, !falls else { return }
    hasReportedClash = true
    report("another file has other lines under its oresp.n; \(Self.help)", head, &notices)
  }

  private func report(_ why: String, _ head: Head, _ notices: inout [Notice]) {
    var notice = Notice(.error, why, status: .badInput)
    notice.input = files.count > 1 ? head.file.name : nil
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
