package import Core

/// Prints the texts of each response, each character once, as early as it is known, and the paths
/// of its files.
///
/// Of responses that are open at once one is in front: its text goes out as it comes. The texts of
/// the others wait, and each goes out when its response is in front, or has ended:
///
///     one comes to the front when it begins, or when the one in front ends
///     the front is lost when another begins in the same tag and stream, or when one of another tag
///     has begun and ended while the front was silent; what comes of it later waits until its end
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

  package let needsItems = true

  /// The most responses that have ended and wait, and the most bytes of text that wait.
  private static var mostOver: Int { 1024 }
  private static var mostWaiting: Int { 64 << 20 }

  /// A response whose text is printed, or waits.
  private struct Turn {
    let response: Response
    let inputName: String?
    /// When it began, in events.
    let began: Int
    /// Whether it lost the front, so that more text of it waits until its end.
    var isKept = false
    /// Whether the text of another was printed inside its text.
    var isParted = false

    var number: Int { response.number }
  }

  /// A response that is not in front, and its text; one object, which each of its events changes.
  private final class Other {
    var turn: Turn
    var answer: Answer

    init(_ turn: Turn, _ answer: Answer) {
      self.turn = turn
      self.answer = answer
    }
  }

  private let settings: Settings
  private let reader: TextReader
  private var listsSources: Bool { settings.style.listsSources }
  /// Whether the web was searched, and whether any item listed the sources.
  private var (hasSearched, hasConsulted) = (false, false)
  /// The courses of all types, by their places in the catalogue.
  private let courses: [Course]
  /// The texts of the response in front, or of the last one that was.
  private var answer: Answer
  private var files: ProducedFiles?
  private var front: Turn?
  /// When an event of a text of the response in front came last, in events.
  private var spoke = 0
  private var clock = 0
  /// The place of the last event.
  private var place = Notice.Place(line: 0, byte: 0)
  /// The other responses, by their numbers.
  private var others: [Int: Other] = [:]
  /// The numbers of those that have not been in front and have not ended, in the order in which
  /// they began; and of those that have ended, and wait for the front.
  private var waiting: [Int] = []
  private var over: [Int] = []
  /// The number of the response that began last, and of the open one of each lane that did.
  private var begun = 0
  private var newest: [Int: Int] = [:]
  /// The number of bytes of text that wait.
  private var size = 0
  private var hasReportedRest = false
  /// Whether a response ended badly, and whether one did not.
  private var hasFailed = false
  private var hasCompleted = false

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
    guard event.step != .again, let response = event.response else { return }
    clock += 1
    place = event.place
    if response.number > begun, !event.isLogged(line) { begin(response, event, into: &output) }
    if let type = event.type, case let course = courses[type.index], course != .none,
      course != .delta || !goOn(with: event, line, into: &output)
    {
      handle(type, course, event, line, into: &output)
    }
    guard files != nil else { return }
    writeBlocks(into: &output)
    files?.handle(event, line, into: &output)
    printPaths(into: &output)
  }

  package mutating func close(_ response: Response, into output: inout Output) {
    if response.outcome == nil { hasCompleted = true } else { hasFailed = true }
    end(response, into: &output)
    files?.close(response.number, into: &output)
    guard files != nil else { return }
    writeBlocks(into: &output)
    printPaths(into: &output)
  }

  package mutating func finish(into output: inout Output) {
    answer.exchange(&output)
    answer.finish(haveFailed: hasFailed && !hasCompleted)
    if hasSearched, !hasConsulted { answer.warn(.withoutSources) }
    answer.exchange(&output)
    answer.report(into: &output)
    writeBlocks(into: &output)
    printPaths(into: &output)
  }

  /// Appends the delta of an event that goes on with the text in front; false when it does not, or
  /// is not printed unchanged.
  private mutating func goOn(
    with event: borrowing Event, _ line: Span<UInt8>, into output: inout Output
  ) -> Bool {
    guard let number = event.response?.number, number == front?.number,
      let (delta, place, part) = answer.deltaGoingOn(event, line)
    else { return false }
    spoke = clock
    return answer[place].append(
      delta: line.extracting(delta), toPart: part, of: place.section, asItIsInto: &output.bytes)
  }

  /// Handles an event of the response in front, or of one whose text waits.
  private mutating func handle(
    _ type: EventType, _ course: Course, _ event: borrowing Event, _ line: Span<UInt8>,
    into output: inout Output
  ) {
    guard let number = event.response?.number else { return }
    if number == front?.number {
      if course != .step, type.family != .outputItem, type.family != .contentPart {
        spoke = clock
        if front?.isParted == true { reportRest() }
      }
      answer.exchange(&output)
      handle(type, course, event, line)
      answer.exchange(&output)
      answer.report(into: &output)
    } else if let other = others[number] {
      if course == .delta, let growth = other.answer.goOn(with: event, line) {
        size += growth
      } else {
        let former = other.answer.size
        swap(&answer, &other.answer)
        handle(type, course, event, line)
        answer.report(into: &output)
        swap(&answer, &other.answer)
        size += other.answer.size - former
      }
      if size > Self.mostWaiting { giveUp(into: &output) }
    }
  }

  private mutating func handle(
    _ type: EventType, _ course: Course, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    answer.last = nil
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

  /// Begins `response`, of which `event` is the first: in front, if no other is.
  private mutating func begin(
    _ response: Response, _ event: borrowing Event, into output: inout Output
  ) {
    begun = response.number
    let turn = Turn(response: response, inputName: output.inputName, began: clock)
    if let former = newest.updateValue(turn.number, forKey: response.lane) {
      others[former]?.turn.isKept = true
      waiting.removeAll { $0 == former }
      if former == front?.number { leaveFront(into: &output) }
    }
    var answer = Answer(
      settings, of: response, in: output.inputName, isRest: !event.isBeginning,
      isReported: event.isBlock)
    answer.hold()
    others[turn.number] = Other(turn, answer)
    waiting.append(turn.number)
    if front == nil { goOn(into: &output) }
  }

  /// Ends `response`, whose text goes out, unless the one in front goes on.
  private mutating func end(_ response: Response, into output: inout Output) {
    if newest[response.lane] == response.number { newest[response.lane] = nil }
    guard response.number != front?.number else {
      answer.exchange(&output)
      answer.endResponse()
      answer.exchange(&output)
      answer.report(into: &output)
      front = nil
      return goOn(into: &output)
    }
    guard let turn = others[response.number]?.turn, !over.contains(response.number) else { return }
    waiting.removeAll { $0 == response.number }
    if front != nil {
      let isPatient = !turn.isKept && spoke > turn.began
      if isPatient || answer.isInsideWhole, over.count < Self.mostOver {
        return over.append(response.number)
      }
      if !turn.isKept { leaveFront(into: &output) }
    }
    printText(of: response.number, into: &output)
    if front == nil { goOn(into: &output) }
  }

  /// Makes what comes of the response in front wait until its end.
  private mutating func leaveFront(into output: inout Output) {
    guard var turn = front else { return }
    turn.isKept = true
    front = nil
    answer.exchange(&output)
    let left = answer.leave(for: Answer(settings))
    answer.exchange(&output)
    size += left.size
    others[turn.number] = Other(turn, left)
  }

  /// Prints the texts of the responses that have ended, and then puts the next one in front.
  private mutating func goOn(into output: inout Output) {
    for number in over { printText(of: number, into: &output) }
    over = []
    guard !waiting.isEmpty, let next = others.removeValue(forKey: waiting.removeFirst()) else {
      return
    }
    size -= next.answer.size
    front = next.turn
    spoke = clock
    answer.exchange(&output)
    _ = answer.leave(for: next.answer)
    label(next.turn)
    answer.release()
    answer.exchange(&output)
    answer.report(into: &output)
  }

  /// Prints all text of a response that is not in front, and forgets it.
  private mutating func printText(of number: Int, into output: inout Output) {
    guard let other = others.removeValue(forKey: number) else { return }
    size -= other.answer.size
    answer.exchange(&output)
    if answer.isInsideText { front?.isParted = true }
    let isRest = other.answer.hasRest
    let former = answer.leave(for: other.answer)
    label(other.turn)
    answer.release()
    if isRest { reportRest() }
    answer.endResponse()
    if let front {
      _ = answer.leave(for: former)
      label(front)
      answer.release()
    }
    answer.exchange(&output)
    answer.report(into: &output)
  }

  /// Reports, once, that a text comes in two pieces.
  private mutating func reportRest() {
    guard !hasReportedRest, !settings.style.isWhole else { return }
    hasReportedRest = true
    let why = "a response goes on after others ended: the rest of its text has its own line"
    answer.warn(Notice(.warning, why, at: place))
  }

  /// Prints the text that has waited longest, as too much waits.
  private mutating func giveUp(into output: inout Output) {
    if front != nil {
      leaveFront(into: &output)
      goOn(into: &output)
    }
    for number in others.keys.sorted() where size > Self.mostWaiting {
      if over.contains(number) {
        over.removeAll { $0 == number }
        printText(of: number, into: &output)
      } else {
        printPart(of: number, into: &output)
      }
    }
  }

  /// Prints the text that waits of a response that has not ended; more of it waits again.
  private mutating func printPart(of number: Int, into output: inout Output) {
    guard let other = others[number] else { return }
    size -= other.answer.size
    answer.exchange(&output)
    let former = answer.leave(for: other.answer)
    label(other.turn)
    answer.release()
    reportRest()
    other.answer = answer.leave(for: former)
    if let front { label(front) }
    answer.release()
    answer.exchange(&output)
    answer.report(into: &output)
    size += other.answer.size
  }

  private mutating func label(_ turn: Turn) {
    guard settings.style.hasLabels else { return }
    let tag = turn.response.tag.isEmpty ? nil : String(decoding: turn.response.tag, as: UTF8.self)
    answer.label(turn.number, tag ?? turn.inputName ?? String(turn.response.number))
  }

  /// Handles an event that begins, fails or ends a response; the end may hold all of it.
  private mutating func handle(step event: borrowing Event, _ line: Span<UInt8>) {
    guard event.step == .ends else { return }
    let places = event.output
    let isKnown =
      !listsSources
      && places.enumerated().allSatisfy { answer.knows(line.extracting($1), at: $0) }
    let items = (isKnown ? [] : places).map { place in
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
    if !answer.end(with: items, status: status) { warnOfConflict(event) }
    answer.warnOfMissingStart(at: event.place)
  }

  /// Handles an event of another endpoint.
  private mutating func handle(alone type: EventType, _ event: borrowing Event, _ line: Span<UInt8>)
  {
    handle(members: type, event, line)
    if event.step == .ends { answer.endAlone() }
  }

  /// Handles an event of an item.
  private mutating func handle(
    members type: EventType, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    let number = event.item
    if number < 0 || event.isVoid(line) { return }
    answer.noteItem(of: event)
    let index = event.integer(of: "output_index", in: line)
    if type.family != .outputItem, event.response?.hasEnded(item: number, not: index) == true {
      return
    }
    var fits = true
    switch (type.family, type.phase) {
    case (.outputItem, let phase):
      if let item = event.object(of: "item", in: line) {
        fits = handle(itemAt: item, number, phase, event, line)
      }
    case (_, .annotation):
      if reader.readsCitations, let annotation = event.whole(in: line),
        let citation = Citation(of: line.extracting(annotation))
      {
        answer.cite(citation, of: event.partIndex(in: line), of: number)
      }
    case (_, .delta):
      let part = event.partIndex(in: line)
      for (name, delta) in Self.values(of: type, event.piece(in: line), in: line) {
        guard let place = answer.place(name, of: number) else { continue }
        if place.stream == 0, type.values.count == 1, !type.hasOwnDelta {
          answer.last = (place, part)
        }
        answer[place].append(delta: line.extracting(delta), toPart: part, of: place.section)
      }
    default: fits = complete(type, event, number, line)
    }
    if !fits { warnOfConflict(event) }
    answer.warnOfMissingStart(at: event.place)
  }

  private mutating func warnOfConflict(_ event: borrowing Event) {
    answer.warn(Notice(.warning, Section.conflict, at: event.place))
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
    _ type: EventType, _ event: borrowing Event, _ number: Int,
    _ line: Span<UInt8>
  ) -> Bool {
    guard let final = event.whole(in: line) else { return true }
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
      answer.open(part: event.partIndex(in: line), of: number, with: whole)
    }
    for whole in wholes where type.phase != .start {
      fits = answer.complete(part: event.partIndex(in: line), of: number, with: whole) && fits
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
