/// A response of a stream, from its first event until it is forgotten. All its events share it.
package final class Response {
  /// Its number, from 1 in the order in which the responses of a stream begin.
  package let number: Int
  /// The tag of its stream (`oresp.request`); empty when it has none.
  package let tag: [UInt8]
  /// The number that it shares with the responses of its tag and its WebSocket's stream.
  package let lane: Int
  /// The id with which it began; empty as long as none is known.
  package internal(set) var id: [UInt8] = []
  /// The id at its end, which may be another.
  package internal(set) var endID: [UInt8] = []
  /// Its failed or missing end, once an error came or it is over; `nil` when it completed, or no event
  /// shows an end.
  package internal(set) var outcome: Outcome?
  /// What the tool does as it has no end; it stands behind the report of that.
  package var remark: String?
  /// Its items that events were about, until it is over; empty where nobody asked for items.
  package internal(set) var items = ItemRouter()
  /// How it stands, by its events.
  var verdict = Verdict()

  // What `Responses` keeps to find its events.

  /// The number that no other open response has; -1 when it never was open.
  package let slot: Int
  package internal(set) var isOpen = true
  /// Whether it is another end, alone, of a response that had ended.
  package internal(set) var isSecondEnd = false
  /// Whether it is over, and its ids still name it.
  var isRemembered = false
  /// Whether `created`, `queued`, `in_progress` or a whole Response came.
  var hasBeginning = false
  /// Whether it began with `queued` or `in_progress`.
  var beganWithStatus = false
  /// Whether it began with a whole Response, which had not ended.
  var isOfDocument = false
  /// Whether it is the stream of another endpoint, around which no response stands.
  var isAlone = false
  /// Whether an event about an item came.
  var hasItems = false
  /// The error of it that came last.
  var failure: Failure?
  /// How it ended; `nil` when it is open, or was cut.
  var end: End?
  /// When it began, was heard of last, and was over, in events.
  var began = 0
  var heard = 0
  var over = 0
  /// The items that its events were about, if its beginning did not come.
  var heardItems = HeardItems()
  var gaps = Gaps()
  /// The sequence number of its last event that was no repeat, and a hash that sets the event apart.
  var lastNumber: Int?
  var lastMark: UInt64 = 0
  /// The number of its last error or end.
  private var endNumber: Int?
  /// The response before it that has neither beginning nor end.
  var headlessBefore: Response?
  /// Whether an event of it was about an item of that one.
  var goesBefore = false
  /// An earlier response that had its id.
  var namesake: Response?

  // What `Judge` keeps to report its end.

  /// The name of the input with its last judged event; `nil` when only one is read.
  var inputName: String?
  /// The stream id of its WebSocket, kept when ends are written.
  var streamID: [UInt8] = []
  /// What the events that were handed on say of it: whether it began, the worst status of its end, and
  /// the first id, as it is spelled.
  var hasPassedBeginning = false
  var passedStatus: ExitStatus?
  var passedID: [UInt8] = []
  /// When a tool told how it ended, as far as events may say so.
  package internal(set) var told: Int?
  /// The line on its end that stands for what was not handed on; a filter that puts it elsewhere takes
  /// it as it closes the response.
  package var endLine: [UInt8]?
  /// Whether its outcome was counted.
  var isCounted = false

  /// An error of a response that is still open, or ended with it.
  struct Failure {
    /// Whether `response.failed` may follow as the same failure: of the server's own error events.
    let hasFailedBehind: Bool
    /// When it came, in events.
    let time: Int
  }

  /// The end of a response that was not cut.
  struct End {
    /// Whether it is a terminal event or a whole Response.
    var hasTerminal = false
    var isFailed = false
    /// The number of the event, and hashes of its line and of its Response.
    var number: Int?
    var lineMark: UInt64 = 0
    var bodyMark: UInt64 = 0
  }

  /// The end of a response that did not complete.
  package struct Outcome: Sendable {
    package let status: ExitStatus
    package let message: String
    /// Whether it has neither an end nor an error that says why.
    package let isCut: Bool
    /// Whether a whole Response says that it goes on.
    package let isUnfinished: Bool
    /// Whether an error event ended it.
    package let isError: Bool
  }

  init(_ number: Int, tag: [UInt8], lane: Int = 0, slot: Int = -1) {
    self.number = number
    self.tag = tag
    self.lane = lane
    self.slot = slot
  }

  /// The name that a notice has for it: its tag, or its id if it is not the first response; `nil`
  /// for none.
  package var shownName: String? {
    let name = tag.isEmpty && number > 1 ? id : tag
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }

  /// The type of its item `number`.
  package func type(ofItem number: Int) -> String { items.type(of: number) }

  /// The index of its item `number` in the output, as far as is known; `nil` when no event was about
  /// such an item.
  package func place(ofItem number: Int) -> Int? {
    number < items.items.count ? items.items[number].place : nil
  }

  /// Whether its item `number` ended at another place in the output than `index`: what comes of it
  /// there came before.
  package func hasEnded(item number: Int, not index: Int?) -> Bool {
    guard let index, number < items.items.count, items.items[number].isDone else { return false }
    return items.items[number].place != index
  }

  /// Whether events of items may begin the next response: its beginning, or its first item, has not
  /// come, or an error came.
  var isUnclear: Bool { !hasItems || endsWithNext }

  /// Whether it ends where the next one of its lane begins: its beginning has not come, or an error
  /// came.
  var endsWithNext: Bool { !hasBeginning || failure != nil }

  /// Notes the number of an event, whose hash is `mark`, if the number rises; else false.
  @inline(__always)
  func noteRise(_ number: Int, _ mark: UInt64) -> Bool {
    guard let highest = gaps.highest, number > highest else { return false }
    // Nearly all numbers follow each other.
    if number == highest + 1 { gaps.highest = number } else { noteJump(to: number) }
    lastNumber = number
    lastMark = mark
    return true
  }

  private func noteJump(to number: Int) { _ = note(number) }

  /// Notes the number of an event.
  func note(_ number: Int) -> Gaps.Novelty {
    // A call on the property itself would have each access to it checked as the tool runs.
    var gaps = gaps
    self.gaps = Gaps()
    defer { self.gaps = gaps }
    return gaps.note(number)
  }

  /// The number of its last event, for people.
  var shownNumber: Int? {
    endNumber.map { max($0, lastNumber ?? $0) } ?? lastNumber
  }

  var hasTerminal: Bool { end?.hasTerminal == true }

  /// Notes the ids that an event of its lifecycle brings, and the number of its error or end.
  func noteNames(of event: borrowing Event, _ line: Span<UInt8>) {
    if event.step == .fails || event.step == .ends {
      endNumber = event.sequenceNumber(in: line) ?? endNumber
    }
    if event.type?.family == .ownEnd, id.isEmpty {
      id = Array(event.text(of: "response_id", in: line).utf8)
    }
    guard event.type?.family == .lifecycle else { return }
    if id.isEmpty { id = event.string(of: "response", "id", in: line) }
    if event.step == .ends { endID = event.string(of: "response", "id", in: line) }
  }

  /// Forgets its items, as it is over.
  func forgetItems() { items = ItemRouter() }
}

