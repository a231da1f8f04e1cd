import Core

/// The texts of one response, each character once. It finds the section of an item that the text of
/// an event belongs to, and the stream that the section goes to. What it prints stays in the sinks of
/// its streams until the filter lets it out.
///
/// With `--reasoning=stderr`, item 0 of type `reasoning` has a section `summary` on stream 1, and
/// item 1, a message, a section `answer` on stream 0:
///
/// ```
/// {"type":"response.output_text.delta","output_index":1,"delta":"Hi"}
///     place(.answer, of: 1) adds the section; its queue prints `Hi`
/// {"type":"response.output_text.done","output_index":1,"text":"Hi there"}
///     complete(part: 0, of: 1) compares `Hi there` with `Hi`, and prints ` there`
/// {"type":"response.output_item.done","output_index":1,"item":{"type":"message",…}}
///     end(1) completes all sections of the item, and keeps a hash of it
/// {"type":"response.completed","response":{"output":[…,{"type":"message",…}]}}
///     knows(_:at: 1): the hash is the same, so nothing is read again
/// ```
struct Answer {
  /// The way to handle the events of one type.
  enum Course {
    case none, step, alone, search, item
  }

  /// A section, by its stream and its number there.
  private struct Place {
    let stream: Int
    let section: Int
  }

  /// Things that a response may have in place of text.
  private enum Other: String, CaseIterable {
    case message, call, image, sound

    init?(_ type: String) {
      switch type {
      case "message": self = .message
      case "function_call", "custom_tool_call", "mcp_call", "mcp_approval_request", "shell_call",
        "local_shell_call", "apply_patch_call", "computer_call":
        self = .call
      case "image_generation_call", "image": self = .image
      case "speech": self = .sound
      default: return nil
      }
    }

    var isFile: Bool { self == .image || self == .sound }

    /// The way to get it.
    var way: String {
      switch self {
      case .message: "--commentary"
      case .call: "oresp-events --calls"
      case .image, .sound: "--files=DIR"
      }
    }
  }

  private struct Item {
    var type = ""
    /// Whether the response has it; else only events came that were not read.
    var isKnown = false
    /// Whether texts of its type are printed.
    var isWanted = false
    /// What it may stand in place of text as.
    var other: Other?
    /// A hash of the whole item at its end; 0 before, and if text came after it.
    var hash: UInt64 = 0
    /// The name of a tool, for headings.
    var label = ""
    /// Whether it is a message that is marked as commentary, which is not the answer.
    var isCommentary = false
    var sections: [(name: TextName, place: Place)] = []

    func place(of name: TextName) -> Place? { sections.first { $0.name == name }?.place }

    /// The words above a text; `nil` for its name alone.
    func heading(of name: TextName) -> String? {
      guard name.kind == .tools else { return nil }
      let words = "\(type.isEmpty ? "tool" : type) \(name.word)"
      return label.isEmpty ? words : words + " " + label
    }
  }

  let response: Response
  /// Whether it lost the front, so that more text of it waits until its end.
  var hasLostTurn = false
  /// Whether its label was printed.
  var isLabelled = false
  private let settings: AnswerFilter.Settings
  private let reader: TextReader
  /// The input in which it began, where there are several.
  private let inputName: String?
  /// Whether it is still to be reported when only the end of a text was printed.
  private var tellsMissingStart: Bool
  /// The items, by their numbers.
  private var items: [Item] = []
  /// Standard output, and standard error if texts go there.
  private var streams: [SectionQueue]
  /// The text that its last event, a delta, added to, and the part of it; `nil` behind any other
  /// event.
  private var last: (place: Place, part: Int)?
  /// What it has in place of text.
  private(set) var silence: Notice?
  /// Whether the web was searched, and whether any item listed the sources.
  private(set) var hasSearched = false
  private(set) var hasConsulted = false

  private var style: TextStyle { settings.style }

  /// With `isRest` the beginning of the response did not come: a stream that is resumed. If it
  /// `isReported`, the reader of the stream said so.
  init(
    _ settings: AnswerFilter.Settings, _ tally: Tally, of response: Response, in inputName: String?,
    isRest: Bool, isReported: Bool
  ) {
    self.settings = settings
    self.response = response
    self.inputName = inputName
    reader = settings.reader
    tellsMissingStart = !isRest || !isReported
    var (style, asideStyle) = (settings.style, TextStyle())
    style.hasHeadings = settings.kinds != .answer
    asideStyle.hasHeadings = true
    streams = [SectionQueue(style, tally, isRest: isRest)]
    if !settings.asideKinds.isEmpty {
      streams.append(SectionQueue(asideStyle, tally, isRest: isRest))
    }
  }

