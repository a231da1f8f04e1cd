import Core

/// Passes on bytes as they come, and holds none; or, where lines are wanted, those of the events in
/// them.
final class RawReader: ReplyReader {
  private let answer: Answer
  private var hasPassed = false
  /// The reader of events, where their lines are wanted, and the bytes that it has not read.
  private var feed: EventFeed?
  private var input = InputBuffer()
  private var fault: TransportFault?

  init(_ answer: Answer) {
    self.answer = answer
    guard case .lines = answer.plan.product else { return }
    var reading = EventReader.Settings()
    reading.acceptsAnything = true
    reading.chat = .kept
    var ends = OwnEnds()
    ends.passes = true
    feed = EventFeed(reading, sorting: .handlingAll, ends)
  }

  func receive(_ chunk: Span<UInt8>, into output: inout Output) -> Bool {
    flush(into: &output)
    pass(chunk, into: &output)
    return true
  }

  /// Passes on the first bytes, which were held to find out what they are.
  func flush(into output: inout Output) {
    pass(answer.held.bytes.span, into: &output)
    answer.held.drop()
  }

  private func pass(_ bytes: Span<UInt8>, into output: inout Output) {
    guard !bytes.isEmpty else { return }
    hasPassed = true
    guard feed != nil else { return output.bytes.append(copying: bytes) }
    input.append(bytes)
    readLines(isEnd: false, into: &output)
  }

  /// Passes on the lines of the events in the bytes that came. What is wrong with them is not told.
  private func readLines(isEnd: Bool, into output: inout Output) {
    var unused = Output()
    feed?.each(in: &input, isEnd: isEnd, into: &unused) { _, line, _ in
      answer.pass(line, into: &output)
    }
  }

  func end(_ fault: TransportFault?, into output: inout Output) -> ReplyOutcome {
    self.fault = fault
    if !hasPassed, let fault { return .failed(.broken(fault)) }
    giveUp(into: &output)
    return .ended
  }

  func giveUp(into output: inout Output) {
    let start = output.notices.count
    readLines(isEnd: true, into: &output)
    if let fault {
      if hasPassed {
        // No event can follow bytes that were cut.
        output.notices.append(Notice(.error, fault.message, status: .temporary))
      } else {
        answer.append(FailureEvent(fault, answer.head), into: &output)
      }
    }
    answer.conclude(explaining: start, fault?.advice, into: &output)
  }
}
