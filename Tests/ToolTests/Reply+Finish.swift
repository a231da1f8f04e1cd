import Core

@testable import oresp_send

extension Reply {
  /// Takes `chunk`, which is one read. Returns false when no more is wanted.
  func read(_ chunk: Span<UInt8>, into output: inout Output) -> Bool {
    let goesOn = receive(chunk, into: &output)
    flush(into: &output)
    return goesOn
  }

  /// Ends the reply, and the answer with it, whatever might follow.
  func finish(_ fault: TransportFault?, into output: inout Output) {
    if case .ended = end(fault, into: &output) { return }
    giveUp(into: &output)
  }
}

extension ReplyOutcome {
  /// The rest that is to be asked for; `nil` for none.
  var rest: ResponseRest? { if case .goesOn(let rest) = self { rest } else { nil } }

  /// Whether another request follows.
  var isOpen: Bool { if case .ended = self { false } else { true } }
}
