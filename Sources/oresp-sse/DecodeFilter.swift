package import Core

/// Gives each event as a line, with the time it arrived and the tag of its stream if asked for.
package struct DecodeFilter: EventFilter {
  private let stamps: Bool
  private let tag: String?
  private let now: () -> Int

  /// `now` tells the time in microseconds since the epoch.
  package init(_ settings: SSETool.Settings, now: @escaping () -> Int = Clock.microseconds) {
    (stamps, tag) = (settings.stamps, settings.tag)
    self.now = now
  }

  package var triage: EventTriage {
    stamps || tag != nil ? .gatheringDeltas : EventTriage(unknown: .pass) { _ in .pass }
  }

  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    guard stamps || tag != nil else { return output.append(line: line) }
    var facts: [(name: String, value: JSONValue)] = []
    if stamps {
      facts.append(("at", Stamp.json(microseconds: now())))
      if let id = event.block?.id { facts.append(("id", .string(id))) }
      if let retry = event.block?.retry { facts.append(("retry", .integer(retry))) }
    }
    if let tag { facts.append(("request", .text(tag))) }
    if let run = event.run {
      return append(run, of: line, facts, to: &output.bytes)
    }
    if !EventLine.append(line, facts: facts, to: &output.bytes) {
      let why = "not \(stamps ? "stamped" : "tagged"): its member oresp is no object"
      output.notices.append(Notice(.warning, why, at: event.inputPlace))
    }
    output.bytes.append(ASCII.lf)
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
