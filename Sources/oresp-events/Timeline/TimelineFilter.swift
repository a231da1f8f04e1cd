package import Core

/// Draws each response of a stamped stream as a waterfall.
package struct TimelineFilter: EventFilter {
  private var records = ResponseRecords<Timeline>()
  private var drawing: any TimelineDrawing
  /// How many responses were drawn, and how many have no times.
  private var drawn = 0
  private var unknown = 0

  init(_ drawing: any TimelineDrawing) { self.drawing = drawing }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    for closed in records.handle(event, line) { draw(closed, into: &output) }
  }

  package var hasOther: Bool { records.hasLogged }

  package mutating func finish(into output: inout Output) {
    for closed in records.finish() { draw(closed, into: &output) }
    drawing.finish(into: &output.bytes)
    guard unknown > 0 else { return }
    let some = unknown == 1 ? "a response has no times" : "\(unknown) responses have no times"
    let what = drawn == 0 ? "no event has a time" : some
    output.notices.append(.unstamped(what))
  }

  private mutating func draw(
    _ closed: ResponseRecords<Timeline>.Closed, into output: inout Output
  ) {
    let waterfall = Waterfall(closed)
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
