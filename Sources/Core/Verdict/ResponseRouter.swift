/// Tells which response of a stream an event belongs to. Responses are numbered from 0 in the order
/// in which they began.
///
/// The id of the response or of the item tells it, in the stream that the tag names; where neither
/// does, the event belongs to the response whose numbers go on. It remembers the ids of the last
/// `mostResponses`, and the items of those that are open.
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

  package private(set) var responses: [Response] = []
  private var ids: [[UInt8]: Int] = [:]
  private var items: [[UInt8]: Int] = [:]

  package init() {}

  /// Where an event belongs that comes behind one numbered `number` of `response`; `nil` when its
  /// response has not begun, or nothing tells which it is.
  package func place(
    of clues: EventClues, behind number: Int? = nil, of response: Int = 0
  ) -> Place? {
    if let id = clues.response, let known = ids[id] { return (known, true) }
    if let known = item(clues), !responses[known].hasEnded { return (known, true) }
    guard !clues.isBeginning, let next = clues.number else { return nil }
    let rises = number.map { next > $0 } ?? true
    let first = min(response + (rises ? 0 : 1), responses.count)
    let found = responses[first...].firstIndex {
      !$0.hasEnded && next > $0.number && $0.tag == clues.tag
    }
    guard let found, clues.response == nil || isOne(clues, responses[found]) else { return nil }
    return (found, false)
  }

  /// Whether the event is about an item that a response which has ended had.
  package func isAboutFormerItem(_ clues: EventClues) -> Bool {
    item(clues).map { responses[$0].hasEnded } ?? false
  }

  /// Takes an event of `response`; of another one, which begins, when that is `nil`. Returns which
  /// it is.
  package mutating func note(_ clues: EventClues, of response: Int?) -> Int {
    let place = response ?? begin(clues)
    if let id = clues.response { (ids[id], responses[place].hasID) = (place, true) }
    if let id = clues.item { items[id] = place }
    responses[place].number = max(responses[place].number, clues.number ?? 0)
    responses[place].createdAt = clues.createdAt ?? responses[place].createdAt
    if clues.isEnd {
      responses[place].hasEnded = true
      items = items.filter { $0.value == place || !responses[$0.value].hasEnded }
    }
    return place
  }

  private mutating func begin(_ clues: EventClues) -> Int {
    responses.append(Response(tag: clues.tag))
    if responses.count % Self.mostResponses == 0 {
      ids = ids.filter { $0.value >= responses.count - Self.mostResponses }
    }
    return responses.count - 1
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
