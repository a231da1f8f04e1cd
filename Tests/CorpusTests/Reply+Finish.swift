import Core

@testable import oresp_send

extension Reply {
  /// Ends the reply, and the answer with it, whatever might follow.
  mutating func finish(_ fault: TransportFault?, into output: inout Output) {
    if case .ended = end(fault, into: &output) { return }
    giveUp(into: &output)
  }
}
