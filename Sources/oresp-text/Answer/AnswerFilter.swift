package import Core

/// Prints the texts of each response, each character once, as early as it is known.
package struct AnswerFilter: EventFilter {
  /// Which kinds of text go where, and how they look there.
  package struct Settings: Sendable {
    /// The kinds for standard output.
    package var kinds: TextKinds = .answer
    /// The kinds for standard error.
    package var asideKinds: TextKinds = []
    package var style = TextStyle()

    package init() {}
  }

  let kinds: TextKinds
  let asideKinds: TextKinds
  let citations: CitationReader?
  let listsSources: Bool
  /// What the last delta looked like, and where it belongs.
  private var template: (delta: DeltaTemplate, place: Answer.Place)?
  var answer: Answer
  var aside: Answer

  package init(_ settings: Settings = Settings()) {
    kinds = settings.kinds
    asideKinds = settings.asideKinds
    let style = settings.style
    listsSources = style.listsSources
    citations =
      style.citations == .none && !listsSources
      ? nil : CitationReader(stripsTracking: style.stripsTracking)
    answer = Answer(style.with(headings: kinds != .answer))
    aside = Answer(TextStyle().with(headings: true))
  }

  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    if let template, let delta = template.delta.delta(in: line) {
      return take(delta: line.extracting(delta), at: template.place, into: &output)
    }
    guard let row = event.type?.row else { return }
    switch (row.family, row.phase) {
    case (.lifecycle, .start): endResponse(into: &output)
    case (.lifecycle, .terminal), (.contentPart, .done), (.reasoningSummaryPart, .done),
      (.outputItem, .start), (.outputItem, .done), (.outputText, .annotation),
      (.webSearchCall, _), (.shellCallOutputContent, _):
      takeMembers(event, row, line, into: &output)
    case (_, .delta), (_, .done):
      guard let name = TextName(row.family), !all.isDisjoint(with: name.kind) else { return }
      takeMembers(event, row, line, into: &output)
    default: break
    }
  }

  /// Prints the path of a file as a text of its own.
  mutating func print(path: String, into output: inout Output) {
    answer.print(path: path, into: &output.bytes)
  }

  package mutating func finish(into output: inout Output) {
    answer.finish(into: &output.bytes)
    aside.finish(into: &output.aside)
    output.notices += answer.takeNotices()
  }

  var all: TextKinds { kinds.union(asideKinds) }

  private mutating func endResponse(into output: inout Output) {
    answer.endResponse(into: &output.bytes)
    aside.endResponse(into: &output.aside)
    output.notices += answer.takeNotices()
  }

  private mutating func takeMembers(
    _ event: Event, _ row: EventCatalogue.Row, _ line: Span<UInt8>, into output: inout Output
  ) {
    guard let members = EventMembers(line, row) else {
      output.notices.append(.brokenMember(at: event.inputPlace))
      return
    }
    if !take(row, members, line, into: &output) {
      output.notices.append(Notice(.warning, Section.conflict, at: event.inputPlace))
    }
    if row.phase != .delta { output.notices += answer.takeNotices() }
  }

  /// Takes an event that may bring text; false when it conflicts with what was printed.
  private mutating func take(
    _ row: EventCatalogue.Row, _ members: EventMembers, _ line: Span<UInt8>,
    into output: inout Output
  ) -> Bool {
    switch (row.family, row.phase) {
    case (.lifecycle, _): return take(final: line, into: &output)
    case (.outputItem, _):
      guard let item = members.item else { return true }
      let isDone = row.phase == .done
      return take(line.extracting(item), at: members.outputIndex, isDone: isDone, into: &output)
    case (.contentPart, _), (.reasoningSummaryPart, _):
      guard let part = members.part,
        let whole = ItemTexts(part: line.extracting(part), citations: citations)?.texts.first
      else { return true }
      return take(whole, at: place(whole.name, members, line), into: &output)
    case (.outputText, .annotation):
      takeCitation(members, line, into: &output)
      return true
    case (.webSearchCall, _):
      consult(JSONChildren.value(of: "results", "sources", in: line), in: line)
      return true
    case (.shellCallOutputContent, _):
      return takeShellOutput(row.phase, members, line, into: &output)
    default:
      guard let name = TextName(row.family) else { return true }
      if name.kind == .tools, let type = row.family.itemType {
        label(Answer.ToolLabel(type: type, label: ""), at: members.outputIndex)
      }
      let place = place(name, members, line)
      guard row.phase == .delta else {
        guard let text = members.final, line[text.lowerBound] == ASCII.quote else { return true }
        let whole = WholeText(name: name, text: JSONString.decoded(line.extracting(text)))
        return take(whole, at: place, into: &output)
      }
      guard let delta = members.delta, line[delta.lowerBound] == ASCII.quote else { return true }
      template = DeltaTemplate(line).map { ($0, place) }
      take(delta: line.extracting(delta), at: place, into: &output)
      return true
    }
  }

  mutating func label(_ label: Answer.ToolLabel, at outputIndex: Int?) {
    answer.label(label, at: outputIndex)
    aside.label(label, at: outputIndex)
  }

  func place(
    _ name: TextName, _ members: EventMembers, _ line: Span<UInt8>
  ) -> Answer.Place {
    var place = Answer.Place(name: name, outputIndex: members.outputIndex)
    // The id is asked for only where there is no index.
    if members.outputIndex == nil, let id = members.itemID {
      place.id = [UInt8](copying: line.extracting(id))
    }
    place.partIndex = members.contentIndex ?? members.summaryIndex ?? members.commandIndex ?? 0
    return place
  }

  mutating func take(
    delta: Span<UInt8>, at place: Answer.Place, into output: inout Output
  ) {
    if kinds.contains(place.name.kind) { answer.take(delta: delta, at: place, into: &output.bytes) }
    if asideKinds.contains(place.name.kind) {
      aside.take(delta: delta, at: place, into: &output.aside)
    }
  }

  mutating func take(
    _ whole: WholeText, at place: Answer.Place, into output: inout Output
  ) -> Bool {
    var fits = true
    if kinds.contains(whole.name.kind) {
      fits = answer.take(wholeOfPart: whole, at: place, into: &output.bytes)
    }
    if asideKinds.contains(whole.name.kind) {
      fits = aside.take(wholeOfPart: whole, at: place, into: &output.aside) && fits
    }
    return fits
  }
}