  // What goes out.

  /// The printer of a stream: 0 is standard output, 1 standard error, if texts go there.
  subscript(stream: Int) -> TextPrinter {
    _read { yield streams[stream].printer }
    _modify { yield &streams[stream].printer }
  }

  var hasAside: Bool { streams.count > 1 }

  /// Whether anything waits to go out.
  var hasOutput: Bool {
    streams.contains { !$0.printer.sink.bytes.isEmpty || !$0.printer.sink.notices.isEmpty }
  }

  /// The name above it: its tag, its file where there are several, or its number.
  var name: String {
    guard response.tag.isEmpty else { return String(decoding: response.tag, as: UTF8.self) }
    return inputName ?? String(response.number)
  }

  /// The number of bytes of text that wait to go out.
  var waitingCount: Int { streams.reduce(0) { $0 + $1.printer.waitingCount } }

  /// Whether a text that must be whole has gone out in part.
  var isInsideWhole: Bool { streams.contains { $0.printer.isInsideWhole } }

  /// Notes that it is in front.
  mutating func comeToFront() {
    for stream in streams.indices { streams[stream].comeToFront() }
  }

  /// Prints on `page` what it has so far; its label alone, too, if `withLabel`.
  @inline(__always)
  mutating func print(on page: inout Page, withLabel: Bool = false, into output: inout Output) {
    if withLabel || hasOutput { page.print(&self, withLabel: withLabel, into: &output) }
  }

  /// Does the same in front. Returns whether it is to leave that now, as it lost its turn.
  mutating func printInFront(on page: inout Page, into output: inout Output) -> Bool {
    print(on: &page, into: &output)
    return hasLostTurn && !isInsideWhole
  }

  /// Parts its text: what comes next on `page` stands on lines of its own, whoever's it is.
  mutating func part(on page: inout Page, into output: inout Output) {
    for stream in streams.indices { streams[stream].printer.releaseSpace() }
    print(on: &page, into: &output)
    page.part(self, into: &output)
    for stream in streams.indices { streams[stream].printer.part() }
  }

  /// Lets texts go out that wait for their ends.
  mutating func releaseWhole() {
    for stream in streams.indices { streams[stream].printer.releaseWhole() }
  }

  /// Returns whether more of a parted text was printed since the last call.
  mutating func takeRest() -> Bool {
    var hasRest = false
    for stream in streams.indices where streams[stream].printer.takeRest() { hasRest = true }
    return hasRest
  }

  /// Makes room for more text that waits.
  mutating func makeRoom() {
    for stream in streams.indices { streams[stream].printer.makeRoom() }
  }

  /// Reports `notice`, which is named after the response: by its tag, else by its file where there
  /// are several, else by its id where it is not the first.
  mutating func warn(_ notice: Notice) {
    streams[0].printer.sink.notices.append(named(notice))
  }

  /// Moves the notices into `output`.
  mutating func report(into output: inout Output) {
    guard !streams[0].printer.sink.notices.isEmpty else { return }
    output.notices += streams[0].printer.sink.notices.map(named)
    streams[0].printer.sink.notices = []
  }

  private func named(_ notice: Notice) -> Notice {
    guard notice.response == nil, notice.input == nil else { return notice }
    var notice = notice
    if response.tag.isEmpty, let inputName {
      notice.input = inputName
    } else {
      notice.response = response.shownName
    }
    guard !response.tag.isEmpty else { return notice }
    notice.facts.append(("request", .text(String(decoding: response.tag, as: UTF8.self))))
    return notice
  }

  /// Returns the code blocks that become files so far, and forgets them.
  mutating func takeBlocks() -> [CodeBlock] {
    defer { streams[0].printer.sink.blocks = [] }
    return streams[0].printer.sink.blocks
  }

  /// Prints the path of a file, behind the sections so far.
  mutating func print(path: String) { streams[0].print(path.systemBytes, as: .file) }

  // Events.

  /// Forgets the text that its last event added to: the next one does not go on with that.
  mutating func forgetLast() { last = nil }

  /// Appends the delta of an event that goes on with the text of the event before, to `output`, which
  /// has all of that text; false when it does not go on, or text is not printed unchanged.
  @inline(__always)
  mutating func goOn(
    with event: borrowing Event, _ line: Span<UInt8>, straightInto output: inout [UInt8]
  ) -> Bool {
    guard let last, last.place.stream == 0, let delta = event.delta(in: line) else {
      return false
    }
    return streams[0].append(
      delta: line.extracting(delta), toPart: last.part, of: last.place.section,
      straightInto: &output)
  }

