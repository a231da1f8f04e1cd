import Core

/// The end of a reply: the bytes that are still passed on, and the reports.
extension ReplyRelay {
  /// Ends the reply, which `fault` broke off, or which came to its end by itself.
  mutating func finish(_ fault: TransportFault?, into output: inout Output) {
    let fault = isTooLong ? .tooLong : fault
    warnOfType(in: &output)
    let told = output.notices.count
    isOver = true
    var advice = fault?.advice
    var isCut = false
    if head != nil, reading == .blocks, fault == nil { isCut = drain(into: &output) }
    if chat.isComplete { judge(made: chat.finish(), into: &output) }
    if isFailure || head == nil {
      let event = failureEvent(fault)
      advice = resumption ?? event.advice
      append(event, into: &output)
    } else if reading != .blocks {
      advice = finishDocument(fault, into: &output)
      if isPacked {
        advice = "unpack it: oresp-send … | gunzip"
        let why = "the answer is compressed by gzip, and no header says so"
        output.notices.append(Notice(.error, why, status: .badInput))
      }
    } else {
      if isWholeDocument { pass(upTo: held.end, into: &output) }
      if !isText { passBlocks(into: &output) }
      // The held bytes are the start of an event, or of a document that was cut.
      droppedCount = held.count
      // The blank line after the last block may be among the dropped bytes.
      if droppedCount > 0, feed.blockEnd != nil { held.endBlock(into: &output) }
      if let event = ending(fault, isCut: isCut, into: &output) {
        advice = resumption ?? event.advice
        append(event, into: &output)
      } else if lacksEvents {
        let event = FailureEvent(withoutEvents: head, request)
        advice = event.advice
        append(event, into: &output)
      } else if let foreign = feed.foreign {
        advice = "check \(request.origin.place)"
        output.notices.append(Notice(.error, foreign, status: .badInput))
      } else if plan.form == .response, let strange = feed.strangeness {
        advice = "check \(request.origin.place)"
        output.notices.append(strange)
      } else if let dropped, fault == nil {
        output.notices.append(Notice(.warning, "after the end of the response, \(dropped)"))
      }
    }
    if plan.isBackground { held.endLine(into: &output) }
    // A document on a background response may show it running: {"status":"in_progress"}
    if !(plan.isBackground && feed.judge.isPending) || hasEnd { feed.finish(into: &output) }
    explain(output.notices.count - told, advice: advice, in: &output)
    output.notices.append(Notice(.summary, origin ?? "no answer"))
  }

  /// Warns of a `Content-Type` that does not fit the reply (Open Responses, HTTP Responses): other
  /// clients may not read it.
  private func warnOfType(in output: inout Output) {
    guard let head, !isFailure, plan.form == .response, !opening.isEmpty else { return }
    let type = head["content-type"]
    let isNamed = isDocument ? type?.lowercased().contains("json") == true : head.isEventStream
    guard !isNamed, isDocument || isLikeStream else { return }
    let what = isDocument ? "a JSON document" : "an event stream"
    let name = type.map { "its Content-Type is \($0)" } ?? "it has no Content-Type"
    let why = "the answer is \(what), but \(name): not every client reads it"
    output.notices.append(Notice(.warning, why))
  }

  /// The status of the reply and its request id, in words; `nil` when none came.
  private var origin: String? {
    guard let head else { return nil }
    return "HTTP \(head.status)" + (head.requestID.map { ", request \($0)" } ?? "")
  }

  /// Adds to the errors among the last `count` notices that have no place: the origin of the reply,
  /// the dropped bytes, and the advice.
  func explain(_ count: Int, advice: String?, in output: inout Output) {
    guard count > 0 else { return }
    let next = [advice, unretried.map { "not retried: " + $0 }].compactMap { $0 }
    for index in output.notices.indices.suffix(count)
    where output.notices[index].kind == .error && output.notices[index].place == nil {
      let isTold = head.map { output.notices[index].message.contains("HTTP \($0.status)") } ?? false
      let origin = [isTold ? head?.requestID.map { "request \($0)" } : origin, dropped]
        .compactMap { $0 }.joined(separator: "; ")
      if !origin.isEmpty { output.notices[index].message += " (\(origin))" }
      for text in next { output.notices[index].message += "; " + text }
      output.notices[index].facts += head?.facts ?? []
    }
  }

