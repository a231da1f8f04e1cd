package import Core

/// Gives each event as a line, with the time it arrived, its place among the lines and the tag of its
/// stream if asked for.
package struct DecodeFilter: EventFilter {
  private let stamps: Bool
  private let tag: String?
  /// How many lines were printed of each tag; `nil` where they are not numbered.
  private var counts: [[UInt8]: Int]?
  private var hasReportedNumber = false
  private let now: () -> Int

  /// `now` tells the time in microseconds since the epoch.
  package init(_ settings: SSETool.Settings, now: @escaping () -> Int = Clock.microseconds) {
    (stamps, tag) = (settings.stamps, settings.tag)
    if settings.numbers { counts = [:] }
    self.now = now
  }

  package var triage: EventTriage {
    if counts != nil { return .takingAll }
    return stamps || tag != nil ? .gatheringDeltas : EventTriage(unknown: .pass) { _ in .pass }
  }

  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    guard stamps || tag != nil || counts != nil else { return output.append(line: line) }
    var facts: [(name: String, value: JSONValue)] = []
    if stamps {
      facts.append(("at", Stamp.json(microseconds: now())))
      if let id = event.block?.id { facts.append(("id", .string(id))) }
      if let retry = event.block?.retry { facts.append(("retry", .integer(retry))) }
    }
    if let number = number(of: event, line, into: &output) { facts.append(("n", .integer(number))) }
    if let tag { facts.append(("request", .text(tag))) }
    if let run = event.run {
      return append(run, of: line, facts, to: &output.bytes)
    }
    if !EventLine.append(line, facts: facts, to: &output.bytes) {
      let what = stamps ? "stamped" : tag == nil ? "numbered" : "tagged"
      let why = "not \(what): its member oresp is no object"
      output.notices.append(Notice(.warning, why, at: event.inputPlace))
    }
    output.bytes.append(ASCII.lf)
  }

  /// How many lines of its tag came before; `nil` when lines are not numbered, or this one is already.
  private mutating func number(
    of event: Event, _ line: Span<UInt8>, into output: inout Output
  ) -> Int? {
    guard counts != nil, !isOwnEnd(event, line) else { return nil }
    let own = line.extracting(JSONChildren.value(of: "oresp", in: line) ?? 0..<0)
    let name = JSONChildren.string(of: "request", in: own) ?? tag.map { Array($0.utf8) } ?? []
    let number = counts?[name] ?? 0
    counts?[name] = number + 1
    guard JSONChildren.value(of: "n", in: own) != nil else { return number }
    if !hasReportedNumber {
      hasReportedNumber = true
      let why = "the event has a number already, which stays"
      output.notices.append(Notice(.warning, why, at: event.inputPlace))
    }
    return nil
  }

  /// Whether the event is the line with which a selection reports the end of a response.
  private func isOwnEnd(_ event: Event, _ line: Span<UInt8>) -> Bool {
    event.typeName.map { line.extracting($0).equals("oresp.end") } ?? false
  }

  /// Appends the lines of `run`, none of which has facts of its own, each with `facts`.
  private func append(
    _ run: DeltaRun, of line: Span<UInt8>, _ facts: [(name: String, value: JSONValue)],
    to output: inout [UInt8]
  ) {
    var own: [UInt8] = []
    own.append(",\"oresp\":")
    JSONValue.object(facts).write(into: &own)
    own.append("}\n")
    for member in run.members {
      output.append(copying: line.extracting(member.line.lowerBound..<member.line.upperBound - 1))
      output.append(copying: own.span)
    }
  }

  package mutating func finish(into output: inout Output) {}
}
