package import Core

/// Draws each response of a stamped stream as a waterfall.
package struct TimelineFilter: EventFilter {
  private var records = ResponseRecords<Timeline>()
  /// Those that ended while others went on that ran beside them: all are drawn on one scale.
  private var held: [ResponseRecords<Timeline>.Closed] = []
  /// The lanes of the responses that are open, in the order in which they began.
  private var open: [Int] = []
  private var drawing: any TimelineDrawing
  /// How many responses were drawn, and how many have no times.
  private var drawn = 0
  private var unknown = 0

  init(_ drawing: any TimelineDrawing) { self.drawing = drawing }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    let closed = records.handle(event, line)
    if event.step.isFirst || !closed.isEmpty { noteLane(event.lane) }
    for closed in closed {
      held.append(closed)
      if !goesOnBeside(closed) || held.count == Self.mostHeld { drawHeld(into: &output) }
    }
  }

  private mutating func noteLane(_ lane: Int) {
    let known = open.lastIndex(of: lane)
    let isOpen = records.open(in: lane) != nil
    if isOpen, known == nil { open.append(lane) }
    if !isOpen, let known { open.remove(at: known) }
  }

  /// No more than these are held.
  private static let mostHeld = 64

  package var hasOther: Bool { records.hasLogged }

  package mutating func finish(into output: inout Output) {
    for closed in records.finish() {
      if let last = held.last, !last.record.times.overlap(closed.record.times) {
        drawHeld(into: &output)
      }
      held.append(closed)
    }
    drawHeld(into: &output)
    drawing.finish(into: &output.bytes)
    guard unknown > 0 else { return }
    let some = unknown == 1 ? "a response has no times" : "\(unknown) responses have no times"
    let what = drawn == 0 ? "no event has a time" : some
    output.notices.append(.unstamped(what))
  }

  /// Whether a response that is still open ran beside `closed`. Only the last 64 that began are
  /// looked at.
  private func goesOnBeside(_ closed: ResponseRecords<Timeline>.Closed) -> Bool {
    open.suffix(Self.mostHeld).contains { lane in
      records.open(in: lane)?.times.overlap(closed.record.times) == true
    }
  }

  private mutating func drawHeld(into output: inout Output) {
    let times = held.map(\.record.times)
    let (first, last) = (times.compactMap(\.first).min(), times.compactMap(\.last).max())
    let isShared = times.count { $0.first != nil } > 1
    var shared: ClosedRange<Int>?
    if isShared, let first, let last, first < last { shared = first...last }
    let waterfalls = held.map { Waterfall($0, beside: shared) }
    let labels = waterfalls.compactMap { $0?.labelColumns }.max() ?? 0
    for (closed, var waterfall) in zip(held, waterfalls) {
      waterfall?.labelColumns = labels
      draw(closed, waterfall, into: &output)
    }
    held = []
  }

  private mutating func draw(
    _ closed: ResponseRecords<Timeline>.Closed, _ waterfall: Waterfall?,
    into output: inout Output
  ) {
    // What is left behind an end, such as a sign of life, is no response.
    let isStray = closed.facts.id.isNull && waterfall?.rows.count ?? 1 == 1
    guard drawn == 0 || !isStray else { return }
    guard let waterfall else {
      unknown += 1
      return
    }
    drawing.draw(waterfall, into: &output.bytes)
    drawn += 1
  }
}

/// What draws timelines in some form.
protocol TimelineDrawing {
  /// Draws a response.
  mutating func draw(_ waterfall: Waterfall, into output: inout [UInt8])

  /// Ends the last response.
  mutating func finish(into output: inout [UInt8])
}