  /// Appends the delta of an event that goes on with the text of the event before; false when it
  /// does not.
  mutating func goOn(with event: borrowing Event, _ line: Span<UInt8>) -> Bool {
    guard let last, let delta = event.delta(in: line) else { return false }
    var bytes: [UInt8] = []
    swap(&bytes, &streams[0].printer.sink.bytes)
    let isDone = goOn(with: event, line, straightInto: &bytes)
    swap(&bytes, &streams[0].printer.sink.bytes)
    guard !isDone else { return true }
    streams[last.place.stream].append(
      delta: line.extracting(delta), toPart: last.part, of: last.place.section)
    return true
  }

  /// Handles an event of the response, whose type is `type`.
  mutating func handle(
    _ event: borrowing Event, _ type: EventType, _ course: Course, _ line: Span<UInt8>
  ) {
    last = nil
    switch course {
    case .none: break
    case .step: if event.step == .ends { end(by: event, line) }
    case .alone:
      handle(members: type, event, line)
      if event.step == .ends, items.contains(where: \.isKnown) { noteSilence() }
    case .search: consult(event.value(of: "results", "sources", in: line), in: line)
    case .item: handle(members: type, event, line)
    }
  }

  /// Handles an event of an item.
  private mutating func handle(
    members type: EventType, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    let number = event.item
    if number < 0 || event.isVoid(line) { return }
    noteItem(of: event)
    let index = event.integer(of: "output_index", in: line)
    if type.family != .outputItem, response.hasEnded(item: number, not: index) { return }
    var fits = true
    switch (type.family, type.phase) {
    case (.outputItem, let phase):
      if let item = event.object(of: "item", in: line) {
        fits = handle(itemAt: item, number, phase, event, line)
      }
    case (_, .annotation):
      if reader.readsCitations, let annotation = event.whole(in: line),
        let citation = Citation(of: line.extracting(annotation)),
        let place = place(.answer, of: number)
      {
        streams[place.stream].cite(citation, of: event.partIndex(in: line), place.section)
      }
    case (_, .delta):
      let part = event.partIndex(in: line)
      for (name, delta) in Self.values(of: type, event.piece(in: line), in: line) {
        guard let place = place(name, of: number) else { continue }
        if type.values.count == 1, !type.hasOwnDelta { last = (place, part) }
        streams[place.stream].append(
          delta: line.extracting(delta), toPart: part, of: place.section)
      }
    default: fits = handle(whole: type, event, number, line)
    }
    if !fits { warnOfConflict(event) }
    warnOfMissingStart(at: event.place)
  }

  /// Handles the item `number` as it opens or ends; false when one of its texts conflicts.
  private mutating func handle(
    itemAt place: Range<Int>, _ number: Int, _ phase: EventPhase, _ event: borrowing Event,
    _ line: Span<UInt8>
  ) -> Bool {
    if phase == .done { consult(line.extracting(place)) }
    guard isWanted(number) else { return true }
    let texts = ItemTexts(items[number].type, by: reader, at: place, in: line) {
      event.value(of: $0, inside: place, in: line)
    }
    guard phase == .done else {
      open(number, with: texts)
      return true
    }
    let fits = complete(number, with: texts)
    for (_, place) in items[number].sections { streams[place.stream].end(place.section) }
    items[number].hash = line.extracting(place).mixed(into: 0)
    return fits
  }

