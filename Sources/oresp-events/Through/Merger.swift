import Core

/// Decides which events of several recordings make up the streams that they are recordings of.
///
/// Events are told apart by the id of their response and their sequence number; one that names no
/// response belongs to the one that is open. It remembers how far each response came, of up to
/// `mostResponses`.
struct Merger {
  static let mostResponses = 1000

  /// What is to be done with an event.
  enum Decision: Equatable {
    /// It is new.
    case pass
    /// It came before.
    case drop
    /// It comes before all that was read of its response: the inputs are not in order.
    case tooEarly
  }

  /// How far one response came.
  private struct Track {
    var first: Int?
    var last: Int?
    var hasEnded = false
  }

  private var tracks: [Track] = [Track()]
  /// The tracks of the responses that have a name; one response can go by several.
  private var ids: [[UInt8]: Int] = [:]
  private var current = 0
  /// Whether the input has had an event yet.
  private var hasBegun = false

  /// The last number of the current response.
  var last: Int? { tracks[current].last }
  /// Which response the current one is.
  var response: Int { current }
  var hasEnded: Bool { tracks[current].hasEnded }
  /// How many numbers are missing between the last event and the one before, in two inputs.
  private(set) var missing: ClosedRange<Int>?

  mutating func handle(_ event: Event, _ place: StreamPlace) -> Decision {
    let name = event.type?.row
    let isCreated = name?.family == .lifecycle && name?.phase == .start
    let isKnown = find(place, isCreated: isCreated)
    defer { hasBegun = true }
    missing = nil
    guard let number = place.number else {
      end(with: name)
      return isCreated && isKnown ? .drop : .pass
    }
    if let last, number <= last {
      return number < tracks[current].first ?? number ? .tooEarly : .drop
    }
    if !hasBegun, let last, number > last + 1 { missing = last + 1...number - 1 }
    if tracks[current].first == nil { tracks[current].first = number }
    tracks[current].last = number
    end(with: name)
    return .pass
  }

  /// Takes the end of an input. What the next one begins with belongs to a response that is open.
  mutating func endInput() {
    hasBegun = false
    if hasEnded, let open = tracks.lastIndex(where: { !$0.hasEnded && $0.last != nil }) {
      current = open
    }
  }

  private mutating func end(with row: EventCatalogue.Row?) {
    guard let row, row.family == .lifecycle, row.phase == .terminal else { return }
    tracks[current].hasEnded = true
  }

  /// Makes the response of an event the current one; whether it is one that was there before.
  private mutating func find(_ place: StreamPlace, isCreated: Bool) -> Bool {
    guard let id = place.responseID else {
      guard isCreated, hasEnded else { return tracks[current].last != nil }
      begin(nil)
      return false
    }
    if let known = ids[id] {
      current = known
      return true
    }
    // A tail names its response late, and some servers give one response a new id in each event.
    let goesOn = tracks[current].last.map { place.number == $0 + 1 } ?? !isCreated
    if !isCreated, !hasEnded, goesOn {
      ids[id] = current
    } else {
      begin(id)
    }
    return false
  }

  private mutating func begin(_ id: [UInt8]?) {
    if tracks.count >= Self.mostResponses { (tracks, ids) = ([], [:]) }
    current = tracks.count
    tracks.append(Track())
    if let id { ids[id] = current }
  }
}
