import Core

/// What the events of a reply told, and where those stand in it that are not passed on as they are.
struct SeenEvents {
  var response: ResponseFacts
  /// Events that tell of an error, and those that came before, in bytes from the start of the
  /// reply, as far as they were not passed on.
  var marks: [HeldReply.Mark] = []
  /// The number of the last event.
  var last: Int? { response.last }
  /// The number of the last event when the reply began.
  private var known: Int?
  /// How many events came with the reply that had not come before.
  private(set) var count = 0
  /// The last event, when it was made of a document.
  private(set) var document: [UInt8] = []
  /// Where the last event ended.
  private(set) var end = 0
  /// Where the event ended that told the end of the last response, or its failure; 0 when none did.
  var responseEnd = 0

  /// `id` is the id of the response, `last` the number of its last event; each as far as it is
  /// known.
  init(id: String, last: Int?) {
    response = ResponseFacts(id: id)
    (response.last, known) = (last, last)
  }

  /// Gets ready for another reply.
  mutating func restart() {
    (marks, known, count, document, end, responseEnd) = ([], last, 0, [], 0, 0)
  }

  /// Whether an event came with an earlier reply; then it is not to be passed on again.
  mutating func isRepeated(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    let start = end
    end = event.inputEnd
    let number = JSONChildren.integer(of: "sequence_number", in: line)
    if let number, let known, number <= known, event.type?.family != .error {
      marks.append(HeldReply.Mark(range: start..<max(start, end), isRepeated: true))
      return true
    }
    response.last = number ?? last
    count += 1
    document = event.place == nil ? [UInt8](copying: line) : []
    return false
  }

  /// Takes note of what an event tells of its response.
  mutating func note(_ event: borrowing Event, _ line: Span<UInt8>) {
    end = event.inputEnd
    switch event.step.kind {
    case .begins: responseEnd = 0
    case .ends where event.step.isFirst || responseEnd == 0, .fails where responseEnd == 0:
      responseEnd = end
    default: break
    }
    if event.type?.family == .lifecycle { response.read(line) }
    if Self.isError(event, line) {
      let start = min(event.inputPlace.byte, end)
      marks.append(HeldReply.Mark(range: start..<end, isRepeated: false))
    }
  }

  /// Whether an event tells of an error: one of the server, of a response, or a text that is no
  /// event at all.
  private static func isError(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    switch event.type?.family {
    case .error: return true
    case .lifecycle:
      let error = JSONChildren.value(of: "response", "error", in: line)
      return error.map { !line.extracting($0).equals("null") } ?? false
    case nil:
      // What has no type may be a chunk of Chat Completions.
      guard let name = event.typeName else {
        return JSONChildren.value(of: "error", in: line) != nil
      }
      return line.extracting(name).equals(EventLine.unparsed)
    default: return false
    }
  }
}