  /// The count of dropped bytes, in words; `nil` when there are none.
  private var dropped: String? {
    guard droppedCount > 0 else { return nil }
    let what = feed.blockEnd == nil ? "its" : "an unfinished event of"
    return "\(what) \(droppedCount) bytes \(feed.blockEnd == nil ? "are" : "is") dropped"
  }

  /// Reads the last bytes of a reply that came whole. Returns whether they are the start of an
  /// event, so that the stream was cut.
  private mutating func drain(into output: inout Output) -> Bool {
    var told = output.notices.count
    read(isEnd: true, into: &output)
    judge(made: chat.finish(), into: &output)
    if isText {
      output.notices.removeSubrange(told...)
      reading = .refusal
      return false
    }
    output.notices.insert(contentsOf: kept, at: told)
    told += kept.count
    if feed.blockEnd != nil,
      output.notices[told...].contains(where: { $0.kind == .error && $0.place != nil })
    {
      let others = output.notices[told...].filter { $0.place == nil }
      output.notices.replaceSubrange(told..., with: others)
      return true
    }
    if isStream, isDocument, feed.blockEnd == nil, !seen.document.isEmpty {
      held.drop()
      let event = seen.document
      let name = Event(of: event.span).typeName
      held.endBlock(into: &output)
      EventStreamEncoder.append(
        data: redaction.ofJSON(event).span, name: event.span.extracting(name ?? 0..<0),
        to: &output.bytes)
      return false
    }
    // An error takes the place of a document that is neither an event nor a response.
    if lacksEvents, feed.blockEnd == nil { return false }
    // Bytes after the last event may be the start of another; they stay held.
    if feed.judge.isOpen || !feed.judge.meets(.objects), seen.end <= held.passed { return false }
    pass(upTo: held.end, into: &output)
    return false
  }

  /// Whether the reply has JSON objects, and none of them is an event or a response.
  private var lacksEvents: Bool { feed.judge.meets(.objects) && !feed.judge.meets(.typed) }

  /// Whether the held bytes are a whole document, after no events, on a response that has ended.
  private var isWholeDocument: Bool {
    isDocument && !isStream && hasEnd && held.isJSON
  }

  /// The error to add to a reply; `nil` when its own events show its end or its failure.
  private func ending(
    _ fault: TransportFault?, isCut: Bool, into output: inout Output
  ) -> FailureEvent? {
    // A dropped end does not reach the reader.
    let tellsEnd = hasEnd && seen.responseEnd <= held.passed
    if let fault, tellsEnd {
      let rest = dropped.map { "; " + $0 } ?? ""
      let why = "after the end of the response: " + fault.message + rest
      output.notices.append(Notice(.warning, why))
      return nil
    }
    if let fault { return FailureEvent(fault, head) }
    // A document shows its own state, and no event can follow it.
    let isOpen = feed.judge.isOpen && feed.blockEnd != nil
    let lacksEnd = (isCut || followsEvents) && !tellsEnd
    if isOpen || lacksEnd { return FailureEvent(.cut, head) }
    return feed.judge.meets(.objects) ? nil : FailureEvent(.empty(request.origin.place), head)
  }

  private func failureEvent(_ fault: TransportFault?) -> FailureEvent {
    guard let head else { return FailureEvent(fault ?? .empty(request.origin.place), nil) }
    let isCut = fault != nil || held.count == Self.failureLimit
    return FailureEvent(body: redaction.ofJSON(held.bytes, isCut: isCut), head, request)
  }

  mutating func append(_ failure: FailureEvent, into output: inout Output) {
    held.endBlock(into: &output)
    // Headers and libcurl's words in it may have secrets, too.
    let data = redaction.ofJSON(failure.data)
    let written = isReported ? redaction.ofJSON(failure.toldData) : data
    EventStreamEncoder.append(
      data: written.span, name: Array("error".utf8).span, to: &output.bytes)
    judge(made: data, into: &output)
    guard plan.isChat else { return }
    chat.fail(APIError(in: data.span))
    judge(made: chat.finish(), into: &output)
  }
}
