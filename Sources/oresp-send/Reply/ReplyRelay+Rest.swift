import Core

extension ReplyRelay {
  /// Whether the output is an event stream.
  var isStream: Bool { followsEvents || (feed.blockEnd ?? 0) > 0 }

  /// The id of the response; empty until it is known.
  private var id: String { seen.response.id }

  /// The rest to ask for after a reply that ended, by `fault` or by itself; `nil` for none.
  mutating func rest(_ fault: TransportFault?, into output: inout Output) -> ResponseRest? {
    guard !isTooLong else { return nil }
    if reading == .document {
      guard fault == nil, let reason = documentRest(into: &output) else { return nil }
      return ResponseRest(reason: reason, id: "", last: nil)
    }
    guard plan.isBackground else { return nil }
    if fault == nil, isDocument, !isFailure { read(isEnd: true, into: &output) }
    if hasUnknownStatus, fault == nil, !id.isEmpty {
      return ResponseRest(reason: .running(milliseconds: pollMilliseconds), id: id, last: nil)
    }
    if id.isEmpty, isCutInFirst, let told = firstID {
      (seen.response, followsEvents) = (ResponseFacts(id: told), true)
    }
    guard !hasEnd, !id.isEmpty else { return nil }
    if isCutInFirst {
      return ResponseRest(reason: .cut, id: id, last: nil, isWhole: true)
    }
    if let failure = failure(fault) {
      // A server that refuses the events for good may still give the response.
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

  /// Whether the stream of a background response was cut in its first event.
  var isCutInFirst: Bool {
    plan.isBackground && asksForEvents && !isFailure && !isDocument && held.count > 0
      && seen.last == nil && seen.count == 0 && (head?.isEventStream == true || isLikeStream)
  }

  /// The id in the received part of that event; `nil` when the cut came before it.
  var firstID: String? {
    let bytes = held.bytes
    let data = bytes.firstIndex(of: ASCII.openBrace) ?? bytes.count
    return JSONChildren.string(
      of: "response", "id", in: bytes.span.extracting(droppingFirst: data)
    ).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The wait in milliseconds before the next poll, if the server asks for one.
  var pollMilliseconds: Int? {
    let wait = head?["openai-poll-after-ms"].flatMap { JSONDecimal(typed: $0) }
    return wait?.scaledUp(by: 0, most: ReplyHead.longestDelay)
  }

  /// The advice about a stream that was cut; `nil` when it was not.
  var resumption: String? {
    guard isStream, !hasEnd, !isTooLong, head?.status != 404 else { return nil }
    if plan.isBackground, !id.isEmpty {
      let place = seen.last.map { ":\($0)" } ?? ""
      return "oresp-send --resume \(id)\(place) goes on with it"
    }
    return feed.judge.isOpen ? "only a --background response can be resumed; try again" : nil
  }
}
