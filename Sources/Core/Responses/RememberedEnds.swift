/// The responses that closed last, found by their numbers.
struct RememberedEnds {
  /// A response that is over.
  struct Response {
    let number: Int
    let lane: Int
    /// The slot that it had, and whether it still has it, as its `response.failed` may come.
    let slot: Int
    var keepsSlot = false
    let hasBeginning: Bool
    /// Whether a terminal event, an error or `oresp.end` ended it; else it was cut.
    let hasEnd: Bool
    /// When it closed, in events.
    let time: Int
    /// Whether an `error` came, and whether a terminal event did.
    var hasError = false
    var hasTerminal = false
    var isFailed = false
    /// The number of the terminal event, and hashes of its line and of its Response.
    fileprivate var endNumber: Int?
    fileprivate var endMark: UInt64 = 0
    fileprivate var bodyMark: UInt64 = 0

    init(
      _ number: Int, lane: Int, slot: Int, hasBeginning: Bool, hasEnd: Bool, time: Int
    ) {
      self.number = number
      self.lane = lane
      self.slot = slot
      self.hasBeginning = hasBeginning
      self.hasEnd = hasEnd
      self.time = time
    }

    /// Whether an `error` or `response.failed` is this failure once more, as servers send both. An
    /// `error` that a tool of ours made stands for a request of its own.
    func isSameFailure(as event: borrowing Event, _ line: Span<UInt8>) -> Bool {
      if event.type?.isFailed == true { return hasError && !hasTerminal }
      return event.isError && isFailed && !hasError && !event.isSynthetic(line)
    }

    /// Notes the event that ended it.
    mutating func noteEnd(_ event: borrowing Event, _ line: Span<UInt8>, _ number: Int?) {
      hasTerminal = event.type?.phase == .terminal
      isFailed = event.type?.isFailed == true
      endNumber = number
      bodyMark = Self.bodyMark(event, line)
      endMark = Self.endMark(event, line, bodyMark)
    }

    /// Whether a terminal event, numbered `number`, is its end once more: by its bytes or number.
    func isSameEnd(_ event: borrowing Event, _ line: Span<UInt8>, _ number: Int?) -> Bool {
      guard hasTerminal else { return false }
      if let number, number == endNumber { return true }
      return endMark == Self.endMark(event, line, Self.bodyMark(event, line))
    }

    /// Whether `event` has the Response of its end.
    func hasSameBody(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
      bodyMark == Self.bodyMark(event, line)
    }

    /// A hash of the line, whose Response has the hash `body`.
    private static func endMark(
      _ event: borrowing Event, _ line: Span<UInt8>, _ body: UInt64
    ) -> UInt64 {
      guard let place = event.value(of: "response", in: line) else { return line.mixed(into: 1) }
      let start = line.extracting(first: place.lowerBound).mixed(into: body)
      return line.extracting(place.upperBound...).mixed(into: start)
    }

    private static func bodyMark(_ event: borrowing Event, _ line: Span<UInt8>) -> UInt64 {
      guard let body = event.value(of: "response", in: line) else { return 0 }
      return line.extracting(body).mixed(into: 2)
    }
  }

  /// The most that are remembered.
  private let most: Int
  /// The response numbered `n` stands at `n` modulo `most`.
  private var ring: [Response?] = []

  init(most: Int) { self.most = most }

  /// The response numbered `number`; `nil` when it is not remembered. Setting it changes one that
  /// is.
  subscript(number: Int) -> Response? {
    get {
      let place = number % most
      guard place < ring.count, let known = ring[place], known.number == number else { return nil }
      return known
    }
    set {
      if self[number] != nil { ring[number % most] = newValue }
    }
  }

  /// Remembers `response`, and returns the one that is forgotten for it.
  mutating func remember(_ response: Response) -> Response? {
    let place = response.number % most
    while ring.count <= place { ring.append(nil) }
    let forgotten = ring[place]
    ring[place] = response
    return forgotten
  }
}
