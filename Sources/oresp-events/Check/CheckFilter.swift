package import Core

/// Reports faults in a stream of events. Its memory grows with the items of the open responses, not
/// with the events.
package struct CheckFilter: EventFilter {
  private var report: CheckReport
  private var checks = PerResponse(ResponseCheck())
  private var marks = StreamMarks()
  private var count = 0

  package let needsItems = true
  package let checksOrder = true

  package init(_ settings: CheckSettings) { report = CheckReport(settings) }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    report.begin(event, line, output.inputName)
    if report.level != .openResponses || !marks.isMark(event, line, &report, into: &output) {
      count += 1
      if let response = event.response {
        checks[response].handle(event, line, of: response, &report)
      } else {
        report.checkFrame(event, line)
        report.checkLine(event, line)
      }
    }
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

extension CheckReport {
  /// Whether `event` is a document of which the toolkit made an event, by the rules of the standard.
  func isDocument(_ event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    level == .openResponses && !event.isUntypedBlock && event.isSynthetic(line)
  }

  /// Checks an event by its line alone.
  mutating func checkLine(_ event: borrowing Event, _ line: Span<UInt8>) {
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
      if level == .openResponses, fault.name == "sequence_number" { continue }
      guard let got = fault.got else {
        let what = "no member \(fault.name)"
        add(.missingMember, what, expected: "one, for \(type.row.name)")
        continue
      }
      // Readers get over a wrong member that has no value.
      let values = [type.row.delta?.description, type.row.final?.description]
      if level == .openResponses || values.contains(fault.name) {
        add(.missingMember, "\(got) as \(fault.name)", expected: fault.expected)
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
    if event.isUnparsed(line), let data = JSONChildren.string(of: "data", in: line) {
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
