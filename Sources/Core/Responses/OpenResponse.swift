/// A response in a slot of `Responses`, open or ended. The slot of an ended one is the next to be
/// reused.
struct OpenResponse {
  var name: ResponseName
  /// Its division: the index of its tag in `Responses.divisions`.
  var division = 0
  var isOpen = true
  /// Whether another began and ended while nothing was heard of it: it gets no guesses then.
  var isParked = false
  var verdict = Verdict()
  /// The name of the input with its last judged event; `nil` when only one is read.
  var inputName: String?
  /// The stream id of its WebSocket, kept when ends are written; and whether an error of it was
  /// handed on.
  var streamID: [UInt8] = []
  var hasPassedError = false
  /// The model that its events named last, as spelled, with quotes; empty when none did.
  var model: [UInt8] = []
  /// The number of its items that were opened, and of item ids that are known.
  var items = 0
  var itemIDs = 0
  /// The sequence number that came last, and `Responses.skims` then: a higher value since means
  /// that later numbers may have been skimmed.
  var number: Int?
  var skims = 0
  /// The sequence numbers that came, as far as they are remembered.
  var seen = SeenNumbers()
  /// Whether a number fell that was no repeat, and whether `response.created` came.
  var isDisordered = false
  var hasStart = false
  /// What it has shown, as long as its beginning has not come.
  var outline = Outline()
  /// The times at which it began and was heard of last, in events.
  var began = 0
  var heard = 0
  /// The place of an event that it got by a guess not yet proved; else `nil`.
  var guess: Notice.Place?
  /// Whether a response with its id ended before.
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

  /// Whether an id, an item or a tag names it.
  var hasIDs: Bool { !name.id.isEmpty || itemIDs > 0 || !name.tag.isEmpty }

  /// Whether its beginning has not come: its events may be selected by type.
  var lacksBeginning: Bool { !hasStart && !verdict.life.isOpen }

  /// Whether events of it are missing before its end, numbered `number`.
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
  /// Whether `response.created` is missing, and whether any events are, by its numbers.
  let lacksStart: Bool
  let hasHoles: Bool
  /// Whether its numbers fell.
  var isDisordered = false

  /// Whether an event numbered `other`, which names no response, may be missing in it.
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

  /// Remembers `response`, and returns the one that is forgotten for it.
  mutating func remember(_ response: EndedResponse) -> EndedResponse? {
    let place = response.name.number % Self.most
    while ring.count <= place { ring.append(nil) }
    defer { ring[place] = response }
    return ring[place]
  }
}
