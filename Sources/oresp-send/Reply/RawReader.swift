import Core

/// Passes on bytes as they come, and holds none.
final class RawReader: ReplyReader {
  private let answer: Answer
  private var hasPassed = false
  private var fault: TransportFault?

  init(_ answer: Answer) { self.answer = answer }

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
    output.bytes.append(copying: bytes)
  }

  func end(_ fault: TransportFault?, into output: inout Output) -> ReplyOutcome {
    self.fault = fault
    if !hasPassed, let fault { return .failed(.broken(fault)) }
    giveUp(into: &output)
    return .ended
  }

  func giveUp(into output: inout Output) {
    let start = output.notices.count
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
