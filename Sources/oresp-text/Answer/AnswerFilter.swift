package import Core

/// Prints the texts of each response, each character once, as early as it is known, and the paths
/// of its files.
package struct AnswerFilter: EventFilter, ~Copyable {
  /// The kinds of text for each stream, and their style.
  package struct Settings: Sendable {
    /// The kinds for standard output.
    package var kinds: TextKinds = .answer
    /// The kinds for standard error.
    package var asideKinds: TextKinds = []
    package var style = TextStyle()

    package init() {}

    var allKinds: TextKinds { kinds.union(asideKinds) }
    var reader: TextReader {
      TextReader(
        kinds: allKinds, readsCitations: style.citations != .none || style.listsSources)
    }
  }

  /// The way to handle the events of one type.
  private enum Course {
    case none, step, alone, search, item, delta
  }

  /// The limits on responses that were left; beyond either, the one left longest ago is ended.
  private static var mostLeft: (count: Int, size: Int) { (1024, 64 << 20) }

  private let settings: Settings
  private let reader: TextReader
  private var listsSources: Bool { settings.style.listsSources }
  /// Whether the web was searched, and whether any item listed the sources.
  private var (hasSearched, hasConsulted) = (false, false)
  /// The name of the input, where labels are printed and there are several.
  private var inputName: String?
  /// The courses of all types, by their places in the catalogue.
  private let courses: [Course]
  private var answer: Answer
  private var files: ProducedFiles?
  /// The response whose text is being printed, and its slot.
  private var response: ResponseName?
  private var slot = 0
  /// The responses that were left, by their numbers; the numbers in order; their bytes of text.
  private var left: [Int: (name: ResponseName, answer: Answer)] = [:]
  private var leftOrder: [Int] = []
  private var leftSize = 0
  private var hasReportedGoingOn = false
  /// The section and the part that the last event, a delta, added to; so does a continuation.
  private var last: (place: Answer.Place, part: Int)?

  package init(
    _ settings: Settings = Settings(), writing files: consuming ProducedFiles? = nil
  ) {
    self.settings = settings
    let reader = settings.reader
    self.reader = reader
    courses = EventType.all.map { type in
      switch (type.family, type.phase) {
      case (.lifecycle, _), (.error, _): .step
      case (.transcription, _), (.speech, _), (.image, _): .alone
      case (.webSearchCall, _): settings.style.listsSources ? .search : .none
      case (.outputItem, .start), (.outputItem, .done): .item
      case (.outputText, .annotation): reader.readsCitations ? .item : .none
      case (_, .start) where !type.bringsObject: .none
      case (_, .start), (_, .delta), (_, .done):
        !type.values.contains { reader.kinds.contains($0.name.kind) }
          ? .none : type.phase == .delta && !type.hasOwnDelta ? .delta : .item
      default: .none
      }
    }
    answer = Answer(settings)
    self.files = files
  }

  package mutating func handle(
    _ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) {
    if let type = event.type, case let course = courses[type.index], course != .none,
      course != .delta || !goOn(with: event, line, into: &output)
    {
      last = nil
      if settings.style.hasLabels { inputName = output.inputName }
      answer.exchange(&output)
      handle(type, course, event, line)
      answer.exchange(&output)
      answer.report(into: &output)
    }
    guard files != nil else { return }
    writeBlocks(into: &output)
    files?.handle(event, line, into: &output)
    printPaths(into: &output)
  }

  package mutating func finish(into output: inout Output) {
    files?.finish(into: &output)
    printPaths(into: &output)
    answer.exchange(&output)
    if !leftOrder.isEmpty { answer.endResponse() }
    while !leftOrder.isEmpty { endOldest() }
    answer.finish()
    if hasSearched, !hasConsulted { answer.warn(.withoutSources) }
    answer.exchange(&output)
    answer.report(into: &output)
    writeBlocks(into: &output)
    printPaths(into: &output)
  }

  /// Appends the delta of a continuation; false when it is none, or not printed unchanged.
  private mutating func goOn(
    with event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) -> Bool {
    guard event.isContinuation, let last, event.response === response,
      let delta = event.value(of: "delta", in: line)
    else { return false }
    return answer[last.place].append(
      delta: line.extracting(delta), toPart: last.part, of: last.place.section,
      asItIsInto: &output.bytes)
  }

  private mutating func handle(
    _ type: EventType, _ course: Course, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    if event.response !== response { turn(to: event) }
    if event.step.isLate, event.step.kind != .ends {
      answer.lateness = answer.lateness ?? event.inputPlace
    }
    switch course {
    case .none: break
    case .step: handle(step: event, line)
    case .alone: handle(alone: type, event, line)
    case .search: consult(event.value(of: "results", "sources", in: line), in: line)
    case .item, .delta: handle(members: type, event, line)
    }
  }

  private mutating func writeBlocks(into output: inout Output) {
    for block in answer.blocks { files?.write(block, into: &output) }
    answer.blocks = []
  }

  /// Prints the paths of new files, each as a text of its own.
  private mutating func printPaths(into output: inout Output) {
    guard let paths = files?.paths, !paths.isEmpty else { return }
    files?.paths = []
    answer.exchange(&output)
    for path in paths { answer.print(path: path) }
    answer.exchange(&output)
  }

  /// Leaves the response that is being printed, and goes on with the response of `event`.
  private mutating func turn(to event: borrowing Event) {
    guard let next = event.response else { return }
    if let former = response {
      if slot == event.lane { answer.endResponse() } else if !answer.isEmpty { leave(former) }
    }
    (response, slot) = (next, event.lane)
    if settings.style.hasLabels { label(next) }
    guard goOn(with: next.number), !hasReportedGoingOn, !settings.style.isWhole else { return }
    hasReportedGoingOn = true
    let why = "a response goes on after others ended: the rest of its text has its own line"
    answer.warn(Notice(.warning, why, at: event.inputPlace))
  }

  private mutating func label(_ response: ResponseName) {
    answer.endResponse()
    let tag = response.tag.isEmpty ? nil : String(decoding: response.tag, as: UTF8.self)
    answer.label(response.number, tag ?? inputName ?? String(response.number))
  }

  private mutating func leave(_ name: ResponseName) {
    let kept = answer.leave(for: Answer(settings))
    leftSize += kept.size
    left[name.number] = (name, kept)
    leftOrder.append(name.number)
    while leftOrder.count > Self.mostLeft.count || leftSize > Self.mostLeft.size { endOldest() }
  }

  /// Goes on with the response `number`; false unless it was left.
  private mutating func goOn(with number: Int) -> Bool {
    guard let kept = left.removeValue(forKey: number)?.answer else { return false }
    leftSize -= kept.size
    leftOrder.removeAll { $0 == number }
    answer.leave(for: kept)
    return true
  }

  /// Ends the response that was left first: prints its waiting text.
  private mutating func endOldest() {
    if goOn(with: leftOrder[0]) { answer.endResponse() }
  }

  /// Handles an event that begins, fails or ends a response; the end may hold all of it.
  private mutating func handle(step event: borrowing Event, _ line: Span<UInt8>) {
    let step = event.step
    if step.kind == .begins || step.leavesCut { answer.endResponse() }
    guard step.kind == .ends else { return }
    let places = JSONChildren.elements(
      at: event.value(of: "response", "output", in: line), in: line)
    let isKnown =
      !listsSources
      && places.enumerated().allSatisfy { answer.knows(line.extracting($1), at: $0) }
    var items = (isKnown ? [] : places).map { place in
      let item = line.extracting(place)
      consult(item)
      let identity = ItemIdentity(item)
      let members = Event(of: item)
      let texts = ItemTexts(identity.type, by: reader, at: item.indices, in: item) {
        members.value(of: $0, in: item)
      }
      return (identity, texts)
    }
    let status = event.text(of: "response", "status", in: line)
    let lateness = event.step.isLate ? event.inputPlace : nil
    if let lateness { items = endParts(with: items, lateAt: lateness) }
    if !answer.end(with: items, status: status, lateAt: lateness) { warnOfConflict(event) }
  }

  /// Ends the parts of the response that came before its beginning: completes the items of `items`
  /// that are theirs. Returns the other items.
  private mutating func endParts(
    with items: [(identity: ItemIdentity, texts: ItemTexts)], lateAt place: Notice.Place
  ) -> [(identity: ItemIdentity, texts: ItemTexts)] {
    let parts = leftOrder.filter { left[$0]?.name.whole === response }
    guard !parts.isEmpty else { return items }
    let own = answer.leave(for: Answer(settings))
    var others = items
    for number in parts where goOn(with: number) { others = answer.endPart(with: others) }
    answer.leave(for: own)
    answer.warn(.disordered(at: place))
    return others
  }

  /// Handles an event of another endpoint.
  private mutating func handle(alone type: EventType, _ event: borrowing Event, _ line: Span<UInt8>)
  {
    if event.step.kind == .begins || event.step.leavesCut { answer.endResponse() }
    handle(members: type, event, line)
    if event.step.kind == .ends { answer.endAlone() }
  }

  /// Handles an event of an item.
  private mutating func handle(
    members type: EventType, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    let members = EventMembers(event, line)
    if members.isVoid { return }
    let number = answer.item(of: type, members, line)
    var fits = true
    switch (type.family, type.phase) {
    case (.outputItem, let phase):
      if let item = members.item { fits = handle(itemAt: item, number, phase, event, line) }
    case (_, .annotation):
      if reader.readsCitations, let annotation = members.final,
        let citation = Citation(of: line.extracting(annotation))
      {
        answer.cite(citation, of: members.partIndex, of: number)
      }
    case (_, .delta):
      for (name, delta) in Self.values(of: type, members.delta, in: line) {
        guard let place = answer.place(name, of: number) else { continue }
        if place.stream == 0, type.values.count == 1, !type.hasOwnDelta {
          last = (place, members.partIndex)
        }
        let (part, section) = (members.partIndex, place.section)
        if event.step.isLate, answer[place].hasWhole(ofPart: part, of: section) { continue }
        answer[place].append(delta: line.extracting(delta), toPart: part, of: section)
      }
    default: fits = complete(type, event, members, number, line)
    }
    if !fits { warnOfConflict(event) }
  }

  private mutating func warnOfConflict(_ event: borrowing Event) {
    answer.warn(Notice(.warning, Section.conflict, at: event.inputPlace))
  }

  /// Handles the item `number` as it opens or ends; false when one of its texts conflicts.
  private mutating func handle(
    itemAt place: Range<Int>, _ number: Int, _ phase: EventPhase, _ event: borrowing Event,
    _ line: Span<UInt8>
  ) -> Bool {
    if phase == .done { consult(line.extracting(place)) }
    guard answer.isWanted(number) else { return true }
    let texts = ItemTexts(answer.type(of: number), by: reader, at: place, in: line) {
      event.value(of: $0, inside: place, in: line)
    }
    guard phase == .done else { return answer.open(number, with: texts) }
    return answer.end(number, line.extracting(place), with: texts)
  }

  /// Completes a part with the whole text that an event brings; false when that conflicts.
  private mutating func complete(
    _ type: EventType, _ event: borrowing Event, _ members: EventMembers, _ number: Int,
    _ line: Span<UInt8>
  ) -> Bool {
    guard let final = members.final else { return true }
    var wholes: [WholeText] = []
    if line[final.lowerBound] == ASCII.openBrace {
      let whole = WholeText(ofItem: answer.type(of: number), by: reader, in: line) {
        event.value(of: $0, inside: final, in: line)
      }
      wholes = whole.map { [$0] } ?? []
    } else {
      wholes = Self.values(of: type, final, in: line).map { name, place in
        WholeText(name, JSONString.decoded(line.extracting(place)))
      }
    }
    var fits = true
    for whole in wholes where type.phase == .start {
      answer.open(part: members.partIndex, of: number, with: whole)
    }
    for whole in wholes where type.phase != .start {
      fits = answer.complete(part: members.partIndex, of: number, with: whole) && fits
    }
    return fits
  }

  /// The strings in the value at `place` of an event of type `type`, with their names: the value
  /// itself, or the members of an object, which may be the one element of an array.
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

  /// Keeps the sources that `item`, an output item, lists.
  private mutating func consult(_ item: Span<UInt8>) {
    guard listsSources else { return }
    hasSearched = hasSearched || JSONChildren.text(of: "type", in: item) == "web_search_call"
    for list in SourceMembers.consulted(in: item) { consult(list, in: item) }
  }

  /// Keeps the sources in the array at `list` in `line`.
  private mutating func consult(_ list: Range<Int>?, in line: Span<UInt8>) {
    guard listsSources, let list else { return }
    for source in Citation.all(in: line.extracting(list)) {
      hasConsulted = true
      answer.consult(source)
    }
  }
}
