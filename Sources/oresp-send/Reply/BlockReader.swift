import Core

/// Reads events or a response: an event stream is passed on by whole blocks, each as soon as its
/// blank line is there, and a document when it is whole.
///
/// Holds the block that has not ended, and a reply that is no stream.
final class BlockReader: ReplyReader {
  private let answer: Answer
  /// The first byte of the content; `nil` when there is none, or for a binary type.
  private let first: UInt8?
  /// The count of bytes since events were last read.
  private var unread: Int
  private var isTooLong: Bool
  /// Whether the last document has a status that is not known, and so may not be the last one.
  private var hasUnknownStatus = false
  private var fault: TransportFault?
  /// The count of bytes at the end that were dropped as an unfinished event or document.
  private var droppedCount = 0

  init(_ answer: Answer, first: UInt8?) {
    self.answer = answer
    self.first = first
    unread = answer.held.count
    isTooLong = unread > answer.limit
  }

  /// Whether the reply begins as a JSON object.
  private var isDocument: Bool { first == ASCII.openBrace }

  /// Whether the reply begins as an event stream does.
  private var isLikeStream: Bool { !isDocument && first != ASCII.openBracket }

  func receive(_ chunk: Span<UInt8>, into output: inout Output) -> Bool {
    answer.held.input.append(chunk)
    unread += chunk.count
    // Bytes that are read together take less work than a few at a time.
    if unread >= InputBuffer.readSize || answer.held.count > answer.limit { flush(into: &output) }
    isTooLong = answer.held.count > answer.limit
    return !isTooLong
  }

  /// Reads the new events, and passes on the blocks that have ended.
  func flush(into output: inout Output) {
    guard unread > 0 else { return }
    unread = 0
    let start = output.notices.count
    read(isEnd: false, into: &output)
    answer.explain(from: start, nil, in: &output)
    if answer.feed.isSurelyStream { passBlocks(into: &output) }
  }

  func end(_ fault: TransportFault?, into output: inout Output) -> ReplyOutcome {
    // Where nothing says how long a document is, only its form shows that it is not whole.
    let breaksOff = fault == nil && isDocument && answer.held.passed == 0 && answer.held.breaksOff
    self.fault = isTooLong ? .tooLong : breaksOff ? .broken : fault
    if !isTooLong {
      if let failure = failure {
        self.fault = failure
        return .failed(.broken(failure))
      }
      if let rest = rest(into: &output) {
        answer.held.endBlock(into: &output)
        return .goesOn(rest)
      }
    }
    giveUp(into: &output)
    return .ended
  }

  func giveUp(into output: inout Output) {
    let start = output.notices.count
    let isCut = fault == nil && drain(into: &output)
    if answer.feed.hasWholeChat { answer.endChat(into: &output) }
    // A whole document, after no events, on a response that has ended.
    if isDocument, !answer.isStream, answer.hasEnd, answer.held.isJSON {
      answer.pass(upTo: answer.held.end, into: &output)
    }
    passBlocks(into: &output)
    // The held bytes are the start of an event, or of a document that was cut.
    droppedCount = answer.held.count
    // The blank line after the last block may be among the dropped bytes.
    if droppedCount > 0, answer.feed.blockEnd != nil { answer.held.endBlock(into: &output) }
    let advice = tellEnd(isCut: isCut, into: &output)
    answer.conclude(explaining: start, advice, dropped: droppedCount, into: &output)
  }

  /// The fault by which nothing of the reply was passed on; `nil` when something was.
  private var failure: TransportFault? {
    guard answer.held.passed == 0 else { return nil }
    if answer.plan.isOfBatch {
      // Only its form shows that a document is not whole.
      return fault ?? (isDocument && !answer.held.isJSON ? .broken : nil)
    }
    // Cut before the response's id: only a new attempt can help.
    if isCutInFirst, answer.id.isEmpty { return fault ?? .cut }
    return answer.held.end > 0 ? nil : fault
  }

  /// The rest to ask for, once the reply has ended; `nil` for none.
  private func rest(into output: inout Output) -> ResponseRest? {
    guard answer.plan.isBackground, !answer.plan.isOfBatch, !answer.feed.hasChat else {
      return nil
    }
    if fault == nil, isDocument { read(isEnd: true, into: &output) }
    if hasUnknownStatus, fault == nil, !answer.id.isEmpty { return running }
    guard !answer.hasEnd, !answer.id.isEmpty else { return nil }
    if isCutInFirst {
      return ResponseRest(reason: .cut, id: answer.id, last: nil, isWhole: true)
    }
    if answer.isStream, answer.asksForEvents {
      let goesOn = answer.seen.last != nil && (answer.seen.count > 0 || fault != nil)
      return ResponseRest(
        reason: goesOn ? .cut : .noStream, id: answer.id, last: goesOn ? answer.seen.last : nil)
    }
    guard answer.isStream || answer.plan.waits else { return nil }
    if fault != nil { return ResponseRest(reason: .cut, id: answer.id, last: nil) }
    return answer.feed.judge.isPending ? running : nil
  }

  /// The rest of a response that is asked for again after a while.
  private var running: ResponseRest {
    ResponseRest(
      reason: .running(milliseconds: answer.pollMilliseconds), id: answer.id, last: nil)
  }

  /// Whether the stream of a background response was cut in its first event.
  private var isCutInFirst: Bool {
    answer.plan.isBackground && answer.asksForEvents && !isDocument && answer.held.count > 0
      && answer.seen.last == nil && answer.seen.count == 0
      && (answer.head?.isEventStream == true || isLikeStream)
  }

