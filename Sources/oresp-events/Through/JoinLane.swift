import Core

/// The response of one tag that a join prints, or the run that `oresp.n` numbers.
final class JoinLane {
  /// What may become of a line that has a number.
  enum Standing {
    /// Its number is the next one.
    case follows
    /// It is the first of its response, so that no other line can come before it.
    case begins
    /// It comes next only if no other FILE has a lower number.
    case ready
    /// It is of the response behind this one.
    case waits
  }

  /// The number printed last; `nil` before the first.
  private(set) var last: Int?
  /// The last number before each hole; the first of them are kept.
  private var numbersBeforeHoles: Set<Int> = []
  /// The number of its responses so far.
  private(set) var response = 0
  /// Whether the response has its end, or was given up since no FILE goes on with it.
  private(set) var isOver = false
  private(set) var hasEnd = false
  /// Whether its numbers fell within a FILE: a number that is missing may have come before.
  private(set) var hasFallen = false
  /// The id of the response, for notices.
  private(set) var name = ""
  private var ids: Set<UInt64> = []
  private var hasItems = false

  private static let mostIDs = 1 << 16
  private static let mostHoles = 1000

  /// Whether the response has an event with `id`, the hash of a response's or an item's id.
  func knows(_ id: UInt64) -> Bool { ids.contains(id) }

  /// Whether the number behind `number` is missing.
  func hasHole(behind number: Int) -> Bool { numbersBeforeHoles.contains(number) }

  /// What may become of `line`, numbered `number`. In a run, numbers count on over responses.
  func standing(of line: JoinLine, _ number: Int, isRun: Bool) -> Standing {
    let isBeginning = line.kind == .created || line.kind == .queuedOrInProgress
    let first = number == 0 || !isRun && line.kind == .created ? Standing.begins : .ready
    guard let last else { return first }
    if isOver {
      // `response.done` behind `completed`
      let isBehindEnd = number == last + 1 && !isBeginning && line.hasID
      let isKnown = isBehindEnd && (knows(line.response) || knows(line.item))
      return isKnown ? .follows : first
    }
    guard number > last else { return .waits }
    if !isRun, isBeginning, !knows(line.response) {
      if line.kind == .created || hasItems && line.response != 0 { return .waits }
    }
    return number == last + 1 ? .follows : .ready
  }

  /// Notes that `line` was printed. Returns the numbers that are missing before it.
  func note(
    _ line: JoinLine, _ number: Int, isRun: Bool, name: () -> String
  ) -> ClosedRange<Int>? {
    var before = last
    if last == nil || isOver && standing(of: line, number, isRun: isRun) != .follows {
      begin()
      before = isRun ? 0 : line.kind == .created ? number : -1
    }
    if self.name.isEmpty, line.response != 0 { self.name = name() }
    if ids.count >= Self.mostIDs { ids = [] }
    if line.response != 0 { ids.insert(line.response) }
    if line.item != 0 {
      ids.insert(line.item)
      hasItems = true
    }
    last = number
    hasEnd = line.kind == .terminal
    isOver = hasEnd && !isRun
    guard let before, number > before + 1 else { return nil }
    if numbersBeforeHoles.count < Self.mostHoles { numbersBeforeHoles.insert(before) }
    return before + 1...number - 1
  }

  /// Notes that the number of the line printed last is below the one before in its FILE.
  func noteFall() { hasFallen = true }

  /// Ends the response: no FILE goes on with it.
  func giveUp() { isOver = true }

  private func begin() {
    response += 1
    ids = []
    hasItems = false
    hasEnd = false
    hasFallen = false
    numbersBeforeHoles = []
    name = ""
  }
}
