import Core

/// Passes a reply on as it came: an event stream a whole block at a time, as soon as its blank
/// line is there, and a document when it is whole. What is no reply becomes one `error` event.
///
/// Where a response goes on behind its reply, several replies are passed on as one: of a stream what
/// did not come before, and a document behind a stream as the event that it amounts to.
///
/// Holds the block that has not ended; and of a reply that is no stream, all of it.
struct ReplyRelay: ~Copyable {
  /// How much is read of an error's body.
  private static let failureLimit = 1 << 20

  /// How much is held of one event: what `EventReader` takes at most.
  private static let heldLimit = 256 << 20

  private let redaction: Redaction
  private let isTold: Bool
  let plan: ReplyPlan
  var head: ReplyHead?
  var feed: EventFeed
  var seen = SeenEvents()
  /// Whether events are asked for, not the response alone.
  var asksForEvents = true
  /// What asked for the page that came last.
  var lastPage = ""
  /// Whether events of an earlier reply were passed on.
  var followsEvents: Bool
  var input = InputBuffer()
  /// What came and was not passed on.
  var held: [UInt8] = []
  /// How many bytes were passed on, which is where `held` starts in the reply.
  var passed = 0
  /// Whether the body is an error's, or a web page, and nothing to be passed on.
  var isFailure = false
  /// Whether the reply is no response, and nothing in it is read as one.
  var isPlain = false
  var hasContent = false
  /// Whether it begins as a JSON object.
  var isDocument = false
  /// Whether any byte of a success came.
  var hasBody = false
  private var isOver = false
  /// Whether what was passed on last is a block without its blank line.
  var hasOpenBlock = false

  /// What a reply is that holds no event is told otherwise.
  private static var reading: EventReader.Settings {
    var reading = EventReader.Settings()
    reading.takesAnything = true
    return reading
  }

  /// `redaction` takes secrets out of errors; some servers repeat the key there. `isTold` says that
  /// people are told of errors, so that no later stage has to tell them of one that is made here.
  init(_ redaction: Redaction, isTold: Bool = false, _ plan: ReplyPlan = ReplyPlan()) {
    (self.redaction, self.isTold, self.plan) = (redaction, isTold, plan)
    feed = EventFeed(Self.reading, sorting: plan.isBackground ? .takingAll : .judging)
    followsEvents = plan.resumes
    (seen.last, seen.known) = (plan.last, plan.last)
  }

  /// Whether the last response ended, or was told to have failed.
  var hasEnd: Bool { feed.judge.hasEnd }

  mutating func begin(_ head: ReplyHead) {
    self.head = head
    isFailure = !head.isSuccess
    isPlain = plan.form != .response && !head.isEventStream
  }

  /// Why nothing of the reply was passed on, if so far it is a refusal or, by `fault`, none at all.
  func failure(_ fault: TransportFault?) -> FailedAttempt? {
    if let head, !head.isSuccess { return .refused(head, body: held) }
    return hasBody ? nil : fault.map { .broken($0) }
  }

  /// The head of the reply, once it is known that no other is asked for; and what its events tell.
  var facts: (head: ReplyHead?, response: ResponseFacts) {
    (hasBody || isOver ? head : nil, seen.response)
  }

  /// Takes the next bytes of the body; false when no more are wanted.
  mutating func take(_ chunk: Span<UInt8>, into output: inout Output) -> Bool {
    look(at: chunk)
    hasBody = hasBody || head?.isSuccess == true
    if isFailure {
      let room = Self.failureLimit - held.count
      held.append(copying: chunk.extracting(first: room))
      return held.count < Self.failureLimit
    }
    guard !isPlain else {
      if [.page, .object].contains(plan.form) {
        held.append(copying: chunk)
      } else {
        pass(plain: chunk, into: &output)
      }
      return true
    }
    let told = output.notices.count
    input.append(chunk)
    read(isEnd: false, into: &output)
    explain(output.notices.count - told, advice: nil, in: &output)
    pass(chunk, into: &output)
    return true
  }

  /// Takes the end of the reply, and why it came, if not by itself.
  mutating func finish(_ fault: TransportFault?, into output: inout Output) {
    let told = output.notices.count
    isOver = true
    var advice = fault?.advice
    if isFailure || head == nil {
      let event = failureEvent(fault)
      advice = resumption ?? event.advice
      append(event, into: &output)
    } else if isPlain {
      advice = finishPlain(fault, into: &output)
    } else {
      if fault == nil { drain(into: &output) }
      dropRest(into: &output)
      if let event = ending(fault, into: &output) {
        advice = resumption ?? event.advice
        append(event, into: &output)
      } else if feed.judge.meets(.objects), !feed.judge.meets(.typed) {
        advice = "check OPENAI_BASE_URL"
        let why = "nothing in the answer is an event or a response"
        output.notices.append(Notice(.error, why, status: .badInput))
      }
    }
    // A document on a response that goes on is what was asked for then.
    if !(plan.isBackground && feed.judge.isPending) || hasEnd { feed.finish(into: &output) }
    explain(output.notices.count - told, advice: advice, in: &output)
    output.notices.append(Notice(.summary, origin ?? "no answer"))
  }

  /// The status of the reply and what the server calls it.
  private var origin: String? {
    guard let head else { return nil }
    return "HTTP \(head.status)" + (head.requestID.map { ", request \($0)" } ?? "")
  }

