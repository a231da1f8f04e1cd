import Core

/// Sorts events that come in any order: by their responses, and in each by their numbers. An event
/// without a number stays behind the one before it. All are held, up to `limit` bytes.
struct SortedMerge {
  static let limit = 256 << 20

  struct Entry {
    let head: MergeHead
    /// The event, if there is one.
    let held: HeldEvent
    let part: Int
    fileprivate(set) var step = MergeOrder.Step.print
    fileprivate var key = Key()
  }

  /// The position of an event.
  fileprivate struct Key: Comparable {
    var response = 0
    /// Its number, or else the number of the event before it.
    var number = -1
    /// Its index in the input.
    var index = 0

    static func < (left: Key, right: Key) -> Bool {
      (left.response, left.number, left.index) < (right.response, right.number, right.index)
    }

    func hasNumber(of other: Key?) -> Bool {
      response == other?.response && number == other?.number
    }
  }

  private var parts: [[Entry]]
  private var entries: [Entry] = []
  private var size = 0
  /// The responses, each with the time at which it was made and its index in the order of arrival.
  private var responses: [UInt64: (createdAt: Int, index: Int)] = [:]
  private var beginnings: Set<UInt64> = []
  private var ends: Set<UInt64> = []
  /// The response of each item that an end lists.
  private var items: [UInt64: UInt64] = [:]

  /// An empty merge of `count` FILEs.
  init(_ count: Int) { parts = Array(repeating: [], count: count) }

  /// Takes what comes next of `part`.
  mutating func append(_ part: MergePart) throws(Failure) {
    let (bytes, range) = part.line
    let held = HeldEvent(part.event, bytes.span.extracting(part.hasEvent ? range : 0..<0))
    size += held.line.count
    guard size <= Self.limit else {
      let why =
        "has more than \(Self.limit >> 20) MiB of events; a file that is sorted is held in memory"
      throw .other("\(part.name): it \(why)", .badInput)
    }
    parts[part.index].append(Entry(head: part.head, held: held, part: part.index))
  }

  /// All events in order.
  mutating func sorted(reporting notices: inout [Notice]) -> [Entry] {
    entries = parts.flatMap(\.self)
    parts = []
    for entry in entries { note(entry) }
    let isNumbered = entries.allSatisfy { !$0.head.hasEvent || $0.head.clues.lineNumber != nil }
    if isNumbered { giveLineKeys() } else { giveKeys(&notices) }
    let keys = entries.map(\.key).sorted()
    let isGuess =
      entries.count > 1 && entries.allSatisfy { $0.head.clues.hasNoNumber }
      || !isNumbered && hasMovedUnnumbered(keys.map(\.index))
    if isGuess {
      let document = entries.lazy.compactMap(\.head.clues.document).first
      let why = document.map(MergeClues.fault) ?? MergeOrder.guess
      notices.append(Notice(.error, why, status: .badInput))
    }
    entries = keys.map { entries[$0.index] }
    markRepeats()
    markMended()
    return entries
  }

  private mutating func note(_ entry: Entry) {
    let clues = entry.head.clues
    guard clues.response != 0 else { return }
    let known = responses[clues.response]
    responses[clues.response] = (
      min(clues.createdAt ?? .max, known?.createdAt ?? .max), known?.index ?? responses.count
    )
    if clues.isBeginning { beginnings.insert(clues.response) }
    guard clues.isEnd else { return }
    ends.insert(clues.response)
    for item in MergeClues.items(ofResponseIn: entry.held.line.span, tag: clues.tag) {
      items[item] = clues.response
    }
  }

  /// Orders the lines of each run by their numbers, and the runs as they came.
  private mutating func giveLineKeys() {
    var runs: [UInt64: Int] = [:]
    for index in entries.indices {
      let clues = entries[index].head.clues
      let run = runs[clues.run] ?? runs.count
      runs[clues.run] = run
      entries[index].key = Key(response: run, number: clues.lineNumber ?? .max, index: index)
    }
  }

  /// Orders by the numbers of the server.
  private mutating func giveKeys(_ notices: inout [Notice]) {
    let ids = responses.sorted {
      ($0.value.createdAt, $0.value.index) < ($1.value.createdAt, $1.value.index)
    }
    // Some servers give one response another id in each event.
    let isOne = max(beginnings.count, ends.count) <= 1
    let order = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1.key, isOne ? 0 : $0) })
    var unknown = 0
    for index in entries.indices {
      let (part, clues) = (entries[index].part, entries[index].head.clues)
      let before = index > 0 && entries[index - 1].part == part ? entries[index - 1].key : nil
      let named = order[clues.response] ?? items[clues.item].flatMap { order[$0] }
      let response = isOne ? 0 : named
      if response == nil, clues.sequenceNumber != nil { unknown += 1 }
      entries[index].key = Key(
        response: (clues.sequenceNumber == nil ? nil : response) ?? before?.response ?? 0,
        number: clues.sequenceNumber ?? before?.number ?? -1, index: index)
    }
    guard unknown > 0 else { return }
    let why =
      "\(unknown) events may belong to one response or another; "
      + "oresp-sse --tag or --number tells them apart before the split"
    notices.append(Notice(.error, why, status: .badInput))
  }

  /// Whether an event without a number has other neighbours in `order` than in its FILE.
  private func hasMovedUnnumbered(_ order: [Int]) -> Bool {
    func areBeside(_ one: Int, _ other: Int) -> Bool {
      order[one] + 1 == order[other] && entries[order[one]].part == entries[order[other]].part
    }
    return order.indices.contains { index in
      let head = entries[order[index]].head
      guard head.clues.sequenceNumber == nil, head.hasEvent else { return false }
      return index > 0 && !areBeside(index - 1, index)
        || index + 1 < order.count && !areBeside(index, index + 1)
    }
  }

  private mutating func markRepeats() {
    /// The contents of the events with the current number, and the FILE of each.
    var lines: [UInt64: Int] = [:]
    for index in entries.indices {
      let entry = entries[index]
      if index == 0 || !entry.key.hasNumber(of: entries[index - 1].key) { lines = [:] }
      let clues = entry.head.clues
      if entry.head.hasEvent, let other = lines[clues.content],
        clues.sequenceNumber != nil || other != entry.part
      {
        entries[index].step = .isRepeat
      } else {
        lines[clues.content] = entry.part
      }
    }
  }

  /// Marks the ends of FILEs behind which other FILEs go on.
  private mutating func markMended() {
    var following: Key?
    for index in entries.indices.reversed() {
      let entry = entries[index]
      if index + 1 < entries.count, entries[index + 1].key.number != entry.key.number {
        following = entries[index + 1].key
      }
      guard entry.head.isCut || entry.head.clues.isOwnError, let following,
        following.response == entry.key.response, following.number == entry.key.number + 1
      else { continue }
      entries[index].step = entry.head.isCut ? .isMended : .mayBeMended
    }
  }
}
