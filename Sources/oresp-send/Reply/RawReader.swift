import Core

/// Passes on bytes as they come, and holds none.
final class RawReader: ReplyReader {
  private let answer: Answer
  /// Whether they are compressed, though no header says so.
  private let isPacked: Bool
  private var hasPassed = false
  private var fault: TransportFault?

  init(_ answer: Answer, isPacked: Bool) {
    self.answer = answer
    self.isPacked = isPacked
  }

  func receive(_ chunk: Span<UInt8>, into output: inout Output) -> Bool {
    flush(into: &output)
    output.bytes.append(copying: chunk)
    hasPassed = hasPassed || !chunk.isEmpty
    return true
  }

  /// Passes on the first bytes, which were held to find out what they are.
  func flush(into output: inout Output) {
    guard answer.held.count > 0 else { return }
    output.bytes += answer.held.bytes
    answer.held.drop()
    hasPassed = true
  }

  func end(_ fault: TransportFault?, into output: inout Output) -> ReplyOutcome {
    self.fault = fault
    if !hasPassed, let fault { return .failed(.broken(fault)) }
    giveUp(into: &output)
    return .ended
  }

  func giveUp(into output: inout Output) {
    let start = output.notices.count
    var advice = fault?.advice
    if let fault {
      if hasPassed {
        // No event can follow bytes that were cut.
        output.notices.append(Notice(.error, fault.message, status: .temporary))
      } else {
        answer.append(FailureEvent(fault, answer.head), into: &output)
      }
    }
    if isPacked {
      advice = "unpack it: oresp-send … | gunzip"
      let why = "the answer is compressed by gzip, and no header says so"
      output.notices.append(Notice(.error, why, status: .badInput))
    }
    answer.conclude(explaining: start, advice, into: &output)
  }
}
