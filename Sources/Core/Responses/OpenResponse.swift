/// A response in a slot of `Responses`, open or ended. The slot of one that ended is the next to be
/// given away.
struct OpenResponse {
  var name: ResponseName
  /// Its division: the index of its tag in `Responses.divisions`.
  var division = 0
  var isOpen = true
  /// Whether others began and ended while nothing was heard of it: it gets only what names it.
  var isParked = false
  var verdict = Verdict()
  /// The input of its last lifecycle event, where several are read.
  var inputName: String?
  /// The lane of its WebSocket, where the ends of responses are written, and whether an error of it
  /// was handed on.
  var streamID: [UInt8] = []
  var hasPassedError = false
  /// The model that its events named last, as it is spelled.
  var model: [UInt8] = []
  /// How many items were opened, and how many ids of items are known.
  var items = 0
  var itemIDs = 0
  /// The sequence number that came last, and whether it is the response's last, nothing having been
  /// skimmed since.
  var number: Int?
  var skims = 0
  /// The sequence numbers that came, as far as they are remembered.
  var seen = SeenNumbers()
  /// Whether one of them fell that was no repeat; whether `response.created` came.
  var isDisordered = false
  var hasStart = false
  /// Hashes of the ids of its items from where its numbers began anew; `nil` where they did not.
  var itemsAnew: Set<UInt64>?
  /// When it began and was heard of last, counted in events.
  var began = 0
  var heard = 0
  /// Where an event was given to it as a guess that its end may prove right.
  var guess: Notice.Place?
  /// Whether a response of its id ended before.
  var isAgain = false

  init(_ name: ResponseName) { self.name = name }

  /// Notes an event whose number is `number`; `mark` sets it apart from another with its number.
  /// False when the number does not rise, or is the first.
  @inline(__always)
  mutating func goesOn(_ number: Int, _ mark: UInt32, _ skims: Int) -> Bool {
    guard let former = self.number, number > former, seen.isExceeded(by: number) else {
      return false
    }
    self.number = number
    self.skims = skims
    _ = seen.note(number, mark)
    return true
  }

  /// Whether anything names it.
  var hasIDs: Bool { !name.id.isEmpty || itemIDs > 0 || !name.tag.isEmpty }

  /// Whether its events, none of which names it, may be of several, laid end to end: not where each
  /// has an item of its own.
  var mayBeSeveral: Bool {
    !isDisordered && name.id.isEmpty && 2 * (itemIDs - 1) <= seen.count
  }

  /// Notes that the numbers begin anew with the item whose id is `item`.
  mutating func beginAnew(with item: Span<UInt8>) {
    (seen, itemsAnew) = (SeenNumbers(), [item.mixed(into: 0)])
  }

  /// Notes an event of `item`; false when that had events before the numbers began anew.
  mutating func goesOn(with item: Span<UInt8>, isNew: Bool) -> Bool {
    guard itemsAnew != nil, !item.isEmpty else { return true }
    let hash = item.mixed(into: 0)
    return isNew ? itemsAnew?.insert(hash).inserted ?? true : itemsAnew?.contains(hash) ?? true
  }

  /// Whether events of it have not come, its end being numbered `number`.
  func hasHoles(before number: Int) -> Bool {
    !hasStart || isDisordered || seen.hasHole || (seen.last ?? 0) < number &- 1
  }
}

/// A response that ended, as far as it is remembered.
struct EndedResponse {
  let name: ResponseName
  let division: Int
  /// The last sequence number.
  let number: Int?
  /// The mark of its end, which sets it apart from another end of the same response: its number, or
  /// a hash of all its bytes.
  let mark: UInt64
  /// Whether `response.created` did not come, or other events that the numbers count.
  let lacksStart: Bool
  let hasHoles: Bool
  /// Whether its numbers fell.
  var isDisordered = false

  /// Whether an event numbered `other`, which names no response, is missing in it.
  func mayLack(_ other: Int?) -> Bool {
    (isDisordered || hasHoles && !lacksStart) && isBehind(other)
  }

  /// Whether an event numbered `other` stands before its end.
  func isBehind(_ other: Int?) -> Bool {
    guard let number, let other else { return false }
    return other < number
  }
}

/// The responses that ended last, found by their numbers.
struct EndedResponses {
  /// The most that are remembered.
  static let most = 1024

  /// The response numbered `n` stands at `n` modulo `most`.
  private var ring: [EndedResponse?] = []

  subscript(number: Int) -> EndedResponse? {
    let place = number % Self.most
    guard place < ring.count, let known = ring[place], known.name.number == number else {
      return nil
    }
    return known
  }

  /// Returns the one that is forgotten for it.
  mutating func remember(_ response: EndedResponse) -> EndedResponse? {
    let place = response.name.number % Self.most
    while ring.count <= place { ring.append(nil) }
    defer { ring[place] = response }
    return ring[place]
  }
}
