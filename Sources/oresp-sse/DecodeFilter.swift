package import Core

/// Gives each event as a line, with the time it arrived, its place among the lines and the tag of
/// its stream if asked for.
package struct DecodeFilter: EventFilter {
  private let stamps: Bool
  private let tag: [UInt8]?
  /// What is added to the event that is being handled, as it is spelled.
  private var facts: [UInt8] = []
  /// How many lines were printed of each tag; `nil` where they are not numbered.
  private var counts: [[UInt8]: Int]?
  private var hasReportedNumber = false
  private let now: () -> Int
  /// The time as it is spelled: what came with one read arrived at once.
  private var time: [UInt8] = []

  /// `now` tells the time in microseconds since the epoch.
  package init(_ settings: SSETool.Settings, now: @escaping () -> Int = Clock.microseconds) {
    (stamps, tag) = (settings.stamps, settings.tag.map { Array($0.utf8) })
    if settings.numbers { counts = [:] }
    self.now = now
  }

  package var triage: EventTriage {
    if counts != nil { return .handlingAll }
    return stamps || tag != nil ? .handlingAll : EventTriage(unknown: .pass) { _ in .pass }
  }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    guard stamps || tag != nil || counts != nil, !event.isOwnEnd(line) else {
      return output.append(line: line)
    }
    facts.removeAll(keepingCapacity: true)
    if stamps {
      add("at")
      if output.bytes.isEmpty || time.isEmpty {
        time.removeAll(keepingCapacity: true)
        Stamp.append(microseconds: now(), to: &time)
      }
      facts.append(contentsOf: time)
      if let id = event.block?.id {
        add("id")
        JSONString.encode(id.span, into: &facts)
      }
      if let retry = event.block?.retry {
        add("retry")
        facts.append(contentsOf: String(retry).utf8)
      }
    }
    if let number = number(of: event, line, into: &output) {
      add("n")
      facts.append(contentsOf: String(number).utf8)
    }
    if let tag {
      add("request")
      JSONString.encode(tag.span, into: &facts)
    }
    if !EventLine.append(event, line, spelled: facts.span, to: &output.bytes) {
      let what = stamps ? "stamped" : tag == nil ? "numbered" : "tagged"
      let why = "not \(what): its member oresp is no object"
      output.notices.append(Notice(.warning, why, at: event.inputPlace))
    }
    output.bytes.append(ASCII.lf)
  }

  /// How many lines of its tag came before; `nil` when lines are not numbered, or this one is
  /// already.
  private mutating func number(
    of event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) -> Int? {
    guard counts != nil else { return nil }
    let own = event.string(of: "oresp", "request", in: line)
    let name = own.isEmpty ? tag ?? [] : own
    let number = counts?[name] ?? 0
    counts?[name] = number + 1
    guard event.value(of: "oresp", "n", in: line) != nil else { return number }
    if !hasReportedNumber {
      hasReportedNumber = true
      let why = "the event has a number already, which stays"
      output.notices.append(Notice(.warning, why, at: event.inputPlace))
    }
    return nil
  }

  /// Begins the member `name` of what is added.
  private mutating func add(_ name: StaticString) {
    if !facts.isEmpty { facts.append(ASCII.comma) }
    facts.append(ASCII.quote)
    facts.append(name)
    facts.append("\":")
  }

  package var ownEnds: OwnEnds {
    var ends = OwnEnds()
    ends.passes = true
    return ends
  }

  package mutating func finish(into output: inout Output) {}
}
