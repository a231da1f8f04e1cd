package import Core

/// Hands a filter one response after the other where several are open at once: the events of the
/// first as they come, the events of another when all responses before it have ended.
///
/// It holds the events that wait. A response loses its turn when another begins and ends while it
/// is silent, or when too many bytes of others wait.
package struct InTurn<Events: EventFilter & ~Copyable>: EventFilter, ~Copyable {
  /// The most bytes that wait for a silent response, and the most in all.
  private static var patience: (own: Int, all: Int) { (8 << 20, 64 << 20) }

  private var events: Events
  /// The number of the response whose turn it is, its slot, and whether it has begun and not ended.
  private var front = 0
  private var frontSlot = 0
  private var isBusy = false
  /// The responses that wait, by their numbers, and the numbers in the order of arrival.
  private var queues: [Int: WaitingEvents] = [:]
  private var order: [Int] = []
  private var next = 0
  /// The number of the last waiting response in each slot.
  private var slots: [Int: Int] = [:]
  /// The responses that began since the last event of `front`.
  private var newcomers: Set<Int> = []
  /// The bytes that began to wait since then, and the bytes that wait in all.
  private var (waited, waiting) = (0, 0)

  package init(_ events: consuming Events) { self.events = events }

  package var triage: EventTriage { events.triage }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    if event.step.isRepeated { return }
    let number = event.response?.number ?? front
    guard isBusy, number != front, !(event.lane == frontSlot && event.step.isFirst) else {
      (front, frontSlot) = (number, event.lane)
      hand(event, line, into: &output)
      if !isBusy, next < order.count { yield(into: &output) }
      return
    }
    wait(event, line, as: number)
    let ends = event.step.kind == .ends && newcomers.contains(number)
    if ends || waited > Self.patience.own || waiting > Self.patience.all { yield(into: &output) }
  }

  package mutating func finish(into output: inout Output) {
    while next < order.count { yield(into: &output) }
    events.finish(into: &output)
  }

  package var status: ExitStatus { events.status }

  private mutating func hand(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    events.handle(event, line, into: &output)
    waited = 0
    if !newcomers.isEmpty { newcomers = [] }
    isBusy = !Self.isEnd(event, line)
  }

  private mutating func wait(_ event: borrowing Event, _ line: Span<UInt8>, as number: Int) {
    if event.step.isFirst {
      newcomers.insert(number)
      let former = slots.updateValue(number, forKey: event.lane)
      if let former { queues[former]?.isOver = true }
    }
    if queues[number] == nil { order.append(number) }
    queues[number, default: WaitingEvents()].events.append(event, line)
    (waited, waiting) = (waited + line.count, waiting + line.count)
  }

  /// Gives the turn to the response that has waited longest; if it has ended, to the next, too.
  private mutating func yield(into output: inout Output) {
    isBusy = false
    while !isBusy, next < order.count {
      front = order[next]
      next += 1
      guard let queue = queues.removeValue(forKey: front) else { continue }
      queue.events.each { event, line in
        (frontSlot, waiting) = (event.lane, waiting - line.count)
        hand(event, line, into: &output)
      }
      if queue.isOver { isBusy = false }
    }
    if next == order.count { (order, next, slots) = ([], 0, [:]) }
  }

  /// Whether an event is the last of its response, as an error of the toolkit's own is.
  private static func isEnd(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    switch event.step.kind {
    case .ends: true
    case .fails: event.isSynthetic(line)
    default: false
    }
  }
}

/// The waiting events of a response. The type stands outside of `InTurn`: tables of a type inside a
/// generic one are five times as slow.
private struct WaitingEvents {
  var events = HeldEvents()
  /// Whether no more events of it come.
  var isOver = false
}
