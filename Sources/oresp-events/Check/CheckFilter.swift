package import Core

/// Makes a report of what is wrong with a stream of events. What it holds grows with the items of
/// the open responses, not with the events.
package struct CheckFilter: EventFilter {
  private let report: CheckReport
  private var responses: PerLane<ResponseCheck>
  /// What the standard's level has besides.
  private var standards: PerLane<StandardCheck>
  private var marks = StreamMarks()
  private var count = 0

  package init(_ settings: CheckSettings) {
    report = CheckReport(settings)
    responses = PerLane(ResponseCheck(report))
    standards = PerLane(StandardCheck(report))
  }

  package var triage: EventTriage {
    report.level == .openResponses ? .takingAll : .gatheringDeltas
  }

  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    guard let run = event.run else { return check(event, line, into: &output) }
    let findings = report.count
    let first = line.extracting(run.members[0].line)
    check(run.event(0, of: event), first, into: &output)
    // What is found wrong with one is told of each.
    if report.count == findings,
      responses.first.goOn(
        with: run.withoutFirst, of: line, after: report.subject.sequenceNumber)
    {
      let others = run.members.count - 1
      count += others
      report.subject.place = run.event(others, of: event).inputPlace
      report.subject.sequenceNumber? += others
      return
    }
    for index in run.members.indices.dropFirst() {
      check(run.event(index, of: event), line.extracting(run.members[index].line), into: &output)
    }
  }

  private mutating func check(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    // The reader has made sure that the line is JSON.
    guard let members = EventMembers(line, event.type?.row) else { return }
    let name = event.typeName.map { JSONString.decoded(inside: line.extracting($0)) }
    report.subject = CheckReport.Subject(
      place: event.inputPlace, sequenceNumber: members.sequenceNumber,
      name: name ?? [],
      responseID: event.lane == 0 ? responses.first.id : responses[event.lane].id,
      outputIndex: members.outputIndex, input: output.inputName)
    if report.level == .openResponses, marks.isMark(event, line, into: &output) { return }
    count += 1
    if report.level == .openResponses {
      let isDocument = JSONChildren.value(of: "oresp", "synthetic", in: line) != nil
      standards[event.lane].handle(event, members, line, isDocument: isDocument)
      if isDocument, event.type != nil { return report.flush(into: &output) }
    }
    checkLine(event, name, line)
    if event.lane == 0 {
      responses.first.handle(event.type, members, line)
    } else {
      responses[event.lane].handle(event.type, members, line)
    }
    report.flush(into: &output)
  }

  package mutating func finish(into output: inout Output) {
    (report.subject.name, report.subject.outputIndex) = ([], nil)
    for lane in responses.all.indices {
      report.subject.responseID = responses[lane].id
      responses[lane].finish()
      standards[lane].finish()
    }
    if marks.lacksMark {
      report.add(.doneMark, "the end of the stream", expected: "data: [DONE] before")
    }
    report.flush(into: &output)
    let rules = CheckRule.rules(ofStandard: true).compactMap { rule in
      report.byRule[rule].map { "\(rule.row.name) \($0)" }
    }
    let byRule = rules.isEmpty ? "" : ": " + rules.joined(separator: ", ")
    output.notices.append(
      Notice(.summary, "\(report.count) findings in \(count) events\(byRule)"))
  }

  package var status: ExitStatus { report.count > 0 ? .negative : .completed }

  /// Checks what can be told from the line alone.
  private mutating func checkLine(_ event: Event, _ name: [UInt8]?, _ line: Span<UInt8>) {
    guard let name else {
      return report.add(.missingMember, "no member type", expected: "the type of an event")
    }
    if name.span.equals("oresp.unparsed") {
      return report.add(.notJSON, "data that is no JSON", expected: "a JSON object")
    }
    if let block = event.block?.name, block != name, !block.isEmpty, !block.span.equals("message") {
      let told = String(decoding: block, as: UTF8.self)
      report.add(.nameMismatch, "event: \(told)", expected: report.subject.type)
    }
    guard let type = event.type else { return checkUnknown(name.span) }
    let isStandard = report.level == .openResponses
    guard report.level == .strict || isStandard && type.family != .error else { return }
    for member in RequiredMembers.missing(in: line, of: type)
    where !isStandard || member != "sequence_number" {
      report.add(.missingMember, "no member \(member)", expected: "one, for \(type.row.name)")
    }
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

/// What an input shows of the rules that are about event streams alone.
struct StreamMarks {
  /// Whether events came that were blocks of an event stream.
  private var hasBlocks = false
  /// Whether no event has come behind the mark.
  private var isAtMark = false
  private var hasTold = false

  /// Whether an event stream ended without its mark.
  var lacksMark: Bool { hasBlocks && !isAtMark }

  /// Takes an event; whether it stands for the mark. Of lines of JSON it is told, once, what they do
  /// not show.
  mutating func isMark(_ event: Event, _ line: Span<UInt8>, into output: inout Output) -> Bool {
    isAtMark = event.isDone(line)
    if isAtMark { return true }
    hasBlocks = hasBlocks || event.block != nil
    if event.block == nil, !hasTold {
      hasTold = true
      output.notices.append(
        Notice(
          .warning,
          "lines of JSON do not show the rules done-mark, event-name and no-id; "
            + "check the event stream itself", at: event.inputPlace))
    }
    return false
  }
}

/// The members that events of each type of the catalogue must have.
enum RequiredMembers {
  /// By the place of the type in the catalogue.
  private static let names: [[[UInt8]]] = EventCatalogue.rows.map { row in
    fields(row.fields.description).filter { $0.last == UInt8(ascii: "!") }.map {
      Array($0.prefix { $0 != ASCII.colon })
    }
  }

  /// The names of those that `line`, an event of `type`, lacks. An error may have its members
  /// nested.
  static func missing(in line: Span<UInt8>, of type: EventType) -> [String] {
    let names = names[type.index]
    // A bit for each name that did not come yet.
    var left = 1 << names.count - 1
    var members = JSONChildren()
    while left != 0, let member = members.next(in: line) {
      let spelled = line.extracting(member.name)
      if type.family == .error, JSONChildren.isName(spelled, "error") { return [] }
      if member.hasEscapedName {
        let name = JSONString.decoded(inside: spelled)
        strike(name.span, from: names, &left)
      } else {
        strike(spelled, from: names, &left)
      }
    }
    return names.indices.filter { left & 1 << $0 != 0 }.map {
      String(decoding: names[$0], as: UTF8.self)
    }
  }

  private static func strike(_ name: Span<UInt8>, from names: [[UInt8]], _ left: inout Int) {
    for (index, other) in names.enumerated() {
      if name.equals(other.span) { left &= ~(1 << index) }
    }
  }

  /// The fields of a row, cut at the commas that stand in no bracket.
  private static func fields(_ text: String) -> [ArraySlice<UInt8>] {
    var depth = 0
    return Array(text.utf8).split { byte in
      if "([{".utf8.contains(byte) { depth += 1 }
      if ")]}".utf8.contains(byte) { depth -= 1 }
      return byte == ASCII.comma && depth == 0
    }.map { $0.drop { $0 == ASCII.space } }
  }
}
