import Core

/// The facts from the events of a reply.
struct SeenEvents {
  var response: ResponseFacts
  /// The number of the last event; `nil` when none is known.
  var last: Int? { response.last }
  /// The number of the last event when the reply began.
  private var known: Int?
  /// The count of new events in the reply.
  private(set) var count = 0
  /// The last event, when the reader made it of a document; otherwise empty.
  private(set) var document: [UInt8] = []
  /// The end of the last event, in bytes from the start of the reply.
  private(set) var end = 0
  /// The end of the events that an earlier reply had, in front of the first new one, in bytes from
  /// the start of the reply.
  private(set) var repeatEnd = 0
  /// The end of the event by which the last response ended or failed; 0 when none did.
  var responseEnd = 0

  /// `id` is the id of the response, empty when unknown; `last` is the number of its last event.
  init(id: String, last: Int?) {
    response = ResponseFacts(id: id)
    (response.last, known) = (last, last)
  }

  /// Numbers that are missing where a stream was resumed, and the end of the events before them, in
  /// bytes from the start of the reply.
  typealias Hole = (numbers: ClosedRange<Int>, place: Int)
  private var hole: Hole?

  /// Takes the hole where the stream was resumed; `nil` when there is none.
  mutating func takeHole() -> Hole? {
    defer { hole = nil }
    return hole
  }

  /// Gets ready for another reply.
  mutating func restart() {
    known = last
    count = 0
    repeatEnd = 0
    document = []
    end = 0
    responseEnd = 0
  }

  /// Notes the place and the number of an event. Returns false for one that an earlier reply had: it
  /// changes nothing.
  mutating func noteIsNew(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    let start = end
    end = event.inputEnd
    let number = JSONChildren.integer(of: "sequence_number", in: line)
    if let number, let known, number <= known, event.type?.family != .error {
      if count == 0 { repeatEnd = end }
      return false
    }
    if let number, let known, count == 0, known < number - 1 {
      hole = (known + 1...number - 1, start)
    }
    response.last = number ?? last
    count += 1
    document = event.lineRange == nil ? [UInt8](copying: line) : []
    return true
  }

  /// Notes the facts that an event gives on its response.
  mutating func note(_ event: borrowing Event, _ line: Span<UInt8>) {
    end = event.inputEnd
    switch event.step {
    // The end of an answer of Chat Completions, and its further choices, are made when nothing may
    // follow its last chunk.
    case .begins where event.isBeginning && !event.isOfChat: responseEnd = 0
    case .ends where !event.isOfChat || responseEnd == 0: responseEnd = end
    case .fails where responseEnd == 0: responseEnd = end
    default: break
    }
    if event.type?.family == .lifecycle { response.read(event, line) }
  }
}