  /// Adds to the last `count` notices, where they tell how a response ended, where it came from and
  /// what to do.
  private func explain(_ count: Int, advice: String?, in output: inout Output) {
    for index in output.notices.indices.suffix(count)
    where output.notices[index].kind == .error && output.notices[index].place == nil {
      if let origin { output.notices[index].message += " (\(origin))" }
      if let advice { output.notices[index].message += "; " + advice }
      output.notices[index].facts += head?.facts ?? []
    }
  }

  /// Reads the events that came, judges them, and notes what they tell.
  mutating func read(isEnd: Bool, into output: inout Output) {
    var seen = seen
    let isBackground = plan.isBackground
    feed.each(in: &input, isEnd: isEnd, into: &output) { event, line, _ in
      if isBackground, seen.isRepeated(event, line) { return .ignored }
      seen.note(event, line)
      return .counts
    }
    self.seen = seen
  }

  /// Finds out by the first byte of the content whether it is a web page, which no API answers with.
  private mutating func look(at chunk: Span<UInt8>) {
    guard !hasContent, !isFailure, plan.form != .bytes else { return }
    guard let start = chunk.indices.first(where: { !ASCII.isSpace(chunk[$0]) }) else { return }
    (hasContent, isFailure) = (true, chunk[start] == UInt8(ascii: "<"))
    isDocument = chunk[start] == ASCII.openBrace
  }

  /// Passes on what ended with `chunk`, the bytes that came last, and holds the rest.
  private mutating func pass(_ chunk: Span<UInt8>, into output: inout Output) {
    var rest = chunk
    if let end = feed.blockEnd, end > passed {
      let count = end - passed - held.count
      passHeld(and: chunk.extracting(first: count), into: &output)
      rest = chunk.extracting(droppingFirst: count)
    }
    held.append(copying: rest)
    // What is longer than any reader takes is not held for their sake.
    if held.count > Self.heldLimit { passHeld(and: Span(), into: &output) }
  }

  /// Passes on what is held and `bytes` behind it, without the secrets that errors in it repeat, and
  /// without the events that were passed on before.
  private mutating func passHeld(and bytes: Span<UInt8>, into output: inout Output) {
    let start = output.bytes.count
    output.bytes += held
    output.bytes.append(copying: bytes)
    // The last first, since the text may get longer or shorter.
    for (mark, isRepeated) in seen.marks.reversed() {
      let place = (mark.lowerBound - passed + start)..<(mark.upperBound - passed + start)
      let known = place.clamped(to: start..<output.bytes.count)
      let shown = isRepeated ? [] : redaction.ofLines(Array(output.bytes[known]))
      output.bytes.replaceSubrange(known, with: shown)
    }
    seen.marks = []
    passed += held.count + bytes.count
    held.removeAll(keepingCapacity: held.capacity <= InputBuffer.keptSize)
  }

  /// Takes what stands at the end of a reply that came whole.
  private mutating func drain(into output: inout Output) {
    let told = output.notices.count
    read(isEnd: true, into: &output)
    if feed.blockEnd != nil,
      output.notices[told...].contains(where: { $0.kind == .error && $0.place != nil })
    {
      // It is told as a reply that was cut.
      let others = output.notices[told...].filter { $0.place == nil }
      output.notices.replaceSubrange(told..., with: others)
      return
    }
    if isStream, isDocument, feed.blockEnd == nil, !seen.document.isEmpty {
      held = []
      let event = seen.document
      let (name, _) = Event.type(of: event.span)
      EventStreamEncoder.append(
        data: redaction.ofJSON(event).span, name: event.span.extracting(name ?? 0..<0),
        to: &output.bytes)
      return
    }
    hasOpenBlock = !held.isEmpty
    passHeld(and: Span(), into: &output)
  }

  /// Tells of an unfinished event, or a document that was cut: what is left of it helps nobody.
  private mutating func dropRest(into output: inout Output) {
    guard !held.isEmpty else { return }
    let what = feed.blockEnd == nil ? "too early" : "inside an event"
    let why = "the answer ends \(what); its last \(held.count) bytes are dropped"
    output.notices.append(Notice(.warning, why))
    (held, seen.marks) = ([], [])
  }

  /// The event that is to be added to a reply, if its own do not tell that it failed.
  private func ending(
    _ fault: TransportFault?, into output: inout Output
  ) -> FailureEvent? {
    if let fault, feed.judge.hasEnd {
      output.notices.append(Notice(.warning, "behind the end of the response: " + fault.message))
      return nil
    }
    if let fault { return FailureEvent(fault, head) }
    // A document speaks for itself, and nothing can be put behind it.
    if feed.judge.isOpen && feed.blockEnd != nil || followsEvents && !hasEnd {
      return FailureEvent(.cut, head)
    }
    return feed.judge.meets(.objects) ? nil : FailureEvent(.empty, head)
  }

  private func failureEvent(_ fault: TransportFault?) -> FailureEvent {
    guard let head else { return FailureEvent(fault ?? .empty, nil) }
    let isCut = fault != nil || held.count == Self.failureLimit
    return FailureEvent(body: redaction.ofJSON(held, isCut: isCut), head)
  }

  mutating func append(_ failure: FailureEvent, into output: inout Output) {
    if hasOpenBlock { output.bytes.append("\n\n") }
    // Headers and the words of libcurl are in it, too.
    let data = redaction.ofJSON(failure.data)
    let written = isTold ? redaction.ofJSON(failure.toldData) : data
    EventStreamEncoder.append(
      data: written.span, name: Array("error".utf8).span, to: &output.bytes)
    var event = Event()
    (event.typeName, event.type) = Event.type(of: data.span)
    feed.judge(event, data.span, into: &output)
  }
}
