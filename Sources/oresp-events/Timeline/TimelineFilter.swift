package import Core

/// Draws each response of a stamped stream as a waterfall.
package struct TimelineFilter: EventFilter {
  /// A response that is over, and its times.
  struct Entry {
    let facts: ResponseFacts
    let timeline: Timeline
  }

  private var facts = OpenFacts()
  private var timelines = PerResponse(Timeline())
  /// Responses that ended while others beside them went on: all are drawn on one scale.
  private var held: [Entry] = []
  /// The open responses, in the order in which they began.
  private var open: [Response] = []
  private var drawing: any TimelineDrawing
  /// The responses that were drawn, and the ones that have no times.
  private var drawn = 0
  private var unknown = 0
  /// The name of the last one of these: its tag, or its id.
  private var unknownName: String?

  package let needsItems = true

  init(_ drawing: any TimelineDrawing) { self.drawing = drawing }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    if let logged = facts.handle(event, line) {
      return hold(Entry(facts: logged, timeline: Timeline()), into: &output)
    }
    guard event.step != .again, let response = event.response else { return }
    if event.step != .inside, !open.contains(where: { $0 === response }) { open.append(response) }
    timelines[response].handle(event, line)
  }

  package mutating func close(_ response: Response, into output: inout Output) {
    open.removeAll { $0 === response }
    var timeline = timelines.remove(response)
    guard let facts = facts.close(response) else { return }
    timeline.close(response.items)
    hold(Entry(facts: facts, timeline: timeline), into: &output)
  }

  private mutating func hold(_ response: Entry, into output: inout Output) {
    // One without times says nothing of those beside it.
    if response.timeline.times.first == nil, !held.isEmpty, held.count < Self.mostHeld {
      return held.insert(response, at: 0)
    }
    if let last = held.last, !last.timeline.times.overlap(response.timeline.times) {
      drawHeld(into: &output)
    }
    held.append(response)
    if !goesOnBeside(response) || held.count == Self.mostHeld { drawHeld(into: &output) }
  }

  /// The most that are held.
  private static let mostHeld = 64

  package var hasOther: Bool { facts.hasLogged }

  package mutating func finish(into output: inout Output) {
    drawHeld(into: &output)
    drawing.finish(into: &output.bytes)
    guard unknown > 0 else { return }
    let some = unknown == 1 ? "a response has no times" : "\(unknown) responses have no times"
    var notice = drawn == 0 ? Notice.unstamped(.error) : .unstamped(.error, some)
    if drawn > 0, unknown == 1 { notice.response = unknownName }
    output.notices.append(notice)
  }

  /// Whether a response that is still open ran beside `response`. Only the last 64 that began are
  /// looked at.
  private func goesOnBeside(_ response: Entry) -> Bool {
    open.suffix(Self.mostHeld).contains { other in
      timelines[other].times.overlap(response.timeline.times)
    }
  }

  private mutating func drawHeld(into output: inout Output) {
    let times = held.map(\.timeline.times)
    let (first, last) = (times.compactMap(\.first).min(), times.compactMap(\.last).max())
    let isShared = times.count { $0.first != nil } > 1
    var shared: ClosedRange<Int>?
    if isShared, let first, let last, first < last { shared = first...last }
    var waterfalls: [Waterfall] = []
    for response in held {
      let waterfall = Waterfall(response, beside: shared)
      // Events behind an end, such as a keepalive, are no response.
      let isStray =
        response.facts.id.isNull && response.facts.failure == nil
        && waterfall?.rows.count ?? 1 == 1
      if isStray, drawn + waterfalls.count > 0 { continue }
      if let waterfall {
        waterfalls.append(waterfall)
      } else {
        unknown += 1
        unknownName = response.facts.name
      }
    }
    held = []
    drawn += waterfalls.count
    let labels = waterfalls.map(\.labelColumns).max() ?? 0
    for index in waterfalls.indices { waterfalls[index].labelColumns = labels }
    drawing.draw(waterfalls, into: &output.bytes)
  }
}

/// A form of timelines.
protocol TimelineDrawing {
  /// Draws responses that ran side by side.
  mutating func draw(_ waterfalls: [Waterfall], into output: inout [UInt8])

  /// Ends the last response.
  mutating func finish(into output: inout [UInt8])
}
