import Core

/// Puts events in order that come in any: by their responses, and in each by their numbers. An
/// event without a number stays behind the one before it. It holds all of them, up to `limit`
/// bytes.
struct SortedMerge {
  static let limit = 256 << 20

  struct Entry {
    let event: HeldEvent?
    let clues: MergeClues
    let notices: [Notice]
    let isCut: Bool
    let part: Int
    fileprivate(set) var step = MergeOrder.Step.print
    /// The place of its response, its number or that of the one before it, and its own place.
    fileprivate var key = (response: 0, number: -1, place: 0)
  }

  private var parts: [[Entry]]
  private var entries: [Entry] = []
  private var size = 0
  private var index = 0
  /// The responses: when each was made, and in which order they came.
  private var responses: [UInt64: (createdAt: Int, place: Int)] = [:]
  private var beginnings: Set<UInt64> = []
  private var ends: Set<UInt64> = []
  /// The response of each item that an event names beside it.
  private var items: [UInt64: UInt64] = [:]
  /// Whether every line has `oresp.n`.
  private var isNumbered = true

  /// Nothing yet of `count` FILEs.
  init(_ count: Int) { parts = Array(repeating: [], count: count) }

  mutating func append(_ part: MergePart) throws(Failure) {
    let (bytes, place) = part.line
    let event = part.hasEvent ? HeldEvent(part.event, bytes.span.extracting(place)) : nil
    size += event?.line.count ?? 0
    guard size <= Self.limit else {
      let why =
        "has more than \(Self.limit >> 20) MiB of events; a file that is sorted is held in memory"
      throw .other("\(part.name): it \(why)", .badInput)
    }
    parts[part.index].append(
      Entry(
        event: event, clues: part.clues, notices: part.notices, isCut: part.isCut,
        part: part.index))
  }

  private mutating func note(_ entry: Entry) {
    let clues = entry.clues
    if entry.event != nil, clues.lineNumber == nil { isNumbered = false }
    guard clues.response != 0 else { return }
    let known = responses[clues.response]
    responses[clues.response] = (
      min(clues.createdAt ?? .max, known?.createdAt ?? .max), known?.place ?? responses.count
    )
    if clues.isBeginning { beginnings.insert(clues.response) }
    guard clues.isEnd, let event = entry.event else { return }
    ends.insert(clues.response)
    for item in MergeClues.items(ofResponseIn: event.line.span, tag: clues.tag) {
      items[item] = clues.response
    }
  }

  mutating func sort(reportingTo notices: inout [Notice]) {
    for part in parts {
      for entry in part { note(entry) }
      entries += part
    }
    parts = []
    let unknown = isNumbered ? giveLineKeys() : giveKeys()
    let isGuess =
      entries.count > 1 && entries.allSatisfy { $0.clues.hasNoNumber }
      || hasMovedUnnumbered(byKeys: entries.map(\.key))
    entries.sort { $0.key < $1.key }
    giveSteps()
    if unknown > 0 {
      let why =
        "\(unknown) events may belong to one response or another; "
        + "oresp-sse --tag or --number tells them apart before the split"
      notices.append(Notice(.error, why, status: .badInput))
    }
    if isGuess {
      let document = entries.lazy.compactMap(\.clues.document).first
      let why = document.map(MergeClues.fault) ?? MergeOrder.guess
      notices.append(Notice(.error, why, status: .badInput))
    }
  }

  /// The next event.
  mutating func next() -> Entry? {
    guard index < entries.count else { return nil }
    defer { index += 1 }
    return entries[index]
  }

  /// Orders the lines of each run by their numbers; the runs in the order in which they came.
  private mutating func giveLineKeys() -> Int {
    var runs: [UInt64: Int] = [:]
    for index in entries.indices {
      let clues = entries[index].clues
      let run = runs[clues.run] ?? runs.count
      runs[clues.run] = run
      entries[index].key = (run, clues.lineNumber ?? .max, index)
    }
    return 0
  }

  /// Orders by the numbers of the server. Returns how many events may be of several responses.
  private mutating func giveKeys() -> Int {
    let ids = responses.sorted {
      ($0.value.createdAt, $0.value.place) < ($1.value.createdAt, $1.value.place)
    }
    // Some servers give one response another id in each event.
    let isOne = max(beginnings.count, ends.count) <= 1
    let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1.key, isOne ? 0 : $0) })
    var unknown = 0
    for index in entries.indices {
      let (part, clues) = (entries[index].part, entries[index].clues)
      let before = index > 0 && entries[index - 1].part == part ? entries[index - 1].key : nil
      let named = places[clues.response] ?? items[clues.item].flatMap { places[$0] }
      let response = isOne ? 0 : named
      if response == nil, clues.sequenceNumber != nil { unknown += 1 }
      entries[index].key = (
        clues.sequenceNumber == nil ? before?.response ?? 0 : response ?? before?.response ?? 0,
        clues.sequenceNumber ?? before?.number ?? -1, index
      )
    }
    return unknown
  }

  /// Whether an event without a number will have others beside it than in its FILE.
  private func hasMovedUnnumbered(
    byKeys keys: [(response: Int, number: Int, place: Int)]
  ) -> Bool {
    let order = keys.sorted { $0 < $1 }.map(\.place)
    func isBeside(_ one: Int, _ other: Int) -> Bool {
      order[one] + 1 == order[other] && entries[order[one]].part == entries[order[other]].part
    }
    return !isNumbered
      && order.indices.contains { index in
        guard entries[order[index]].clues.sequenceNumber == nil, entries[order[index]].event != nil
        else { return false }
        return index > 0 && !isBeside(index - 1, index)
          || index + 1 < order.count && !isBeside(index, index + 1)
      }
  }

  /// Finds what comes more than once, and the ends of FILEs behind which others go on.
  private mutating func giveSteps() {
    /// The lines of the key that came last, and which FILE had each.
    var lines: [UInt64: Int] = [:]
    for index in entries.indices {
      let (entry, before) = (entries[index], index > 0 ? entries[index - 1].key : nil)
      if before?.response != entry.key.response || before?.number != entry.key.number {
        lines = [:]
      }
      if entry.event != nil, let other = lines[entry.clues.content],
        entry.clues.sequenceNumber != nil || other != entry.part
      {
        entries[index].step = .isRepeat
        continue
      }
      lines[entry.clues.content] = entry.part
    }
    var following: (response: Int, number: Int, place: Int)?
    for index in entries.indices.reversed() {
      let entry = entries[index]
      if index + 1 < entries.count, entries[index + 1].key.number != entry.key.number {
        following = entries[index + 1].key
      }
      guard entry.isCut || entry.clues.isOwnError, let following,
        following.response == entry.key.response, following.number == entry.key.number + 1
      else { continue }
      entries[index].step = .isMended
    }
  }
}