  /// Handles a part as it opens, or the whole text that an event brings; false when that conflicts.
  private mutating func handle(
    whole type: EventType, _ event: borrowing Event, _ number: Int, _ line: Span<UInt8>
  ) -> Bool {
    guard let final = event.whole(in: line) else { return true }
    var wholes: [WholeText] = []
    if line[final.lowerBound] == ASCII.openBrace {
      let whole = WholeText(ofItem: items[number].type, by: reader, in: line) {
        event.value(of: $0, inside: final, in: line)
      }
      wholes = whole.map { [$0] } ?? []
    } else {
      wholes = Self.values(of: type, final, in: line).map { name, place in
        WholeText(name, JSONString.decoded(line.extracting(place)))
      }
    }
    let part = event.partIndex(in: line)
    var fits = true
    for whole in wholes {
      guard let place = place(whole.name, of: number) else { continue }
      if type.phase == .start {
        streams[place.stream].open(part: part, of: place.section, with: whole.text)
      } else {
        let isFit = streams[place.stream].complete(part: part, of: place.section, with: whole)
        fits = isFit && fits
      }
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

  /// Handles the event that ends the response, which may hold all of it.
  private mutating func end(by event: borrowing Event, _ line: Span<UInt8>) {
    while items.count < response.items.items.count { items.append(Item()) }
    let places = event.output
    let isKnown =
      !style.listsSources
      && places.enumerated().allSatisfy { knows(line.extracting($1), at: $0) }
    if !isKnown, !complete(itemsAt: places, line) { warnOfConflict(event) }
    let status = event.text(of: "response", "status", in: line)
    if status == "completed" || status == "incomplete" { noteSilence() }
    warnOfMissingStart(at: event.place)
  }

  /// Whether `item`, at `place` in the whole response, brings nothing new: it is the same as at its
  /// end, or its texts are dropped.
  private func knows(_ item: Span<UInt8>, at place: Int) -> Bool {
    guard place < items.count, items[place].isKnown, response.place(ofItem: place) == place
    else { return false }
    if isWanted(place) { return items[place].hash == item.mixed(into: 0) }
    return JSONChildren.text(of: "type", in: item) == items[place].type
  }

  /// Completes the items of the whole response, which stand at `places`, in order; false when a text
  /// conflicts.
  private mutating func complete(itemsAt places: [Range<Int>], _ line: Span<UInt8>) -> Bool {
    let output = places.map { place in
      let item = line.extracting(place)
      consult(item)
      let identity = ItemIdentity(item)
      let members = Event(of: item)
      let texts = ItemTexts(identity.type, by: reader, at: item.indices, in: item) {
        members.value(of: $0, in: item)
      }
      return (identity: identity, texts: texts)
    }
    let matches = response.items.matches(of: output.map(\.identity))
    var fits = true
    for ((_, texts), match) in zip(output, matches) {
      let number = match ?? items.count
      if match == nil { items.append(Item()) }
      if !items[number].isKnown { note(texts.type, of: number) }
      fits = complete(number, with: texts) && fits
    }
    return fits
  }

  /// Ends the response: prints all text that still waits. What the end of its text lacks is not told
  /// if it failed or was cut.
  mutating func end() {
    let count = streams[0].printer.sink.notices.count
    for stream in streams.indices { streams[stream].endResponse() }
    if response.outcome != nil {
      let others = streams[0].printer.sink.notices[count...].filter { $0.status != .negative }
      streams[0].printer.sink.notices.replaceSubrange(count..., with: others)
      streams[0].printer.dropHeldNegatives()
    }
    items = []
  }

  // Items.

  /// Notes the item of an event, unless it is known.
  private mutating func noteItem(of event: borrowing Event) {
    while items.count <= event.item { items.append(Item()) }
    let type = response.type(ofItem: event.item)
    if items[event.item].type != type || type.isEmpty { note(type, of: event.item) }
  }

  private mutating func note(_ type: String, of number: Int) {
    let kinds = settings.allKinds
    items[number].type = type
    items[number].isKnown = true
    items[number].other = Other(type)
    items[number].isWanted =
      ItemCatalogue.row(of: type)?.values.contains { value in
        kinds.contains(value.name.kind) || kinds.contains(value.name.inItem(of: type).kind)
      } ?? kinds.contains(.tools)
  }

  /// Notes the phase of a message, or the name of a tool. A message that has text keeps its phase.
  private mutating func note(_ texts: ItemTexts, of number: Int) {
    if items[number].label.isEmpty { items[number].label = texts.label }
    guard items[number].place(of: .answer) == nil else { return }
    items[number].isCommentary = texts.type == "message" && texts.phase == "commentary"
  }

  /// Whether the item `number` has texts that are printed.
  private func isWanted(_ number: Int) -> Bool {
    items[number].isWanted || !items[number].sections.isEmpty
  }

  /// Returns the section `name` of the item `number`; a new one is added, and later sections wait
  /// for it. `nil` when texts of that name are dropped.
  private mutating func place(_ name: TextName, of number: Int) -> Place? {
    items[number].hash = 0
    let item = items[number]
    var name = name.inItem(of: item.type)
    if item.isCommentary, name == .answer { name = .commentary }
    if let known = item.place(of: name) { return known }
    let isAside = !settings.kinds.contains(name.kind)
    guard !isAside || settings.asideKinds.contains(name.kind) else { return nil }
    let stream = isAside ? 1 : 0
    let heading = streams[stream].hasHeadings ? item.heading(of: name) : nil
    let position = response.place(ofItem: number) ?? number
    let section = streams[stream].add(name, at: position, heading: heading)
    let place = Place(stream: stream, section: section)
    items[number].sections.append((name, place))
    return place
  }

  /// Adds the sections of an item that opens, and keeps the texts that it has already. Of a tool it
  /// has only the path of a patch: other values may still change.
  private mutating func open(_ number: Int, with texts: ItemTexts) {
    note(texts, of: number)
    for name in ItemTexts.names(in: texts.type) { _ = place(name, of: number) }
    for section in texts.sections {
      for (part, whole) in section.enumerated()
      where whole.name.kind != .tools || whole.name == .path {
        guard let place = place(whole.name, of: number) else { continue }
        streams[place.stream].open(part: part, of: place.section, with: whole.text)
      }
    }
  }

  /// Completes all texts of the item `number`; false when one conflicts.
  private mutating func complete(_ number: Int, with texts: ItemTexts) -> Bool {
    note(texts, of: number)
    var fits = true
    for section in texts.sections {
      guard let place = place(section[0].name, of: number) else { continue }
      let isFit = streams[place.stream].complete(place.section, with: section)
      fits = isFit && fits
    }
    return fits
  }

  // Sources.

  /// Keeps the sources that `item`, an output item, lists.
  private mutating func consult(_ item: Span<UInt8>) {
    guard style.listsSources else { return }
    hasSearched = hasSearched || JSONChildren.text(of: "type", in: item) == "web_search_call"
    for list in SourceMembers.consulted(in: item) { consult(list, in: item) }
  }

  /// Keeps the sources in the array at `list` in `line`.
  private mutating func consult(_ list: Range<Int>?, in line: Span<UInt8>) {
    guard style.listsSources, let list else { return }
    for source in Citation.all(in: line.extracting(list)) {
      hasConsulted = true
      streams[0].printer.consult(source)
    }
  }

  // Notices.

  private mutating func warnOfConflict(_ event: borrowing Event) {
    warn(Notice(.warning, Section.conflict, at: event.place))
  }

  /// Reports, once, that only the end of a text was printed, as its whole at `place` shows.
  private mutating func warnOfMissingStart(at place: Notice.Place) {
    guard tellsMissingStart, streams.contains(where: \.lacksStart) else { return }
    tellsMissingStart = false
    let why = "only the end of a text was printed: its beginning came with its whole"
    warn(Notice(.warning, why + "; -o FILE prints it whole", at: place))
  }

  /// Notes what the response had in place of text, and how to get that, unless it had a file that is
  /// written; beside text, its images and sound alone are reported.
  private mutating func noteSilence() {
    guard style.messages != .none else { return }
    guard !streams.contains(where: { $0.hasText }) else {
      guard !style.hasFiles else { return }
      let files = items.filter { $0.isKnown && $0.other?.isFile == true }
      for words in Self.words(on: files) { warn(Notice(.warning, words)) }
      return
    }
    let known = items.filter(\.isKnown)
    let others = known.filter { $0.other != .message || $0.isCommentary }
    // Why it has an empty answer, or none, its end may say.
    if known.isEmpty || others.count < known.count, response.outcome != nil { return }
    if style.hasFiles, others.contains(where: { $0.other?.isFile == true }) { return }
    var words = Self.words(on: others)
    if words.isEmpty { words = [silence(others)] }
    var notice = Notice(.warning, "no text")
    notice.remark = words.joined(separator: "; ")
    silence = named(notice)
  }

  /// How many of `items` may stand in place of text, and the way to get them.
  private static func words(on items: [Item]) -> [String] {
    guard !items.isEmpty else { return [] }
    return Other.allCases.compactMap { other in
      let count = items.count { $0.other == other }
      return count == 0 ? nil : "\(count) \(other.rawValue)\(count == 1 ? "" : "s"): \(other.way)"
    }
  }

  /// What `items`, all that is not the answer itself, have in place of text.
  private func silence(_ items: [Item]) -> String {
    if items.isEmpty { return "the answer is empty" }
    if items.allSatisfy({ $0.type == "reasoning" }), !settings.allKinds.contains(.reasoning) {
      return "reasoning: --reasoning prints it"
    }
    return "\(items.count) item\(items.count == 1 ? "" : "s"): oresp-events --items"
  }
}
