package import Core

/// Tells which response of a stream an event belongs to. Responses are numbered from 0 in the order
/// in which they began.
///
/// The id of the response or of the item tells it, in the stream that the tag names; where neither
/// does, the event belongs to the response whose numbers go on. It remembers the last
/// `mostResponses`, and the items of those of them that are open.
package struct ResponseRouter: Sendable {
  /// A response, as far as its events came.
  package struct Response: Sendable {
    /// The highest number that came; -1 before the first.
    package fileprivate(set) var number = -1
    package fileprivate(set) var hasEnded = false
    fileprivate var hasID = false
    fileprivate let tag: [UInt8]
    fileprivate var createdAt: Int?
  }

  /// Where an event belongs: to which response, and whether the event tells that by itself.
  package typealias Place = (response: Int, isTold: Bool)

  package static let mostResponses = 1000

  /// How many responses have begun.
  package private(set) var count = 0
  private var responses: [Int: Response] = [:]
  /// Those that have not ended, in order.
  private var open: [Int] = []
  private var ids: [[UInt8]: Int] = [:]
  private var items: [[UInt8]: Int] = [:]

  package init() {}

  /// What is known of `response`; of one that was forgotten, that it has ended.
  package subscript(response: Int) -> Response {
    responses[response] ?? Response(hasEnded: true, tag: [])
  }

  /// Whether every response that began has ended.
  package var hasEnded: Bool { open.isEmpty }

  /// Where an event belongs that comes behind one numbered `number` of `response`; `nil` when its
  /// response has not begun, or nothing tells which it is.
  package func place(
    of clues: EventClues, behind number: Int? = nil, of response: Int = 0
  ) -> Place? {
    if let id = clues.response, let known = ids[id] { return (known, true) }
    if let known = item(clues), !self[known].hasEnded { return (known, true) }
    guard !clues.isBeginning, let next = clues.number else { return nil }
    let rises = number.map { next > $0 } ?? true
    let first = response + (rises ? 0 : 1)
    let found = open.first { $0 >= first && next > self[$0].number && self[$0].tag == clues.tag }
    guard let found, clues.response == nil || isOne(clues, self[found]) else { return nil }
    return (found, false)
  }

  /// Whether the event is about an item that a response which has ended had.
  package func isAboutFormerItem(_ clues: EventClues) -> Bool {
    item(clues).map { self[$0].hasEnded } ?? false
  }

  /// Takes an event of `response`; of another one, which begins, when that is `nil`. Returns which
  /// it is.
  package mutating func note(_ clues: EventClues, of response: Int?) -> Int {
    let place = response ?? begin(clues)
    var known = self[place]
    if let id = clues.response { (ids[id], known.hasID) = (place, true) }
    if let id = clues.item { items[id] = place }
    known.number = max(known.number, clues.number ?? 0)
    known.createdAt = clues.createdAt ?? known.createdAt
    if clues.isEnd, !known.hasEnded {
      known.hasEnded = true
      open.removeAll { $0 == place }
      items = items.filter { $0.value == place || !self[$0.value].hasEnded }
    }
    responses[place] = known
    return place
  }

  private mutating func begin(_ clues: EventClues) -> Int {
    responses[count] = Response(tag: clues.tag)
    open.append(count)
    count += 1
    if count % Self.mostResponses == 0 { forget(before: count - Self.mostResponses) }
    return count - 1
  }

  private mutating func forget(before first: Int) {
    responses = responses.filter { $0.key >= first }
    open.removeAll { $0 < first }
    ids = ids.filter { $0.value >= first }
    items = items.filter { $0.value >= first }
  }

  /// Whether an event that tells an id of its own is of `response` all the same: some servers give
  /// one response another id in each event.
  private func isOne(_ clues: EventClues, _ response: Response) -> Bool {
    guard response.hasID else { return true }
    if let time = clues.createdAt, let known = response.createdAt { return time == known }
    return clues.number == response.number + 1
  }

  private func item(_ clues: EventClues) -> Int? { clues.item.flatMap { items[$0] } }
}
