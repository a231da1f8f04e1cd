/// The number, tag, ids and outcome of a response. All events of the response share it.
package final class ResponseIdentity {
  /// The response's number, from 1 in the order in which the responses of a stream begin.
  package let number: Int
  /// The tag of its stream (`oresp.request`); empty when it has none.
  package let tag: [UInt8]
  /// The number that it shares with the responses of its tag and its WebSocket's stream.
  package let lane: Int
  /// The id with which it began; empty as long as none is known.
  package internal(set) var id: [UInt8] = []
  /// The id at its end, which may be another.
  package internal(set) var endID: [UInt8] = []
  /// Its failed or missing end, once an error came or it is over; `nil` when it completed, or no event
  /// shows an end.
  package internal(set) var outcome: Outcome?
  /// What the tool does as it has no end; it stands behind the report of that.
  package var remark: String?
  /// Its items that events were about, until it is over; empty where nobody asked for items.
  package internal(set) var items = ItemRouter()

  /// The end of a response that did not complete.
  package struct Outcome: Sendable {
    package let status: ExitStatus
    package let message: String
    /// Whether it has neither an end nor an error that says why.
    package let isCut: Bool
    /// Whether a whole Response says that it goes on.
    package let isUnfinished: Bool
    /// Whether an error event ended it.
    package let isError: Bool
  }

  /// The name that a notice has for it: its tag, or its id if it is not the first response; `nil`
  /// for none.
  package var shownName: String? {
    let name = tag.isEmpty && number > 1 ? id : tag
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }

  /// The type of its item `number`.
  package func type(ofItem number: Int) -> String { items.type(of: number) }

  /// The index of its item `number` in the output, as far as is known; `nil` when no event was about
  /// such an item.
  package func place(ofItem number: Int) -> Int? {
    number < items.items.count ? items.items[number].place : nil
  }

  /// Whether its item `number` ended at another place in the output than `index`: what comes of it
  /// there came before.
  package func hasEnded(item number: Int, not index: Int?) -> Bool {
    guard let index, number < items.items.count, items.items[number].isDone else { return false }
    return items.items[number].place != index
  }

  /// Forgets its items, as it is over.
  func forgetItems() { items = ItemRouter() }

  init(_ number: Int, tag: [UInt8], lane: Int = 0) {
    self.number = number
    self.tag = tag
    self.lane = lane
  }
}
