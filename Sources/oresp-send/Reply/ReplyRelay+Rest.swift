import Core

extension ReplyRelay {
  /// What is passed on is an event stream.
  var isStream: Bool { followsEvents || (feed.blockEnd ?? 0) > 0 }

  /// The response, as soon as it is known which.
  private var id: String { seen.response.id }

  /// What is still to come, and can be asked for, behind a reply that ended by `fault`.
  mutating func rest(_ fault: TransportFault?, into output: inout Output) -> ResponseRest? {
    guard !isTooLong else { return nil }
    if reading == .document {
      guard fault == nil, let reason = documentRest(into: &output) else { return nil }
      return ResponseRest(reason: reason, id: "", last: nil)
    }
    guard plan.isBackground else { return nil }
    if fault == nil, isDocument, !isFailure { read(isEnd: true, into: &output) }
    if id.isEmpty, isCutInFirst, let told = firstID {
      (seen.response, followsEvents) = (ResponseFacts(id: told), true)
    }
    guard !hasEnd, !id.isEmpty else { return nil }
    if isCutInFirst {
      return ResponseRest(reason: .cut, id: id, last: nil, isWhole: true)
    }
    if let failure = failure(fault) {
      // What gives no events may give the response.
      guard isStream, asksForEvents, case .refused(let head, _) = failure,
        APIError.status(http: head.status) == .refusedForGood
      else { return nil }
      return ResponseRest(reason: .unoffered, id: id, last: nil)
    }
    guard !isFailure, head != nil else { return nil }
    if isStream, asksForEvents {
      let goesOn = seen.last != nil && (seen.count > 0 || fault != nil)
      return ResponseRest(
        reason: goesOn ? .cut : .unoffered, id: id, last: goesOn ? seen.last : nil)
    }
    guard isStream || plan.waits else { return nil }
    if fault != nil { return ResponseRest(reason: .cut, id: id, last: nil) }
    guard feed.judge.isPending else { return nil }
    return ResponseRest(reason: .running(milliseconds: pollMilliseconds), id: id, last: nil)
  }

  /// Whether a stream in the background was cut in its first event.
  var isCutInFirst: Bool {
    plan.isBackground && asksForEvents && !isFailure && !isDocument && held.count > 0
      && seen.last == nil && seen.count == 0 && (head?.isEventStream == true || isLikeStream)
  }

  /// The id of the response, as far as what came of that event has it.
  var firstID: String? {
    let bytes = held.bytes
    let data = bytes.firstIndex(of: ASCII.openBrace) ?? bytes.count
    return JSONChildren.string(
      of: "response", "id", in: bytes.span.extracting(droppingFirst: data)
    ).map { String(decoding: $0, as: UTF8.self) }
  }

  /// When the server wants to be asked again.
  var pollMilliseconds: Int? {
    let wait = head?["openai-poll-after-ms"].flatMap { JSONDecimal(typed: $0) }
    return wait?.scaledUp(by: 0, most: ReplyHead.longestDelay)
  }

  /// What a person can do about a stream that was cut, if it is one.
  var resumption: String? {
    guard isStream, !hasEnd, !isTooLong, head?.status != 404 else { return nil }
    if plan.isBackground, !id.isEmpty {
      let place = seen.last.map { ":\($0)" } ?? ""
      return "oresp-send --resume \(id)\(place) goes on with it"
    }
    return feed.judge.isOpen ? "only a --background response can be resumed; try again" : nil
  }
}
