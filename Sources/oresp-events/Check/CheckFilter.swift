package import Core

/// Makes a report of what is wrong with a stream of events. What it holds grows with the items of
/// the open responses, not with the events.
package struct CheckFilter: EventFilter {
  private var report: CheckReport
  private var lanes = PerLane(LaneCheck())
  private var marks = StreamMarks()
  private var count = 0

  package init(_ settings: CheckSettings) { report = CheckReport(settings) }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    count += 1
    let place = EventPlace(event, line)
    lanes[event.lane].begin(event, place, line, output.inputName, &report)
    check(event, place, line, into: &output)
    report.flush(into: &output)
  }

  private mutating func check(
    _ event: borrowing Event, _ place: EventPlace, _ line: Span<UInt8>, into output: inout Output
  ) {
    let isStandard = report.level == .openResponses
    let isDocument = isStandard && !event.isUntypedBlock && event.isSynthetic(line)
    if event.step.isRepeated, event.step.kind == .ends {
      report.subject.responseID = event.text(of: "response", "id", in: line)
      if isDocument { return }
      return report.add(.twoEnds, report.subject.type, expected: "one terminal event")
    }
    let isWhole = isDocument && event.type != nil
    if isStandard, marks.isMark(event, line, isDocument: isWhole, &report, into: &output) {
      count -= 1
      return
    }
    lanes[event.lane].handle(event, place, line, isDocument: isDocument, &report)
  }

  package mutating func finish(into output: inout Output) {
    report.subject.clear()
    for lane in lanes.all {
      report.subject.responseID = lane.response.id
      lane.standard.finish(&report)
      lane.response.finish(&report)
    }
    marks.finish(&report)
    report.flush(into: &output)
    let rules = CheckRule.rules(ofStandard: true).compactMap { rule in
      report.count(of: rule) > 0 ? "\(rule.row.title) \(report.count(of: rule))" : nil
    }
    let byRule = rules.isEmpty ? "" : ": " + rules.joined(separator: ", ")
    let total = report.total
    let findings = "\(total) finding\(total == 1 ? "" : "s")"
    let events = "\(count) event\(count == 1 ? "" : "s")"
    output.notices.append(Notice(.summary, "\(findings) in \(events)\(byRule)"))
  }

  package var status: ExitStatus { report.count > 0 ? .negative : .completed }
}

/// What the events of one slot are checked by.
private struct LaneCheck {
  var response = ResponseCheck()
  /// What the standard's level has besides.
  var standard = StandardCheck()

  /// Makes the event the report's subject. It is `mutating` so that nothing is copied for it.
  mutating func begin(
    _ event: borrowing Event, _ place: EventPlace, _ line: Span<UInt8>, _ input: String?,
    _ report: inout CheckReport
  ) {
    report.begin(event, place, line, of: response.id, input)
  }

  mutating func handle(
    _ event: borrowing Event, _ place: EventPlace, _ line: Span<UInt8>, isDocument: Bool,
    _ report: inout CheckReport
  ) {
    guard report.level == .openResponses else {
      report.checkLine(event, line)
      return response.handle(event, place, line, &report)
    }
    let findings = report.count
    standard.handle(event, line, isDocument: isDocument, &report)
    if isDocument, event.type != nil { return }
    report.checkLine(event, line)
    // What else is wrong with an event is what makes it differ.
    report.hasExtensions = standard.hasExtensions && report.count == findings
    response.handle(event, place, line, &report)
  }
}

extension CheckReport {
  /// Checks what can be told from the line alone.
  fileprivate mutating func checkLine(_ event: borrowing Event, _ line: Span<UInt8>) {
    if let block = event.block { checkName(of: block) }
    guard let type = event.type else { return checkUnknown() }
    switch level {
    case .default: return
    case .strict:
      // An error may have its members nested.
      if type.family == .error, event.value(of: "error", in: line) != nil { return }
    case .openResponses:
      guard type.isStandard, type.family != .error else { return }
    }
    let members = Self.members[type.index]
    for fault in members.faults(in: event, line) {
      let name = members.name(of: fault)
      if level == .openResponses, name == "sequence_number" { continue }
      if fault.got == nil {
        let what = "no member \(name)"
        add(.missingMember, what, expected: "one, for \(type.row.name)")
      } else if level == .openResponses, let got = fault.got {
        add(.eventMembers, "\(got) as \(name)", expected: members.kinds(of: fault))
      }
    }
  }

  /// The members that events of each type must have, by its place in the catalogue.
  private static let members = EventCatalogue.rows.map { MemberList($0.fields, marked: true) }

  private mutating func checkName(of block: EventBlock) {
    let name = block.name
    let isSame =
      subject.known.map { name.span.equals($0.row.name) } ?? name.span.equals(subject.name.span)
    guard !isSame, !name.isEmpty, !name.span.equals("message"), !subject.isNameless,
      !subject.isUnparsed
    else { return }
    add(.nameMismatch, "event: \(String(decoding: name.span))", expected: subject.type)
  }

  /// A provider's own types have a colon, or a fixed beginning; the toolkit's have another.
  private mutating func checkUnknown() {
    if subject.isNameless {
      return add(.missingMember, "no member type", expected: "the type of an event")
    }
    if subject.isUnparsed {
      return add(.notJSON, "data that is not JSON", expected: "a JSON object")
    }
    let bytes = subject.name
    let name = bytes.span
    if name.firstIndex(of: ASCII.colon) != nil || name.starts(with: "responsesapi.")
      || name.starts(with: "oresp.")
    {
      return
    }
    add(.unknownType, subject.type, expected: "a type of the catalogue")
  }
}

extension EventType {
  /// Whether its row says that it is of the neutral standard.
  var isStandard: Bool { row.standing == .standard }
}