  /// Reads and judges the new events, and notes their facts.
  private func read(isEnd: Bool, into output: inout Output) {
    let plan = answer.plan
    var unknownStatus: String?
    answer.read(isEnd: isEnd, into: &output) { event, line, _ in
      if plan.waits, event.lineRange == nil, event.type?.family == .lifecycle,
        let status = ResponseFacts.unknownStatus(in: line)
      {
        answer.seen.response.read(event, line)
        unknownStatus = status
        return .drop
      }
      return plan.isBackground && !answer.seen.noteIsNew(event, line) ? .drop : .open
    }
    if let unknownStatus {
      hasUnknownStatus = true
      answer.note(unknownStatus: unknownStatus, into: &output)
    }
    if let hole = answer.seen.takeHole() { fill(hole, into: &output) }
    // An event made of chunks of Chat Completions has no place of its own in the reply.
    if answer.hasEnd, answer.seen.responseEnd == 0 { answer.seen.responseEnd = answer.seen.end }
  }

  /// Passes on an error where events are missing, and reports it. The events behind it still come.
  private func fill(_ hole: SeenEvents.Hole, into output: inout Output) {
    let (first, last) = (hole.numbers.lowerBound, hole.numbers.upperBound)
    let which = first < last ? "s \(first) to \(last)" : " \(first)"
    let why = "event\(which) did not come: the server went on with event \(last + 1)"
    answer.pass(upTo: hole.place, into: &output)
    answer.pass(FailureEvent(missingEvents: why, answer.head), into: &output)
    output.notices.append(Notice(.error, why, status: .temporary))
  }

  /// Passes on the blocks that have ended.
  private func passBlocks(into output: inout Output) {
    if let end = answer.feed.blockEnd { answer.pass(upTo: end, into: &output) }
  }

  /// The count of dropped bytes, in words; `nil` when there are none.
  private var dropped: String? {
    guard droppedCount > 0 else { return nil }
    return answer.feed.blockEnd == nil
      ? "its \(droppedCount) bytes are dropped"
      : "an unfinished event of \(droppedCount) bytes is dropped"
  }

  /// Reads the last bytes of a reply that came whole. Returns whether they are the start of an
  /// event, so that the stream was cut.
  private func drain(into output: inout Output) -> Bool {
    let start = output.notices.count
    read(isEnd: true, into: &output)
    let feed = answer.feed.blockEnd
    if feed != nil,
      output.notices[start...].contains(where: { $0.kind == .error && $0.place != nil })
    {
      let others = output.notices[start...].filter { $0.place == nil }
      output.notices.replaceSubrange(start..., with: others)
      return true
    }
    if answer.isStream, isDocument, feed == nil, !answer.seen.document.isEmpty {
      answer.passDocument(into: &output)
      return false
    }
    // An error takes the place of a document that is neither an event nor a response.
    if lacksEvents, feed == nil { return false }
    let judge = answer.feed.judge
    // Bytes after the last event may be the start of another; they stay held.
    if judge.isOpen || !judge.meets(.objects), answer.seen.end <= answer.held.passed {
      return false
    }
    answer.pass(upTo: answer.held.end, into: &output)
    return false
  }

  /// Whether the reply has JSON objects, and none of them is an event or a response.
  private var lacksEvents: Bool {
    answer.feed.judge.meets(.objects) && !answer.feed.judge.meets(.typed)
  }

  /// Adds the error that the events themselves do not show, or reports what is strange about them.
  /// Returns the advice.
  private func tellEnd(isCut: Bool, into output: inout Output) -> String? {
    let place = answer.request.serverSource
    if answer.feed.hasChat, !answer.plan.isChat, answer.plan.form == .response {
      output.notices.append(.chatUnasked(answer.request))
    }
    // A dropped end does not reach the reader.
    let tellsEnd = answer.hasEnd && answer.seen.responseEnd <= answer.held.passed
    // A document shows its own state, and no event can follow it.
    let isOpen = answer.feed.judge.isOpen && answer.feed.blockEnd != nil
    let lacksEnd = (isCut || answer.followsEvents) && !tellsEnd
    var event: FailureEvent?
    if let fault {
      if !tellsEnd { event = FailureEvent(fault, answer.head) }
    } else if isOpen || lacksEnd {
      event = FailureEvent(.cut, answer.head)
    } else if !answer.feed.judge.meets(.objects) {
      event = FailureEvent(.empty(place), answer.head)
    }
    if let event {
      let resumption = isTooLong ? nil : answer.resumption
      answer.append(event, into: &output)
      return resumption ?? event.advice
    }
    if let fault {
      let rest = dropped.map { "; " + $0 } ?? ""
      let why = "after the end of the response: " + fault.message + rest
      output.notices.append(Notice(.warning, why))
    }
    if lacksEvents {
      let event = FailureEvent(withoutEvents: answer.head, answer.request)
      answer.append(event, into: &output)
      return event.advice
    }
    if let foreign = answer.feed.foreign {
      output.notices.append(Notice(.error, foreign, status: .badInput))
      return "check \(place)"
    }
    if answer.plan.form == .response, let strange = answer.feed.strangeness {
      output.notices.append(strange)
      return "check \(place)"
    }
    if let dropped, fault == nil {
      output.notices.append(Notice(.warning, "after the end of the response, \(dropped)"))
    }
    return fault?.advice
  }
}
