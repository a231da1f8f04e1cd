/// The decision on an event before it is handled and before its response is known.
package enum Gate {
  /// It is handled, and counts for the verdict.
  case open
  /// It is as if it had not come.
  case drop
  /// It must wait: the feed pauses, and asks again when it goes on.
  case wait
  /// It is as if it had not come, and nothing more is read.
  case last
}

/// Reads events out of bytes, sorts them by type and judges them, for every tool that handles
/// events.
///
/// Between calls it holds the reader's state, and an event that waits.
package struct EventFeed: ~Copyable {
  /// The verdict on what was read.
  package private(set) var judge = Judge()
  /// Whether earlier inputs had no event of a known type.
  private var hasOnlyUnknownTypes = true
  /// The error that names the content of earlier inputs.
  private var foreignInputError: String?
  /// The other protocol that earlier inputs were of.
  private var formerProtocol: String?
  /// Whether the input had any bytes but white space; whether the current one has.
  package private(set) var hasBytes = false
  private var inputHasBytes = false
  /// The warnings of inputs without an event, as long as no input has one: what all lack is one
  /// error.
  private var silentInputs: [(contents: String?, warning: Notice)] = []
  /// Whether an error in the current input was reported.
  private var inputHasError = false
  /// Whether each event is told its item.
  package var needsItems: Bool {
    get { judge.needsItems }
    set { judge.needsItems = newValue }
  }
  /// Whether deltas that came too late, and parts that stand one after the other, are reported.
  var reportsOrder: Bool {
    get { judge.reportsOrder }
    set { judge.reportsOrder = newValue }
  }
  /// What the first input with any bytes is, should it have no events, and how it begins.
  private var contents: String?
  private var firstWords: String?
  private let settings: EventReader.Settings
  private let triage: EventTriage
  private var reader: EventReader
  /// The event read last; the next one reuses its memory.
  private var event = Event()
  private var isWaiting = false
  /// Whether nothing more is to be read.
  private var isOver = false
  /// The events of this read that passed or were dropped.
  private var skimmed = SkimmedEvents()
  /// The range of the line of the last event, if it passed or was dropped unseen.
  private var unseen: Range<Int>?
  /// The number of events and of bytes read of this input.
  private var (count, size) = (0, 0)

  /// Only the responses that `judged` selects count for the verdict.
  package init(
    _ settings: EventReader.Settings = .init(), sorting triage: EventTriage,
    judging judged: ((Response) -> Bool)? = nil, _ ownEnds: OwnEnds = OwnEnds()
  ) {
    judge.selects = judged
    self.settings = settings
    judge.ownEnds = ownEnds
    self.triage = triage
    reader = EventReader(settings)
  }

  /// The end of the last block, in bytes from the start of the input; `nil` when it is no event
  /// stream, or not known to be one yet.
  package var blockEnd: Int? { reader.blockEnd }

  /// The error for inputs whose events have types, but none of them a known one; else `nil`.
  package var strangeness: Notice? {
    guard hasOnlyUnknownTypes, !reader.first.hasKnown, judge.meets(.typed) else { return nil }
    return .strange(formerProtocol ?? reader.first.otherProtocol)
  }

  /// The error for an input whose first object with a type shows that it has no events; else `nil`.
  package var foreign: String? { foreignInputError ?? reader.first.foreign }

  /// Whether the input is surely an event stream: a block of it was read.
  package var isSurelyStream: Bool { reader.isSurelyStream }

  /// Whether anything came of Chat Completions; whether an answer of that without a tag is open, and
  /// whether each of its choices has its end then.
  package var hasChat: Bool { reader.chat.hasObjects }
  package var hasOpenChat: Bool { reader.chat.isOpen([]) }
  package var hasWholeChat: Bool { reader.chat.isComplete([]) }

  /// Has the open answer of Chat Completions fail by `error`, which comes in place of its rest.
  /// `each` then has the events that come before the error.
  package mutating func failChat(by error: APIError) { reader.failChat(by: error) }

  /// Ends the open answers of Chat Completions, of which no more comes. `each` then has their last
  /// events.
  package mutating func endChat() { reader.endChat() }

  /// Gives `handle` each event of `input` that the triage hands on, with its line, and `close` each
  /// response that is over; `isEnd` when nothing follows the unused bytes. Lines that pass and
  /// notices go to `output`. Returns the numbers of events that passed or were dropped.
  ///
  /// It pauses when `output` holds so much that it should be written first (`Output.pauseUntil`
  /// says so), or when an event waits. `gate` is asked before each event is handled.
  @discardableResult
  package mutating func each(
    in input: inout InputBuffer, isEnd: Bool, into output: inout Output,
    gate: (borrowing Event, Span<UInt8>, inout Output) -> Gate = { _, _, _ in .open },
    _ handle: (borrowing Event, Span<UInt8>, inout Output) -> Void,
    close: (Response, inout Output) -> Void = { _, _ in }
  ) -> SkimmedEvents {
    if !inputHasBytes {
      inputHasBytes = !input.bytes.span.extracting(input.start..<input.end).trimmed().isEmpty
      hasBytes = hasBytes || inputHasBytes
    }
    let enough = output.bytes.count + Output.flushThreshold
    var goesOn = true
    reader.trustsMarks = output.readsPipe
    if isWaiting {
      isWaiting = false
      goesOn = give(of: input, into: &output, gate, handle, close)
    }
    while goesOn, reader.next(&input, isEnd: isEnd, into: &event) {
      if skim(of: &input, into: &output) { continue }
      report(into: &output)
      goesOn = give(of: input, into: &output, gate, handle, close)
      if goesOn, output.bytes.count >= enough {
        output.pauseToFlush()
        goesOn = false
      }
    }
    // Text in place of an event is why an open response has no end.
    if goesOn, isEnd, reader.settleText(isOpen: judge.isOpen, into: &event) {
      goesOn = give(of: input, into: &output, gate, handle, close)
    }
    report(into: &output)
    output.isOver = isOver
    return note(input)
  }

  /// Gives `handle` each event of `bytes`, a whole input, or its beginning when `isEnd` is false.
  /// Returns the first error in them, and whether the last event ends its response.
  @discardableResult
  package static func all(
    in bytes: [UInt8], acceptsAnything: Bool = false,
    sorting triage: EventTriage, isEnd: Bool = true,
    _ handle: (borrowing Event, Span<UInt8>) -> Void
  ) -> (fault: Notice?, isAtEnd: Bool) {
    var settings = EventReader.Settings()
    settings.acceptsAnything = acceptsAnything
    settings.chat = .kept
    var feed = EventFeed(settings, sorting: triage)
    var input = InputBuffer()
    var output = Output()
    input.append(bytes.span)
    feed.each(in: &input, isEnd: isEnd, into: &output) { event, line, _ in handle(event, line) }
    return (output.notices.first { $0.kind == .error }, feed.judge.isAtEnd)
  }

  /// Ends the input; another may follow.
  package mutating func endInput() {
    judge.endInput()
    hasOnlyUnknownTypes = hasOnlyUnknownTypes && !reader.first.hasKnown
    if hasBytes, contents == nil {
      contents = judge.meets(.objects) ? "JSON of another kind" : reader.contents
      firstWords = reader.firstWords
    }
    foreignInputError = foreign
    formerProtocol = formerProtocol ?? reader.first.otherProtocol
    reader = EventReader(settings, behind: reader.chat)
    (count, size) = (0, 0)
    inputHasBytes = false
    inputHasError = false
  }

  /// Reports the kind and size of the input, and that it has no event where several are read and
  /// each must have one as `needed` says, then ends it. `hasOther` says that the filter reads objects
  /// without a type, too.
  package mutating func endInput(
    needing needed: EventsNeeded, hasOther: Bool = false, into output: inout Output
  ) {
    let mayBeEmpty = needed == .objectsUnlessEmpty && !inputHasBytes
    let needsTypes = needed == .typed && !hasOther
    let isOfAnotherKind = count > 0 && needsTypes && !reader.first.hasKnown
    if output.inputName != nil, count == 0 || isOfAnotherKind, !inputHasError, !mayBeEmpty,
      !output.inputHasFailed
    {
      let other = isOfAnotherKind ? "JSON of another kind" : reader.contents
      let contents = inputHasBytes ? other : nil
      var notice = Notice.withoutEvents(contents, words: reader.firstWords)
      notice.kind = .warning
      notice.status = nil
      notice.input = output.inputName
      silentInputs.append((contents, notice))
    }
    if judge.meets(needsTypes ? .typed : .objects) {
      output.notices += silentInputs.map(\.warning)
      silentInputs = []
    }
    reportInput(into: &output)
    endInput()
  }

  /// Lets the report wait that the input ended inside an event (`Judge.hold`).
  mutating func holdCutEvent(of output: inout Output) {
    guard let index = output.notices.lastIndex(where: { $0.cutEvent != nil }) else { return }
    var notice = output.notices.remove(at: index)
    notice.input = output.inputName
    judge.hold(cutEvent: notice)
  }

  /// The error for inputs without an event.
  var absence: Notice {
    let count = silentInputs.count
    if count > 1, !allAreAlike {
      return Notice(.error, "none of the \(count) inputs has events", status: .badInput)
    }
    let words = count > 1 ? nil : firstWords
    return .withoutEvents(contents, words: words, of: max(count, 1))
  }

  /// Whether the error for all inputs says as much of each as its warning does.
  private var allAreAlike: Bool {
    !silentInputs.isEmpty && silentInputs.allSatisfy { $0.contents == contents }
  }

  private func reportInput(into output: inout Output) {
    let what =
      switch reader.form {
      case .blocks: "an event stream"
      case .values: "JSON"
      case .foreign, nil: "no events"
      }
    let (bytes, events) = (size == 1 ? "byte" : "bytes", count == 1 ? "event" : "events")
    output.notices.append(
      Notice(
        .summary, "read \(what): \(count) \(events) in \(size) \(bytes)")
    )
  }

  /// Judges an event that comes from elsewhere, whose line is `line`, and gives it to `handle`.
  package mutating func judge(
    _ event: inout Event, _ line: Span<UInt8>, into output: inout Output,
    _ handle: (borrowing Event, Span<UInt8>, inout Output) -> Void = { _, _, _ in }
  ) {
    if event.type != nil { hasOnlyUnknownTypes = false }
    judge.handle(&event, line, into: &output, handle)
  }

  /// Ends the last input: gives `close` the responses that were not over.
  package mutating func closeAll(
    into output: inout Output, _ close: (Response, inout Output) -> Void
  ) {
    judge.closeAll(isStopped: isOver, into: &output, close)
  }

  /// Ends the last input, once all responses are closed: reports those that did not end, and the
  /// size of an input that was not read to its end.
  package mutating func finish(into output: inout Output) {
    let areSaidByComplaint = allAreAlike
    for (_, var notice) in silentInputs {
      notice.isSaidByComplaint = areSaidByComplaint
      output.notices.append(notice)
    }
    if size > 0 { reportInput(into: &output) }
    judge.finish(isStopped: isOver, into: &output)
  }

  /// Gives the event to `handle`, if `gate` lets it in, and judges it; false when nothing may
  /// follow now.
  @inline(__always)
  private mutating func give(
    of input: borrowing InputBuffer, into output: inout Output,
    _ gate: (borrowing Event, Span<UInt8>, inout Output) -> Gate,
    _ handle: (borrowing Event, Span<UInt8>, inout Output) -> Void,
    _ close: (Response, inout Output) -> Void
  ) -> Bool {
    if let place = event.lineRange {
      return give(input.bytes.span.extracting(place), of: input, into: &output, gate, handle, close)
    }
    let made = reader.made
    return give(made.span, of: input, into: &output, gate, handle, close)
  }

  /// Does the same for the event whose line is `line`.
  @inline(__always)
  private mutating func give(
    _ line: Span<UInt8>, of input: borrowing InputBuffer, into output: inout Output,
    _ gate: (borrowing Event, Span<UInt8>, inout Output) -> Gate,
    _ handle: (borrowing Event, Span<UInt8>, inout Output) -> Void,
    _ close: (Response, inout Output) -> Void
  ) -> Bool {
    switch gate(event, line, &output) {
    case .open: break
    case .wait:
      isWaiting = true
      return false
    case .drop:
      count += 1
      return true
    case .last:
      (count, isOver) = (count + 1, true)
      return false
    }
    // The judge's notice may name the number of the event before.
    if event.isFailure { noteNumber(input) }
    if event.lineRange == nil, event.typeName != nil, !event.isOfChat, judge.allowsSkimming,
      triage.course(of: event.type) != .handle
    {
      // The cuts of reads may decide whether a line is made, so the judge counts it as skimmed.
      handle(event, line, &output)
      if !event.isHeartbeat { judge.noteSkimmed() }
      judge.noteSequence(ofSkimmed: line)
    } else {
      judge.handle(&event, line, into: &output, handle, close: close)
    }
    unseen = nil
    count += 1
    if let most = settings.responses, judge.ends >= most { isOver = true }
    return !isOver
  }

  /// Passes or drops an event as its type decides, if the judge need not see it or, while the rules
  /// must see each, places it as most are: it has nothing to say of it then. False for any other,
  /// for one without a type, and for a line that the reader made. It changes nothing in `input`,
  /// which would be copied if it were borrowed.
  @inline(__always)
  private mutating func skim(of input: inout InputBuffer, into output: inout Output) -> Bool {
    guard let place = event.lineRange, event.typeName != nil else { return false }
    let course = triage.course(of: event.type)
    guard course != .handle else { return false }
    let line = input.bytes.span.extracting(place)
    if judge.allowsSkimming {
      judge.noteSkimmed()
      unseen = place
    } else {
      guard judge.placeUsual(&event, line) else { return false }
      unseen = nil
    }
    if course == .pass {
      // Nearly all lines have their line end behind them, which saves a second call.
      let end = place.upperBound
      if input.bytes.span.byte(at: end) == ASCII.lf {
        output.bytes.append(copying: input.bytes.span.extracting(place.lowerBound...end))
      } else {
        output.append(line: line)
      }
    }
    if course == .drop { skimmed.dropped += 1 } else { skimmed.passed += 1 }
    return true
  }

  /// Hands on the reader's notices, which stand before the event that it gave.
  @inline(__always)
  private mutating func report(into output: inout Output) {
    if !reader.notices.isEmpty { reportAll(into: &output) }
  }

  private mutating func reportAll(into output: inout Output) {
    inputHasError = inputHasError || reader.notices.contains { $0.kind == .error }
    output.notices += reader.notices
    reader.notices = []
  }

  /// Gives the judge the sequence number of the last event, if that was not seen.
  private mutating func noteNumber(_ input: borrowing InputBuffer) {
    guard let place = unseen else { return }
    judge.noteSequence(ofSkimmed: input.bytes.span.extracting(place))
    unseen = nil
  }

  /// Counts the skimmed events and notes the sequence number of the last event, once a read.
  private mutating func note(_ input: borrowing InputBuffer) -> SkimmedEvents {
    noteNumber(input)
    defer { skimmed = SkimmedEvents() }
    count += skimmed.count
    size = input.offset(of: input.start)
    return skimmed
  }
}
