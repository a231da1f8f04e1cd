package import Core

/// Makes a report of what is wrong with a stream of events. What it holds grows with the items of
/// the open responses, not with the events.
package struct CheckFilter: EventFilter {
  private let report: CheckReport
  private var responses: PerLane<ResponseCheck>
  /// What the standard's level has besides.
  private var standards: PerLane<StandardCheck>
  private var marks: StreamMarks
  private var count = 0

  package init(_ settings: CheckSettings) {
    report = CheckReport(settings)
    responses = PerLane(ResponseCheck(report))
    standards = PerLane(StandardCheck(report))
    marks = StreamMarks(report)
  }

  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    let members = EventMembers(event, line)
    let name = event.typeName.flatMap {
      event.type == nil ? JSONString.decoded(inside: line.extracting($0)) : nil
    }
    report.subject = CheckReport.Subject(
      place: event.inputPlace, sequenceNumber: members.sequenceNumber,
      known: event.type, name: name ?? [],
      responseID: event.lane == 0 ? responses.first.id : responses[event.lane].id,
      outputIndex: members.outputIndex, input: output.inputName)
    count += 1
    let findings = report.count
    let isDocument =
      report.level == .openResponses && !event.isUntypedBlock
      && event.isSynthetic(line)
    if event.step.kind == .ends, event.step.isRepeated {
      report.subject.responseID = event.text(of: "response", "id", in: line)
      if !isDocument {
        report.add(.twoEnds, report.subject.type, expected: "one terminal event")
      }
      return report.flush(into: &output)
    }
    if report.level == .openResponses {
      let isWhole = isDocument && event.type != nil
      if marks.isMark(event, line, isDocument: isWhole, into: &output) {
        count -= 1
        return report.flush(into: &output)
      }
      standards[event.lane].handle(event, members, line, isDocument: isDocument)
      if isWhole { return report.flush(into: &output) }
    }
    checkLine(event, name, line)
    // What else is wrong with an event is what makes it differ.
    report.hasExtensions = standards[event.lane].hasExtensions && report.count == findings
    if event.lane == 0 {
      responses.first.handle(event, members, line)
    } else {
      responses[event.lane].handle(event, members, line)
    }
    report.flush(into: &output)
  }

  package mutating func finish(into output: inout Output) {
    report.subject.clear()
    for lane in responses.all.indices {
      report.subject.responseID = responses[lane].id
      standards[lane].finish()
      responses[lane].finish()
    }
    marks.finish()
    report.flush(into: &output)
    let rules = CheckRule.rules(ofStandard: true).compactMap { rule in
      report.byRule[rule].map { "\(rule.row.title) \($0)" }
    }
    let byRule = rules.isEmpty ? "" : ": " + rules.joined(separator: ", ")
    let total = report.byRule.values.reduce(0, +)
    let findings = "\(total) finding\(total == 1 ? "" : "s")"
    let events = "\(count) event\(count == 1 ? "" : "s")"
    output.notices.append(Notice(.summary, "\(findings) in \(events)\(byRule)"))
  }

  package var status: ExitStatus { report.count > 0 ? .negative : .completed }

  /// Checks what can be told from the line alone.
  private mutating func checkLine(_ event: Event, _ name: [UInt8]?, _ line: Span<UInt8>) {
    let name = name ?? []
    guard event.type != nil || !name.isEmpty else {
      return report.add(.missingMember, "no member type", expected: "the type of an event")
    }
    if name.span.equals("oresp.unparsed") {
      return report.add(.notJSON, "data that is no JSON", expected: "a JSON object")
    }
    if let block = event.block?.name, !block.isEmpty, !block.span.equals("message"),
      case let told = String(decoding: block, as: UTF8.self), told != report.subject.type
    {
      report.add(.nameMismatch, "event: \(told)", expected: report.subject.type)
    }
    guard let type = event.type else { return checkUnknown(name.span) }
    switch report.level {
    case .default: return
    case .strict:
      // An error may have its members nested.
      if type.family == .error, event.value(of: "error", in: line) != nil { return }
    case .openResponses:
      guard type.row.standing == .standard, type.family != .error else { return }
    }
    for fault in Self.members[type.index].faults(in: line) {
      if report.level == .openResponses, fault.name == "sequence_number" { continue }
      if fault.got == nil {
        let what = "no member \(fault.name)"
        report.add(.missingMember, what, expected: "one, for \(type.row.name)")
      } else if report.level == .openResponses, let got = fault.got {
        report.add(.eventMembers, "\(got) as \(fault.name)", expected: fault.expected)
      }
    }
  }

  /// The members that events of each type must have, by its place in the catalogue.
  private static let members = EventCatalogue.rows.map {
    MemberList($0.fields.description, marked: true)
  }

  /// A provider's own types have a colon, or a fixed beginning; the toolkit's have another.
  private mutating func checkUnknown(_ name: Span<UInt8>) {
    if name.firstIndex(of: ASCII.colon) != nil || name.starts(with: "responsesapi.")
      || name.starts(with: "oresp.")
    {
      return
    }
    report.add(.unknownType, report.subject.type, expected: "a type of the catalogue")
  }
}
