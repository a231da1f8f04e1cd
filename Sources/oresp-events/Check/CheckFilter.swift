package import Core

/// Makes a report of what is wrong with a stream of events. What it holds grows with the items of
/// the open responses, not with the events.
package struct CheckFilter: EventFilter {
  private var report: CheckReport
  private var responses = PerLane(ResponseCheck())
  /// What the standard's level has besides.
  private var standards = PerLane(StandardCheck())
  private var marks = StreamMarks()
  private var count = 0

  package init(_ settings: CheckSettings) { report = CheckReport(settings) }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    count += 1
    report.begin(event, line, of: responses[event.lane].id, output.inputName)
    check(event, line, into: &output)
    report.flush(into: &output)
  }

  private mutating func check(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    let findings = report.count
    let isStandard = report.level == .openResponses
    let isDocument = isStandard && !event.isUntypedBlock && event.isSynthetic(line)
    if event.step.isRepeated, event.step.kind == .ends {
      report.subject.responseID = event.text(of: "response", "id", in: line)
      if isDocument { return }
      return report.add(.twoEnds, report.subject.type, expected: "one terminal event")
    }
    if isStandard {
      let isWhole = isDocument && event.type != nil
      if marks.isMark(event, line, isDocument: isWhole, &report, into: &output) {
        count -= 1
        return
      }
      standards[event.lane].handle(event, line, isDocument: isDocument, &report)
      if isWhole { return }
    }
    checkLine(event, line)
    // What else is wrong with an event is what makes it differ.
    if isStandard {
      report.hasExtensions = standards[event.lane].hasExtensions && report.count == findings
    }
    responses[event.lane].handle(event, line, &report)
  }

  package mutating func finish(into output: inout Output) {
    report.subject.clear()
    for lane in responses.all.indices {
      report.subject.responseID = responses[lane].id
      standards[lane].finish(&report)
      responses[lane].finish(&report)
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

  /// Checks what can be told from the line alone.
  private mutating func checkLine(_ event: borrowing Event, _ line: Span<UInt8>) {
    if let block = event.block { checkName(of: block) }
    guard let type = event.type else { return checkUnknown() }
    switch report.level {
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
      if report.level == .openResponses, name == "sequence_number" { continue }
      if fault.got == nil {
        let what = "no member \(name)"
        report.add(.missingMember, what, expected: "one, for \(type.row.name)")
      } else if report.level == .openResponses, let got = fault.got {
        report.add(.eventMembers, "\(got) as \(name)", expected: members.kinds(of: fault))
      }
    }
  }

  /// The members that events of each type must have, by its place in the catalogue.
  private static let members = EventCatalogue.rows.map { MemberList($0.fields, marked: true) }

  private mutating func checkName(of block: EventBlock) {
    let (name, subject) = (block.name, report.subject)
    let isSame =
      subject.known.map { name.span.equals($0.row.name) } ?? name.span.equals(subject.name.span)
    guard !isSame, !name.isEmpty, !name.span.equals("message"), !subject.isNameless,
      !subject.isUnparsed
    else { return }
    report.add(.nameMismatch, "event: \(String(decoding: name.span))", expected: subject.type)
  }

  /// A provider's own types have a colon, or a fixed beginning; the toolkit's have another.
  private mutating func checkUnknown() {
    if report.subject.isNameless {
      return report.add(.missingMember, "no member type", expected: "the type of an event")
    }
    if report.subject.isUnparsed {
      return report.add(.notJSON, "data that is no JSON", expected: "a JSON object")
    }
    let subject = report.subject.name
    let name = subject.span
    if name.firstIndex(of: ASCII.colon) != nil || name.starts(with: "responsesapi.")
      || name.starts(with: "oresp.")
    {
      return
    }
    report.add(.unknownType, report.subject.type, expected: "a type of the catalogue")
  }
}

extension EventType {
  /// Whether its row says that it is of the neutral standard.
  var isStandard: Bool { row.standing == .standard }
}