extension Response.End {
  /// The end that a terminal event or a whole Response brings.
  init(_ event: borrowing Event, _ line: Span<UInt8>, _ number: Int?) {
    hasTerminal = event.isTerminal
    isFailed = event.type?.isFailed == true
    self.number = number
    bodyMark = Self.bodyMark(event, line)
    lineMark = Self.lineMark(event, line, bodyMark)
  }

  /// Whether a terminal event, numbered `number`, is the same one again: by its bytes or number.
  func isSame(as event: borrowing Event, _ line: Span<UInt8>, _ number: Int?) -> Bool {
    guard hasTerminal else { return false }
    if let number, number == self.number { return true }
    return lineMark == Self.lineMark(event, line, Self.bodyMark(event, line))
  }

  /// Whether `event` brings the same Response.
  func hasSameBody(as event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    bodyMark == Self.bodyMark(event, line)
  }

  /// A hash of the line without the time at which it was told, whose Response has the hash `body`.
  private static func lineMark(
    _ event: borrowing Event, _ line: Span<UInt8>, _ body: UInt64
  ) -> UInt64 {
    guard event.value(of: "oresp", "told", in: line) == nil else {
      let bare = EventLine.marking(line, told: nil)
      return lineMark(Event(of: bare.span), bare.span, body)
    }
    guard let place = event.value(of: "response", in: line) else { return line.mixed(into: 1) }
    let start = line.extracting(first: place.lowerBound).mixed(into: body)
    return line.extracting(place.upperBound...).mixed(into: start)
  }

  private static func bodyMark(_ event: borrowing Event, _ line: Span<UInt8>) -> UInt64 {
    guard let body = event.value(of: "response", in: line) else { return 0 }
    return line.extracting(body).mixed(into: 2)
  }
}
