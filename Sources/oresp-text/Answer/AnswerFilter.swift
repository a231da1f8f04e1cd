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

  /// So many responses that were left are kept at least; the text of older ones is over.
  private static let mostLeft = 1024

  /// The kinds that are printed.
  private let kinds: TextKinds
  private let readsCitations: Bool
  private let listsSources: Bool
  private let leaves: Bool
  private var answer: Answer
  /// The response whose text is being printed, and its slot.
  private var response: ResponseName?
  private var slot = 0
  /// Those that were left, by their numbers, and these in order.
  private var left: [Int: Answer.Left] = [:]
  private var leftOrder: [Int] = []
  private var hasToldGoingOn = false
  /// Where the text of the last event went, if that was a delta: most go on from the one before.
  private var last: DeltaPlace?

  private struct DeltaPlace {
    let type: EventType
    let outputIndex: Int
    let part: Int
    let place: Answer.Place
  }

  package init(_ settings: Settings = Settings()) {
    kinds = settings.kinds.union(settings.asideKinds)
    let style = settings.style
    leaves = style.isPlain
    listsSources = style.listsSources
    readsCitations = style.citations != .none || listsSources
    answer = Answer(settings.kinds, aside: settings.asideKinds, style)
  }

  package mutating func handle(_ event: Event, _ line: Span<UInt8>, into output: inout Output) {
    guard let type = event.type else { return }
    if event.response !== response { turn(to: event, into: &output) }
    if type.phase == .delta, goOn(with: type, event, line, into: &output) { return }
    last = nil
    switch (type.family, type.phase) {
    case (.lifecycle, _), (.error, _): handle(step: event, line, into: &output)
    case (.transcription, _), (.speech, _), (.image, _):
      handle(alone: type, event, line, into: &output)
    case (.webSearchCall, _):
      consult(event.value(of: "results", "sources", in: line), in: line)
    case (.outputItem, .start), (.outputItem, .done), (.outputText, .annotation):
      handle(members: type, event, line, into: &output)
    case (_, .delta), (_, .done):
      guard type.values.contains(where: { kinds.contains($0.name.kind) }) else { return }
      handle(members: type, event, line, into: &output)
    default: break
    }
  }

  /// Appends a delta that goes on from the one of the event before; false when it does not.
  private mutating func goOn(
    with type: EventType, _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) -> Bool {
    guard let last, last.type == type, !type.hasOwnDelta,
      event.integer(of: "output_index", in: line) == last.outputIndex,
      event.partIndex(in: line) == last.part, let delta = event.value(of: "delta", in: line)
    else { return false }
    answer.append(
      delta: line.extracting(delta), toPart: last.part, of: last.place, into: &output)
    return true
  }

  /// Prints the path of a file as a text of its own.
  mutating func print(path: String, into output: inout Output) {
    answer.print(path: path, into: &output)
  }

  /// The code blocks that were kept since this was asked last.
  mutating func takeBlocks() -> [CodeBlock] { answer.takeBlocks() }

  package mutating func finish(into output: inout Output) {
    if !leftOrder.isEmpty { answer.endResponse(into: &output) }
    for number in leftOrder { end(left: number, into: &output) }
    answer.finish(into: &output)
  }

  /// Leaves the response that is being printed for the one of `event`, and goes on with that.
  private mutating func turn(to event: Event, into output: inout Output) {
    guard let next = event.response else { return }
    if leaves, let former = response, !answer.isEmpty, slot != event.lane {
      left[former.number] = answer.leave(into: &output)
      leftOrder.append(former.number)
      if leftOrder.count > 2 * Self.mostLeft {
        for number in leftOrder.prefix(Self.mostLeft) { end(left: number, into: &output) }
        leftOrder.removeFirst(Self.mostLeft)
      }
    }
    (response, slot, last) = (next, event.lane, nil)
    guard let kept = left.removeValue(forKey: next.number) else { return }
    answer.goOn(with: kept)
    guard !hasToldGoingOn else { return }
    hasToldGoingOn = true
    let why = "a response goes on behind others that ended meanwhile: its text stands apart"
    output.notices.append(Notice(.warning, why, at: event.inputPlace))
  }

  /// Prints what still waits of a response that was left and did not go on.
  private mutating func end(left number: Int, into output: inout Output) {
    guard let kept = left.removeValue(forKey: number) else { return }
    answer.goOn(with: kept)
    answer.endResponse(into: &output)
  }

  /// Handles an event that tells where a response begins, fails or ends; its end may hold all of it.
  private mutating func handle(
    step event: Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    let step = event.step
    if step.kind == .begins || step.leavesCut { answer.endResponse(into: &output) }
    guard step.kind == .ends else { return }
    var items: [ItemTexts] = []
    if let output = event.value(of: "response", "output", in: line) {
      var children = JSONChildren(at: output.lowerBound)
      while let child = children.next(in: line) {
        let item = line.extracting(child.value)
        consult(item)
        items.append(
          ItemTexts(item, ItemIdentity(item), kinds: kinds, readsCitations: readsCitations))
      }
    }
    let status = event.text(of: "response", "status", in: line)
    if !answer.end(with: items, status: status, into: &output) {
      tellConflict(event, into: &output)
    }
  }

  /// Handles an event of the stream of another endpoint.
  private mutating func handle(
    alone type: EventType, _ event: Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    if event.step.kind == .begins || event.step.leavesCut { answer.endResponse(into: &output) }
    handle(members: type, event, line, into: &output)
    guard event.step.kind == .ends else { return }
    answer.endAlone(into: &output)
  }

  /// Handles an event of an item.
  private mutating func handle(
    members type: EventType, _ event: Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    let members = EventMembers(event, line)
    let number = answer.item(of: type, members, line)
    var fits = true
    switch (type.family, type.phase) {
    case (.outputItem, let phase):
      if let item = members.item {
        fits = handle(item: line.extracting(item), number, phase, into: &output)
      }
    case (_, .annotation):
      if readsCitations, let annotation = members.final,
        let citation = Citation(of: line.extracting(annotation))
      {
        answer.cite(citation, of: members.partIndex, of: number, into: &output)
      }
    case (_, .delta):
      for (name, delta) in Self.values(of: type, members.delta, in: line) {
        guard let place = answer.place(name, of: number) else { continue }
        if let index = members.outputIndex, type.values.count == 1 {
          last = DeltaPlace(
            type: type, outputIndex: index, part: members.partIndex, place: place)
        }
        answer.append(
          delta: line.extracting(delta), toPart: members.partIndex, of: place, into: &output)
      }
    default: fits = complete(type, members, number, line, into: &output)
    }
    if !fits { tellConflict(event, into: &output) }
    if type.phase != .delta { output.notices += answer.takeNotices() }
  }

  private func tellConflict(_ event: Event, into output: inout Output) {
    output.notices.append(Notice(.warning, Section.conflict, at: event.inputPlace))
  }

  /// Handles the item `number` as it opens or ends; false when one of its texts conflicts.
  private mutating func handle(
    item: Span<UInt8>, _ number: Int, _ phase: EventPhase, into output: inout Output
  ) -> Bool {
    let texts = ItemTexts(
      item, answer.identity(of: number), kinds: kinds, readsCitations: readsCitations)
    guard phase == .done else { return answer.open(number, with: texts, into: &output) }
    consult(item)
    return answer.end(number, with: texts, into: &output)
  }

  /// Takes the whole text of a part that an event brings; false when it conflicts.
  private mutating func complete(
    _ type: EventType, _ members: EventMembers, _ number: Int, _ line: Span<UInt8>,
    into output: inout Output
  ) -> Bool {
    guard let final = members.final else { return true }
    var wholes: [WholeText] = []
    if line[final.lowerBound] == ASCII.openBrace {
      let part = line.extracting(final)
      let itemType = answer.identity(of: number).type
      let whole = WholeText(part: part, ofItem: itemType, kinds, readsCitations: readsCitations)
      wholes = whole.map { [$0] } ?? []
    } else {
      wholes = Self.values(of: type, final, in: line).map { name, place in
        WholeText(name, JSONString.decoded(line.extracting(place)))
      }
    }
    var fits = true
    for whole in wholes {
      fits =
        answer.complete(part: members.partIndex, of: number, with: whole, into: &output) && fits
    }
    return fits
  }

  /// The strings in the value at `place` of an event of type `type`, and what they are: the value
  /// itself, or the members of an object, which may stand in an array of its own.
  private static func values(
    of type: EventType, _ place: Range<Int>?, in line: Span<UInt8>
  ) -> [(TextName, Range<Int>)] {
    guard var place else { return [] }
    if line[place.lowerBound] == ASCII.openBracket {
      var elements = JSONChildren(at: place.lowerBound)
      guard let element = elements.next(in: line) else { return [] }
      place = element.value
    }
    if line[place.lowerBound] == ASCII.quote {
      return type.values.prefix(1).map { ($0.name, place) }
    }
    let object = line.extracting(place)
    return type.values.compactMap { value in
      guard let member = value.members.last,
        let text = JSONChildren.value(at: [member], in: object),
        object[text.lowerBound] == ASCII.quote
      else { return nil }
      return (value.name, place.lowerBound + text.lowerBound..<place.lowerBound + text.upperBound)
    }
  }

  /// Takes what `item`, an output item, says that a search consulted.
  private mutating func consult(_ item: Span<UInt8>) {
    guard listsSources else { return }
    for list in SourceMembers.consulted(in: item) { consult(list, in: item) }
  }

  /// Takes the sources in `list`, an array that stands there in `line`.
  private mutating func consult(_ list: Range<Int>?, in line: Span<UInt8>) {
    guard listsSources, let list else { return }
    for source in Citation.all(in: line.extracting(list)) { answer.consult(source) }
  }
}
