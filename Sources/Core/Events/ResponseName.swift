/// The names of a response: its number, tag and ids, and how it ended. All events of the response
/// share it.
package final class ResponseName {
  /// Counted from 1 in the order in which the responses of a stream begin.
  package let number: Int
  /// The tag of its stream (`oresp.request`); empty when it has none.
  package let tag: [UInt8]
  /// The id with which it began; empty as long as none is known.
  package internal(set) var id: [UInt8] = []
  /// The id of its end, which may be another.
  package internal(set) var endID: [UInt8] = []
  /// The response that it turned out to be a part of, so that it is none of its own.
  package internal(set) var whole: ResponseName?

  /// How it ended, or would have if nothing more came of it; `nil` when it completed, or nothing
  /// tells.
  package internal(set) var outcome: Outcome?

  /// How a response ended that did not complete.
  package struct Outcome: Sendable {
    package let status: ExitStatus
    package let message: String
    /// Whether it has no end, nor an error that says why.
    package let isCut: Bool
    /// Whether an error event ended it.
    package let isError: Bool
  }

  init(_ number: Int, tag: [UInt8]) { (self.number, self.tag) = (number, tag) }
}
