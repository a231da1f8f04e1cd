/// Reads events, one line of JSON each, out of an input: a `PayloadDecoder` finds the payloads, and
/// the reader makes an event of each.
///
///     data: {"type":"keepalive"}                          an event as it stands
///     event: ping  and  data: {"n":1}                     {"type":"ping","n":1}
///     {"object":"response","status":"completed",…}        {"type":"response.completed",…}
///     {"error":{"message":"m"}}                           {"type":"error","error":{…},…}
///     {"object":"list","data":[…]}                        an event for each element
///     data: <p>                                           {"type":"oresp.unparsed","data":"<p>",…}
///
/// An event comes out as the bytes that the server sent, without line breaks between tokens. `make`
/// alone decides what becomes of an object.
package struct EventReader: ~Copyable {
  /// What becomes of answers of Chat Completions.
  package enum Chat: Sendable {
    /// They become events of the Responses API.
    case translated
    /// They come out as they are.
    case kept
    /// They become events, and an object that is neither an answer nor an event is an error.
    case only
  }

  /// The choices of a reader's owner.
  package struct Settings: Sendable {
    /// Whether events come with the names of their blocks.
    package var keepsNames = false
    /// Whether the mark `[DONE]` comes out as an `oresp.done` event.
    package var keepsMarks = false
    /// Whether input that is known not to be events gives no error.
    package var acceptsAnything = false
    /// Whether objects without a type are left as they are, unless they came behind the beginning
    /// of an answer.
    package var isGeneric = false
    /// Whether data in place of events, such as a heartbeat or text, is reported, and what is left
    /// out or guessed of Chat Completions.
    package var reportsStrayData = true
    /// Whether the event that holds what is no JSON says that the owner reported it.
    package var marksErrors = false
    package var chat = Chat.translated
    /// Whether an answer of Chat Completions that the end of the input cuts stays open: the owner ends
    /// it by an error of its own.
    package var leavesCutChat = false
    /// Whether a whole Response is a response of its own. Otherwise one of the id of an open response
    /// goes on with that: it was asked for when a stream broke off.
    package var documentsStandAlone = true
    /// The longest event, in bytes; 0 is no limit.
    package var limit = 256 << 20
    /// The number of responses to read to their end; `nil` for all that come.
    package var responses: Int?

    package init() {}
  }

  /// The result of `make` for a payload.
  private enum Made {
    /// The payload is an event's line as it stands.
    case asItStands
    /// This line takes its place.
    case line([UInt8])
    /// Nothing takes its place, or what is ready to be read next.
    case others
  }

  /// Bytes that are read next: an event's line, or a payload that stood in an array.
  private struct Ready {
    let bytes: [UInt8]
    let isLine: Bool
    /// The place and the block of the payload that they are made of.
    let place: Notice.Place
    var block: EventBlock?
  }

  /// Notices on the input so far; the reader's owner removes them.
  package var notices: [Notice] {
    get { payloads.reports.untaken }
    set { payloads.reports.untaken = newValue }
  }
  /// The line of the event, if the reader made it (`Event.lineRange` is `nil` then).
  package private(set) var made: [UInt8] = []

  /// The end of the last block, in bytes from the start of the input; `nil` when the input is no
  /// event stream, or not known to be one yet.
  var blockEnd: Int? { form == .blocks ? payloads.stream.blockEnd : nil }

  /// Whether the input is surely an event stream: a block of it was read.
  var isSurelyStream: Bool { form == .blocks && payloads.isSure }

  var form: PayloadDecoder.Form? { payloads.form }

  /// Whether marks that say what was told are believed: the input is a pipe.
  package var trustsMarks: Bool {
    get { payloads.trustsMarks }
    set { payloads.trustsMarks = newValue }
  }

  /// What an input without an object is.
  package var contents: String { payloads.contents }

  /// How an input that is plain text begins, quoted; `nil` for another.
  package var firstWords: String? { payloads.firstWords }

  private let settings: Settings
  private var payloads: PayloadDecoder
  /// What is read next, from the back of the array.
  private var ready: [Ready] = []
  /// Whether the last payload was a whole answer.
  private var isBehindAnswer = false
  private var strayText: StrayText
  /// The translator of answers of Chat Completions.
  private(set) var chat: ChatTranslator
  private(set) var first = FirstTypes()
  /// Whether an event of a known type needs no look at what came before it: an answer has begun, its
  /// first event was looked at, no text waits, and no answer of Chat Completions is there.
  private var isOnUsualPath = false

  /// Gives answers without ids others than `former`, the reader of the input before, did.
  package init(_ settings: Settings, behind former: ChatTranslator = ChatTranslator()) {
    self.settings = settings
    chat = ChatTranslator(behind: former)
    strayText = StrayText(isReported: settings.reportsStrayData)
    payloads = PayloadDecoder(
      limit: settings.limit, acceptsAnything: settings.acceptsAnything,
      keepsNames: settings.keepsNames)
  }

  /// Has the open answer of Chat Completions fail by `error`, which comes in place of its rest.
  /// `next` then has the events that come before the error.
  mutating func failChat(by error: APIError) { chat.fail(error, tag: []) }

  /// Ends the open answers of Chat Completions, of which no more comes. `next` then has their last
  /// events.
  mutating func endChat() { chat.endInput() }

  /// Puts the next event into `event`; false when more must be read first or, at the end of the
  /// input, after the last.
  @inline(__always)
  package mutating func next(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Bool {
    // A stream that comes an event at a time is asked for the next one in vain, for each.
    if input.count > 0 || isEnd || hasReady, find(&input, isEnd: isEnd, into: &event) {
      return true
    }
    // The memory of a line as large as a document is freed.
    if !made.isEmpty { made = [] }
    return false
  }

  /// Does that where there may be an event.
  private mutating func find(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Bool {
    guard
      isOnUsualPath && readUsual(&input, isEnd: isEnd, into: &event)
        || read(&input, isEnd: isEnd, into: &event)
    else { return false }
    event.inputEnd =
      form == .blocks ? payloads.stream.eventEnd(input) : input.offset(of: input.start)
    if !isOnUsualPath { lookBack(from: event) }
    return true
  }

  /// Looks at what the event shows of what came before it.
  private mutating func lookBack(from event: borrowing Event) {
    if !strayText.isEmpty { strayText.noteNext(event, &payloads.reports) }
    isOnUsualPath =
      first.hasBegun && strayText.isEmpty && !chat.hasAnswers
      && !isBehindAnswer && !hasReady
  }

  /// Whether something is ready to be read next.
  private var hasReady: Bool { chat.hasEvent || !ready.isEmpty }

  /// Puts the next event into `event`, if it stands in the input as nearly all do; false when
  /// `read` must look for it. A loop around both would cost 40 instructions an event.
  @inline(__always)
  private mutating func readUsual(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Bool {
    guard let found = payloads.nextUsual(&input, isEnd: isEnd, into: &event) else { return false }
    return take(found, of: &input, into: &event)
  }

  /// Puts the next event into `event`; false when there is none yet.
  @inline(never)
  private mutating func read(
    _ input: inout InputBuffer, isEnd: Bool, into event: inout Event
  ) -> Bool {
    while true {
      if hasReady {
        if takeReady(into: &event) { return true }
        continue
      }
      if let found = payloads.next(&input, isEnd: isEnd, into: &event) {
        if take(found, of: &input, into: &event) { return true }
        continue
      }
      guard isEnd, chat.hasAnswers else { return false }
      noteReasonOfChat()
      if settings.leavesCutChat, chat.isCut { return false }
      payloads.endMark(of: chat.place)
      chat.endInput()
    }
  }

  /// Takes the next of what is ready; false when it gives no event.
  @inline(never)
  private mutating func takeReady(into event: inout Event) -> Bool {
    if chat.hasEvent {
      for note in chat.notes where settings.reportsStrayData {
        payloads.reports.report(.warning, note, at: chat.place)
      }
      chat.notes = []
      guard let next = chat.next() else { return false }
      event.begin(at: chat.place)
      event.isOfChat = true
      payloads.takeMark(of: &event)
      note(EventLine.tagged(next.line, next.tag), in: &event)
    } else {
      guard let next = ready.popLast() else { return false }
      event.begin(at: next.place)
      event.block = next.block
      payloads.takeMark(of: &event)
      guard next.isLine else { return take(next.bytes, into: &event) }
      note(next.bytes, in: &event)
    }
    let line = made
    look(at: event, line.span)
    return true
  }

  /// Acts on a payload; false when it gives no event. It changes nothing in `input`, which would be
  /// copied if it were borrowed.
  @inline(__always)
  private mutating func take(
    _ found: PayloadDecoder.Found, of input: inout InputBuffer, into event: inout Event
  ) -> Bool {
    if case .value(let range, let isUTF8, let hasLineEnds) = found {
      event.lineRange = range
      let payload = input.bytes.span.extracting(range)
      return take(payload, isUTF8: isUTF8, hasLineEnds: hasLineEnds, into: &event)
    }
    return takeOther(found, of: input.bytes.span, into: &event)
  }

  /// Acts on a payload in `bytes` that is none of the usual ones.
  private mutating func takeOther(
    _ found: PayloadDecoder.Found, of bytes: Span<UInt8>, into event: inout Event
  ) -> Bool {
    switch found {
    case .value, .other(.value), .other(.field): return false
    case .block: return takeBlock(into: &event)
    case .lastBlock(let isLineWhole): return takeBlock(lastWithLine: isLineWhole, into: &event)
    case .object(let range): return take([UInt8](copying: bytes.extracting(range)), into: &event)
    case .error(let range):
      var body: [UInt8] = []
      body.append("{\"error\":")
      body.append(copying: bytes.extracting(range))
      body.append(ASCII.closeBrace)
      return take(body, into: &event)
    case .other(.text(let range)) where isBehindAnswer:
      // What curl -w writes: {"object":"response",…}200
      let what = "skipped behind the answer: \(StrayLine.shown(bytes.extracting(range)))"
      payloads.reports.report(.warning, what, at: event.place)
      return false
    case .other(.text(let range)):
      let text = bytes.extracting(range)
      let fault = JSONScan.fault(in: text)
      return reject(text, fault.map { "not JSON: \($0)" } ?? Self.noObject, into: &event)
    case .other(.broken(let range, let expected)):
      return reject(bytes.extracting(range), expected.map { "not JSON: \($0)" }, into: &event)
    case .other(.cut(let range)):
      let isEvent = reject(bytes.extracting(range), nil, into: &event)
      let why = "the input is cut off"
      payloads.reports.reportCut(why, status: .temporary, ", inside an event", at: event.place)
      return isEvent
    case .other(.mark): return takeMark(into: &event)
    case .other(.oversized):
      let why = "an event is longer than \(settings.limit) bytes, and dropped"
      payloads.reports.reportError(why, at: event.place)
      return false
    }
  }

  /// Acts on the data of a block: a JSON value, the mark, a heartbeat, or text in place of an event.
  /// The last block of an input that ends in it is dropped unless its data is surely whole; text is
  /// only `lastWithLine`, if its line has an end.
  private mutating func takeBlock(
    lastWithLine: Bool? = nil, into event: inout Event
  ) -> Bool {
    let data = payloads.stream.data
    let payload = data.span.extracting(data.span.trimmed())
    let isMark = EventStreamDecoder.isEndMark(payload)
    let isHeartbeat = Heartbeat.isOne(payload)
    let isText = isHeartbeat || first.hasBegun && StrayText.words(of: payload) != nil
    if let isLineWhole = lastWithLine {
      guard isMark || isLineWhole && isText || JSONScan.accepts(payload) else {
        let why = "the input ends inside an event, which is dropped"
        payloads.reports.reportCut(
          why, status: .badInput, ", inside an event, which is dropped", at: event.place)
        return false
      }
      // A stream that lacks blank lines has been reported already.
      if !payloads.stream.hasSplit {
        let why = "the last event has no blank line after it"
        payloads.reports.report(.warning, why, at: event.place)
      }
    }
    let retry = payloads.stream.hasRetry ? payloads.stream.retry : nil
    if payloads.stream.id != nil || retry != nil || settings.keepsNames {
      event.block = EventBlock(id: payloads.stream.id, retry: retry, name: payloads.stream.name)
    }
    if isMark { return takeMark(into: &event) }
    guard isText else { return take([UInt8](copying: payload), into: &event) }
    if isHeartbeat {
      if settings.reportsStrayData {
        let what = "data that is no event is read as a heartbeat"
        payloads.reports.report(.warning, what, at: event.place)
      }
      noteUnparsed(payload, in: &event)
      event.isHeartbeat = true
      return true
    }
    if !UTF8Repair.isValid(payload) { payloads.reports.reportRepair(at: event.place) }
    noteText(payload, at: event.place, isReported: false)
    noteUnparsed(payload, told: toldNow, isBlock: true, in: &event)
    return true
  }

  /// Makes `payload` the event, as below.
  private mutating func take(_ payload: [UInt8], into event: inout Event) -> Bool {
    made = payload
    event.lineRange = nil
    event.typeName = nil
    event.type = nil
    event.members.removeAll()
    var scan = JSONScan(limitsDepth: true)
    if let fault = scan.fault(in: payload.span, noting: &event.members) {
      return reject(payload.span, "not JSON: \(fault)", into: &event)
    }
    if payload[0] == ASCII.openBrace { event.noteType(in: payload.span, EventTypes.all) }
    return take(
      payload.span, isUTF8: scan.isUTF8, hasLineEnds: scan.hasLineEnds, into: &event)
  }

  /// Makes `payload`, a value whose members and type are noted, the event. False when it gives none,
  /// or what is ready then.
  @inline(__always)
  private mutating func take(
    _ payload: Span<UInt8>, isUTF8: Bool, hasLineEnds: Bool, into event: inout Event
  ) -> Bool {
    if isOnUsualPath, isUTF8, !hasLineEnds, event.type != nil { return true }
    return takeAny(payload, isUTF8: isUTF8, hasLineEnds: hasLineEnds, into: &event)
  }

  /// Does the same off the usual path.
  private mutating func takeAny(
    _ payload: Span<UInt8>, isUTF8: Bool, hasLineEnds: Bool, into event: inout Event
  ) -> Bool {
    isOnUsualPath = false
    guard isUTF8 else {
      payloads.reports.reportRepair(at: event.place)
      var repaired: [UInt8] = []
      UTF8Repair.append(payload, to: &repaired)
      return take(repaired, into: &event)
    }
    guard payload[0] == ASCII.openBrace else { return reject(payload, Self.noObject, into: &event) }
    isBehindAnswer = false
    switch make(payload, hasLineEnds: hasLineEnds, of: &event) {
    case .others: return false
    case .asItStands where !hasLineEnds: return passes(payload, madeOf: payload, &event)
    case .asItStands: note(payload.withoutLineEnds, in: &event)
    case .line(var line):
      if hasLineEnds { line.removeLineEnds() }
      note(line, in: &event)
    }
    let line = made
    return passes(line.span, madeOf: payload, &event)
  }

  /// Decides what becomes of `payload`, an object whose members are noted. Nothing else makes lines
  /// of objects.
  private mutating func make(
    _ payload: Span<UInt8>, hasLineEnds: Bool, of event: inout Event
  ) -> Made {
    let keepsChat = settings.chat == .kept
    if keepsChat, !first.hasBegun, event.typeName == nil {
      first.hasBegun = ChatTranslator.isAnswer(payload)
    }
    let name = payloads.stream.name
    let shape = LineShape(
      payload, of: event, blockName: name.span,
      isAmongValues: form == .values && !settings.acceptsAnything,
      isBehindEvents: first.hasKnown && !chat.hasObjects,
      takesErrors: first.hasBegun ? .all : settings.isGeneric ? .none : .plain,
      readsChat: !keepsChat)
    if shape.mayBeForeign, !settings.acceptsAnything,
      let found = ForeignInput.named(byObject: payload, unwraps: !settings.isGeneric)
    {
      payloads.reports.report(.error, found.what, at: event.place)
      guard case .named = shape else { return .asItStands }
    }
    let line: [UInt8]
    switch shape {
    case .event: return .asItStands
    case .unparsed:
      noteFormer(payload, &event)
      return .asItStands
    case .untyped:
      guard settings.chat == .only else { return .asItStands }
      chat.noteReason(in: payload, tag: Self.tag(of: event, payload))
      let why = "neither an event nor an answer of Chat Completions"
      payloads.reports.reportError(why, at: event.place)
      return .others
    case .chat(let place):
      translate(payload.extracting(place), in: payload, hasLineEnds: hasLineEnds, event)
      return .others
    case .item:
      look(at: event, payload)
      return first.foreign == nil ? .line(EventLine.wrapping(item: payload)) : .asItStands
    case .document(let type): return .line(EventLine.wrapping(payload, as: type))
    case .list:
      for element in JSONChildren.elements(at: ["data"], in: payload).reversed() {
        let bytes = [UInt8](copying: payload.extracting(element))
        ready.append(Ready(bytes: bytes, isLine: false, place: event.place))
      }
      return .others
    case .batch:
      guard let made = EventLine.wrapping(batch: payload) else { return .asItStands }
      line = made
      event.isDocument = true
    case .named: line = EventLine.adding(type: name.span, to: payload)
    case .response:
      line = EventLine.wrapping(response: payload)
      event.isDocument = settings.documentsStandAlone
      isBehindAnswer = true
    case .error:
      line = EventLine.wrapping(error: payload)
      event.isBareError = true
      isBehindAnswer = true
    }
    event.isUntypedBlock = form == .blocks
    return .line(line)
  }

  /// Whether the event, whose line is `line`, comes out now. One that ends an answer of Chat
  /// Completions comes behind the events of the end; an error that is too late for that becomes an
  /// `oresp.unparsed`, which holds the payload as it came.
  private mutating func passes(
    _ line: Span<UInt8>, madeOf payload: Span<UInt8>, _ event: inout Event
  ) -> Bool {
    if event.isUnparsed(line) { return true }
    look(at: event, line)
    guard chat.hasAnswers else { return true }
    let tag = Self.tag(of: event, line)
    switch event.type?.family {
    case .error where chat.isComplete(tag):
      if settings.reportsStrayData {
        let isReported = ToldMark.time(of: event, line, isTrusted: trustsMarks) != nil
        let why = ChatTranslator.behindEnd(APIError(in: line))
        payloads.reports.report(.warning, why, at: event.place, isReported: isReported)
      }
      event.isBareError = false
      event.isUntypedBlock = false
      noteUnparsed(payload, tag: tag, told: toldNow, in: &event)
      return true
    case .error where chat.isOpen(tag): chat.fail(APIError(in: line), tag: tag)
    case .lifecycle where chat.isOpen(tag), .ownEnd where chat.isOpen(tag): chat.end(tag)
    case nil:
      chat.noteReason(in: line, tag: tag)
      return true
    default: return true
    }
    chat.place = event.place
    let bytes = [UInt8](copying: line)
    ready.append(Ready(bytes: bytes, isLine: true, place: event.place, block: event.block))
    return false
  }

  /// Has `answer`, of Chat Completions, translated, which is `payload` or stands in it.
  private mutating func translate(
    _ answer: Span<UInt8>, in payload: Span<UInt8>, hasLineEnds: Bool, _ event: borrowing Event
  ) {
    let isInBatch = answer.count < payload.count
    let tag =
      isInBatch
      ? JSONChildren.string(of: "custom_id", in: payload) ?? [] : Self.tag(of: event, payload)
    if !strayText.isEmpty, !JSONChildren.elements(at: ["choices"], in: answer).isEmpty {
      strayText.pass(&payloads.reports)
    }
    if hasLineEnds {
      let line = answer.withoutLineEnds
      chat.append(line.span, tag: tag)
    } else {
      chat.append(answer, tag: tag)
    }
    chat.place = event.place
    let kind = event.value(of: "object", in: payload)
    isBehindAnswer = kind.map { payload.extracting($0).equals("\"chat.completion\"") } ?? false
  }

  /// Notes the text in place of an event that waits as the reason why the open answer of Chat
  /// Completions, which lacks its end, ends.
  private mutating func noteReasonOfChat() {
    guard chat.lacksEnd, let text = strayText.takeReason(isOpen: true, &payloads.reports) else {
      return
    }
    chat.noteReason(text.words)
  }

  /// The tag of the request that `line` belongs to; empty when it has none.
  private static func tag(of event: borrowing Event, _ line: Span<UInt8>) -> [UInt8] {
    event.string(of: "oresp", "request", in: line)
  }

  /// Makes `line` the event's line.
  private mutating func note(_ line: [UInt8], in event: inout Event) {
    made = line
    event.lineRange = nil
    event.note(line.span)
  }

  /// Acts on the mark `[DONE]`; false when nobody waits for it, or when it ends an answer of Chat
  /// Completions, whose last events come first.
  private mutating func takeMark(into event: inout Event) -> Bool {
    let mark = settings.keepsMarks ? EventLine.synthetic(EventLine.done, "data", []) : []
    guard chat.hasAnswers else {
      if settings.keepsMarks { note(mark, in: &event) }
      return settings.keepsMarks
    }
    if settings.keepsMarks { ready.append(Ready(bytes: mark, isLine: true, place: event.place)) }
    noteReasonOfChat()
    chat.end([], isMarked: true)
    chat.place = event.place
    return false
  }

  /// Makes the event an `oresp.unparsed` that holds `payload`; `why` is `nil` where that was told
  /// with the line before. Returns true.
  private mutating func reject(
    _ payload: Span<UInt8>, _ why: String?, into event: inout Event
  ) -> Bool {
    if !UTF8Repair.isValid(payload) { payloads.reports.reportRepair(at: event.place) }
    if let why { payloads.reports.reportError(why, at: event.place) }
    noteUnparsed(payload, told: toldNow, in: &event)
    return true
  }

  /// The time of a report of `event` in an event that is made for it; `nil` where none may say so.
  private var toldNow: Int? { settings.marksErrors ? ToldMark.now : nil }

  /// Makes the event an `oresp.unparsed` that holds `payload`, with the time at which that was told.
  private mutating func noteUnparsed(
    _ payload: Span<UInt8>, tag: [UInt8] = [], told seconds: Int? = nil, isBlock: Bool = false,
    in event: inout Event
  ) {
    let line = EventLine.synthetic(
      EventLine.unparsed, "data", [UInt8](copying: payload), told: seconds, isBlock: isBlock)
    note(EventLine.tagged(line, tag), in: &event)
    event.told = seconds
  }

  /// Notes that the event, whose line is `line`, holds what an earlier tool could not read.
  private mutating func noteFormer(_ line: Span<UInt8>, _ event: inout Event) {
    let told = ToldMark.time(of: event, line, isTrusted: trustsMarks)
    let isReported = told != nil
    event.told = told ?? toldNow
    if let data = JSONChildren.string(of: "data", in: line) {
      event.isHeartbeat = Heartbeat.isOne(data.span)
      let isObject = data.first == ASCII.openBrace && JSONScan.accepts(data.span)
      if event.isHeartbeat || isObject { return }
      if first.hasBegun, event.value(of: "oresp", "block", in: line) != nil {
        return noteText(data.span, at: event.place, isReported: isReported)
      }
    }
    let why = "an earlier tool found input that is not JSON (oresp.unparsed)"
    payloads.reports.report(.error, why, at: event.place, isReported: isReported)
  }

  /// Notes `data`, text that came in place of an event.
  private mutating func noteText(_ data: Span<UInt8>, at place: Notice.Place, isReported: Bool) {
    isOnUsualPath = false
    strayText.note(data, at: place, isReported: isReported, &payloads.reports)
  }

  /// Takes the text in place of an event that waits at the end of the input. If a response is open
  /// (`isOpen`), it is true, and `event` becomes the error that the text tells.
  package mutating func settleText(isOpen: Bool, into event: inout Event) -> Bool {
    guard let text = strayText.takeReason(isOpen: isOpen, &payloads.reports) else { return false }
    event.begin(at: text.place)
    note(EventLine.synthetic("error", "message", text.words), in: &event)
    return true
  }

  /// Looks at the type of the event, whose line is `line`, if it is one of the first.
  private mutating func look(at event: borrowing Event, _ line: Span<UInt8>) {
    guard !first.hasBegun else { return }
    first.look(at: event, line)
    guard let foreign = first.foreign, event.typeName != nil, !settings.acceptsAnything else {
      return
    }
    payloads.reports.report(.error, foreign, at: event.place)
  }

  private static let noObject = "a JSON value, not an object"
}
