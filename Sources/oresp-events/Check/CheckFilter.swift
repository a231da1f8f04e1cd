package import Core

/// Reports faults in a stream of events. Its memory grows with the items of the open responses, not
/// with the events.
package struct CheckFilter: EventFilter {
  private var report: CheckReport
  private var checks = PerResponse(EventCheck())
  /// Checks events of no response.
  private var others = EventCheck()
  private var marks = StreamMarks()
  private var count = 0

  package let needsItems = true
  package let checksOrder = true

  package init(_ settings: CheckSettings) { report = CheckReport(settings) }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    let counts: Bool
    if let response = event.response {
      counts = checks[response].handle(event, line, &marks, &report, into: &output)
    } else {
      counts = others.handle(event, line, &marks, &report, into: &output)
    }
    if counts { count += 1 }
    report.flush(into: &output)
  }

  package mutating func close(_ response: Response, into output: inout Output) {
    checks[response].finish(&report)
    report.flush(into: &output)
  }

  package mutating func finish(into output: inout Output) {
    report.subject.clear()
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

/// Checks the events of one response, or of none.
private struct EventCheck {
  var response = ResponseCheck()
  /// Follows the rules that only the level of the standard has.
  var standard = StandardCheck()
  /// What findings on its end are about: its last event.
  private var last = CheckReport.Subject()

  /// Checks an event. Returns whether it counts, as all do but the mark that ends a stream.
  mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, _ marks: inout StreamMarks,
    _ report: inout CheckReport, into output: inout Output
  ) -> Bool {
    report.begin(event, line, of: response.id, output.inputName)
    defer { last = report.subject }
    let isLifecycle = event.type?.family == .lifecycle
    if isLifecycle {
      let id = event.text(of: "response", "id", in: line)
      if !id.isEmpty { report.subject.responseID = id }
    }
    let isStandard = report.level == .openResponses
    let isDocument = isStandard && !event.isUntypedBlock && event.isSynthetic(line)
    if event.step == .again, event.isTerminal {
      if !isDocument { report.add(.twoEnds, expected: "one terminal event") }
      return true
    }
    let findings = report.count
    if isStandard {
      let isWhole = isDocument && event.type != nil
      if marks.isMark(event, line, isDocument: isWhole, &report, into: &output) { return false }
      standard.handle(event, line, isDocument: isDocument, after: response.id, &report)
      if isWhole { return true }
    }
    report.checkLine(event, line)
    // An event with a finding of its own does not differ because of extensions.
    if isStandard { report.hasExtensions = standard.hasExtensions && report.count == findings }
    if event.step != .none { response.handle(event, line, isLifecycle: isLifecycle, &report) }
    return true
  }

  /// Ends the events of its response.
  func finish(_ report: inout CheckReport) {
    report.subject = last
    report.subject.clear()
    standard.finish(&report, of: response.id)
    response.finish(&report)
  }
}

extension CheckReport {
  /// Checks an event by its line alone.
  fileprivate mutating func checkLine(_ event: borrowing Event, _ line: Span<UInt8>) {
    if event.isHeartbeat, level != .openResponses { return }
    if let block = event.block, !event.isUnparsed(line) { checkName(of: block) }
    guard let type = event.type else { return checkUnknown(event, line) }
    switch level {
    case .default: return
    case .strict:
      // An error may have its members nested.
      if type.family == .error, event.value(of: "error", in: line) != nil { return }
    case .openResponses:
      guard type.isStandard, type.family != .error else { return }
    }
    let members = Self.members[type.index]
    for fault in members.faults(in: event, of: line) {
      let name = members.name(of: fault)
      if level == .openResponses, name == "sequence_number" { continue }
      if fault.got == nil {
        let what = "no member \(name)"
        add(.missingMember, what, expected: "one, for \(type.row.name)")
      } else if level == .openResponses, let got = fault.got {
        add(.eventMembers, "\(got) as \(name)", expected: members.kinds(of: fault))
      } else if let got = fault.got,
        [type.row.delta?.description, type.row.final?.description].contains(name)
      {
        add(.missingMember, "\(got) as \(name)", expected: members.kinds(of: fault))
      }
    }
  }

  /// The members that events of each type must have, by the index of the type.
  private static let members = EventCatalogue.rows.map { MemberList($0.fields, marked: true) }

  private mutating func checkName(of block: EventBlock) {
    let name = block.name
    let isSame =
      subject.known.map { name.span.equals($0.row.name) } ?? name.span.equals(subject.name.span)
    guard !isSame, !name.isEmpty, !name.span.equals("message"), !subject.type.isEmpty
    else { return }
    add(.nameMismatch, "event: \(String(decoding: name.span))", expected: subject.type)
  }

  /// Checks the type of an event that the catalogue does not have. A provider's own types have a
  /// colon or begin with `responsesapi.`, the toolkit's with `oresp.`.
  private mutating func checkUnknown(_ event: borrowing Event, _ line: Span<UInt8>) {
    let type = subject.type
    if type.isEmpty {
      return add(.missingMember, "no member type", expected: "the type of an event")
    }
    if let data = event.unparsedData(in: line) {
      // An error behind the last end of an answer of Chat Completions is kept so.
      if data.first == ASCII.openBrace, JSONScan.accepts(data.span) {
        return add(.eventAfterEnd, "an error", expected: "nothing after the end of the answer")
      }
      return add(.notJSON, "data that is not JSON", expected: "a JSON object")
    }
    let isOwn = ["responsesapi.", "oresp."].contains { type.utf8.starts(with: $0.utf8) }
    if isOwn || type.utf8.contains(ASCII.colon) { return }
    add(.unknownType, expected: "a type of the catalogue")
  }
}

extension EventType {
  /// Whether its row says that it is of the neutral standard.
  var isStandard: Bool { row.standing == .standard }
}

extension EventStanding {
  /// Whether a server that keeps to what is documented may send it.
  var isDocumented: Bool { self == .standard || self == .openai }
}
