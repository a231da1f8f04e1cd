/// The answers of Chat Completions in an input. They are translated as they come; an error, another
/// response, the mark `[DONE]` or the end of the input ends the open ones:
///
///     {"id":"c1","choices":[{"delta":{"content":"Hi"}}]}    the beginning of the response `c1`
///     {"error":{"message":"overloaded"}}                    its end, `response.failed`
struct ChatReader {
  private(set) var translator: ChatTranslator
  /// Whether an object of Chat Completions came, and the place of the last one.
  private(set) var hasAnswers = false
  private var place = Notice.Place(line: 1, byte: 0)
  /// Whether events that were made of answers are read next, and the place that they have.
  private(set) var hasEvent = false
  private var eventPlace = Notice.Place(line: 1, byte: 0)
  /// Whether what is left out, guessed or passed over is reported.
  private let reports: Bool

  init(behind former: ChatTranslator, reports: Bool) {
    (translator, self.reports) = (former, reports)
  }

  /// Takes the line of the next event that was made of answers, and its place.
  mutating func next() -> (line: [UInt8], place: Notice.Place)? {
    guard let next = translator.next() else {
      hasEvent = false
      return nil
    }
    return (EventLine.tagged(next.line, next.tag), eventPlace)
  }

  /// Translates the answers in `object`: a chunk, an answer, or a line of the Batch API with one.
  /// `nil` when it has none, else whether it is a whole answer.
  mutating func translate(
    _ event: borrowing Event, _ object: Span<UInt8>, _ notices: inout InputNotices
  ) -> Bool? {
    var isWhole = false
    if ChatTranslator.isAnswer(object) {
      translator.append(object, tag: Self.tag(of: event, object))
      let kind = event.value(of: "object", in: object)
      isWhole = kind.map { object.extracting($0).equals("\"chat.completion\"") } ?? false
    } else if let body = event.value(of: "response", "body", in: object),
      ChatTranslator.isAnswer(object.extracting(body))
    {
      let name = JSONChildren.string(of: "custom_id", in: object) ?? []
      translator.append(object.extracting(body), tag: name)
    } else {
      return nil
    }
    hasAnswers = true
    place = event.place
    handOnEvents(at: place, &notices)
    return isWhole
  }

  /// Has the events that were made read next.
  private mutating func handOnEvents(at place: Notice.Place, _ notices: inout InputNotices) {
    let notes = translator.takeNotes()
    if reports { for note in notes { notices.report(.warning, note, at: place) } }
    hasEvent = translator.hasEvent
    eventPlace = place
  }

  /// Handles the event `line`, which stands among the objects of Chat Completions: an error ends
  /// the open answer with its tag, and so does another response, or a report of its end. If it is
  /// true, the events of the end come first, then `line`.
  mutating func ends(
    at event: borrowing Event, _ line: Span<UInt8>, _ notices: inout InputNotices
  ) -> Bool {
    guard event.isError || [.lifecycle, .ownEnd].contains(event.type?.family) else {
      return false
    }
    let tag = Self.tag(of: event, line)
    guard translator.isOpen(tag) else { return false }
    if event.isError {
      let isReported = event.value(of: "oresp", "told", in: line) != nil
      translator.fail(APIError(in: line), isReported: isReported, tag: tag)
      guard translator.hasEvent else { return false }
    } else {
      translator.interrupt(tag)
    }
    handOnEvents(at: event.place, &notices)
    return true
  }

  /// Whether `error` came behind the end of each choice of its answer, which it does not change:
  /// then it is reported.
  func passesOver(
    _ error: Span<UInt8>, of event: borrowing Event, _ notices: inout InputNotices
  ) -> Bool {
    guard translator.isComplete(Self.tag(of: event, error)) else { return false }
    guard reports else { return true }
    let isReported = event.value(of: "oresp", "told", in: error) != nil
    let why = ChatTranslator.behindEnd(APIError(in: error))
    notices.report(.warning, why, at: event.place, isReported: isReported)
    return true
  }

  /// Notes that `object`, which has no choices, may tell why the open answer with its tag ends.
  mutating func noteReason(_ event: borrowing Event, _ object: Span<UInt8>) {
    guard hasAnswers, event.type == nil else { return }
    let tag = Self.tag(of: event, object)
    if translator.isOpen(tag), let reason = ChatTranslator.reason(in: object) {
      translator.note(reason, tag: tag)
    }
  }

  /// Notes `words`, which came in place of a chunk; false when no answer without a tag is open.
  mutating func noteText(_ words: [UInt8]) -> Bool {
    guard translator.isOpen([]) else { return false }
    translator.note(APIError(words: words), tag: [])
    return true
  }

  /// Whether the open answer without a tag would end for a reason that came behind its chunks.
  var hasReason: Bool { translator.hasReason([]) }

  /// Whether the end of the input would cut the open answer without a tag.
  var isCut: Bool {
    translator.isOpen([]) && !translator.isComplete([]) && !translator.hasReason([])
  }

  /// Ends the answer without a tag at the mark `[DONE]`.
  mutating func endStream(at place: Notice.Place, _ notices: inout InputNotices) {
    translator.endStream()
    handOnEvents(at: place, &notices)
  }

  /// Handles `error`, of ours, in place of the rest of the answer without a tag.
  mutating func fail(_ error: APIError) {
    translator.fail(error, isReported: false, tag: [])
  }

  /// Ends all answers at the end of the input.
  mutating func endInput(_ notices: inout InputNotices) {
    hasAnswers = false
    translator.endInput()
    handOnEvents(at: place, &notices)
  }

  /// The tag of the request that `line` belongs to; empty when it has none.
  static func tag(of event: borrowing Event, _ line: Span<UInt8>) -> [UInt8] {
    event.string(of: "oresp", "request", in: line)
  }
}
