import Core

/// Reads a refusal, or an answer that no API gives: it becomes one `error` event. Without a head
/// there is none of it, and the event tells of the fault alone.
final class RefusalReader: ReplyReader {
  /// The most bytes that are read of it.
  static let limit = 1 << 20

  private let answer: Answer
  private var body: [UInt8]
  /// Whether it is a text in place of a response: of one that is cut, the cut is told.
  private let isText: Bool
  private var fault: TransportFault?

  init(_ answer: Answer, isText: Bool) {
    self.answer = answer
    self.isText = isText
    body = Array(answer.held.bytes.prefix(Self.limit))
  }

  func receive(_ chunk: Span<UInt8>, into output: inout Output) -> Bool {
    body.append(copying: chunk.extracting(first: Self.limit - body.count))
    return body.count < Self.limit
  }

  func flush(into output: inout Output) {}

  func end(_ fault: TransportFault?, into output: inout Output) -> ReplyOutcome {
    self.fault = fault
    guard let head = answer.head, !head.isSuccess else {
      let isTried = answer.head == nil || isText && answer.plan.isOfBatch
      if isTried, let fault { return .failed(.broken(fault)) }
      giveUp(into: &output)
      return .ended
    }
    // A server that refuses the events for good may still give the response.
    if answer.plan.isBackground, !answer.plan.isOfBatch, answer.isStream, answer.asksForEvents,
      !answer.hasEnd, !answer.id.isEmpty, APIError.status(http: head.status) == .refusedForGood
    {
      return .goesOn(ResponseRest(reason: .noStream, id: answer.id, last: nil))
    }
    return .failed(.refused(head, body: body))
  }

  func giveUp(into output: inout Output) {
    let start = output.notices.count
    let event: FailureEvent
    var dropped = 0
    if let head = answer.head, fault == nil || !isText {
      let isCut = fault != nil || body.count == Self.limit
      event = FailureEvent(
        body: answer.redaction.ofJSON(body, isCut: isCut), head, answer.request)
    } else {
      event = FailureEvent(fault ?? .empty(answer.request.serverSource), answer.head)
      dropped = body.count
    }
    let advice = answer.resumption ?? event.advice
    answer.append(event, into: &output)
    answer.conclude(explaining: start, advice, dropped: dropped, into: &output)
  }
}
