import Core

/// Puts events in order that come in any: by their responses, and in each by their numbers. An event
/// without a number stays behind the one before it. It holds all of them, up to `limit` bytes.
struct SortedMerge {
  static let limit = 256 << 20

  private struct Entry {
    var head: MergePart.Head
    var part: MergePart
    /// The place of its response, its number or that of the one before it, and its own place.
    var key = (response: 0, number: -1, place: 0)
  }

  private var entries: [Entry] = []
  private var size = 0
  private var index = 0
  /// The responses: when each was made, and in which order they came.
  private var responses: [[UInt8]: (createdAt: Int, place: Int)] = [:]
  private var beginnings: Set<[UInt8]> = []
  private var ends: Set<[UInt8]> = []
  /// The response of each item that the end of one tells of.
  private var items: [[UInt8]: [UInt8]] = [:]
  /// The lines of the key that came last, and what FILE had each.
  private var lines: [[UInt8]: String] = [:]

  mutating func take(_ head: MergePart.Head, of part: MergePart) throws(Failure) {
    size += head.line.count
    guard size <= Self.limit else {
      let why =
        "has more than \(Self.limit >> 20) MiB of events; what is to be sorted is held in memory"
      throw .other("\(part.name): it \(why)", .badInput)
    }
    entries.append(Entry(head: head, part: part))
    guard let id = head.clues.response else { return }
    let known = responses[id]
    responses[id] = (
      min(head.clues.createdAt ?? .max, known?.createdAt ?? .max), known?.place ?? responses.count
    )
    if head.clues.isBeginning { beginnings.insert(id) }
    guard head.clues.isEnd else { return }
    ends.insert(id)
    let line = head.line.span
    for place in JSONChildren.elements(of: "response", "output", in: line) {
      let item = head.clues.tagged(JSONChildren.string(of: "id", in: line.extracting(place)))
      if let item { items[item] = id }
    }
  }

  mutating func sort(telling notices: inout [Notice]) {
    let ids = responses.sorted {
      ($0.value.createdAt, $0.value.place) < ($1.value.createdAt, $1.value.place)
    }
    // Some servers give one response another id in each event.
    let isOne = max(beginnings.count, ends.count) <= 1
    let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1.key, isOne ? 0 : $0) })
    var unknown = 0
    for index in entries.indices {
      let (part, clues) = (entries[index].part, entries[index].head.clues)
      let before = index > 0 && entries[index - 1].part === part ? entries[index - 1].key : nil
      var response = isOne ? 0 : clues.response.flatMap { places[$0] }
      response = response ?? clues.item.flatMap { items[$0] }.flatMap { places[$0] }
      if response == nil, clues.number != nil { unknown += 1 }
      entries[index].key = (
        clues.number == nil ? before?.response ?? 0 : response ?? before?.response ?? 0,
        clues.number ?? before?.number ?? -1, index
      )
    }
    entries.sort { $0.key < $1.key }
    guard unknown > 0 else { return }
    let why = "\(unknown) events may belong to one response or another: nothing in them tells"
    notices.append(Notice(.error, why, status: .badInput))
  }

  /// The next event, and what becomes of it.
  mutating func next() -> (MergePart.Head, MergePart, MergeOrder.Step)? {
    guard index < entries.count else { return nil }
    defer { index += 1 }
    let entry = entries[index]
    let (head, part, key) = (entry.head, entry.part, entry.key)
    let before = index > 0 ? entries[index - 1].key : nil
    if before?.response != key.response || before?.number != key.number { lines = [:] }
    if head.event != nil, let other = lines[head.line],
      head.clues.number != nil || other != part.name
    {
      return (head, part, .isRepeat)
    }
    lines[head.line] = part.name
    if head.isCut || head.clues.isOwnError {
      let next = entries[index...].first { $0.key.number != key.number }?.key
      if next?.response == key.response, next?.number == key.number + 1 {
        return (head, part, .isMended)
      }
    }
    return (head, part, .print)
  }
}
