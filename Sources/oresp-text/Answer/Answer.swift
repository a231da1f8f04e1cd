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
  /// The way to handle the events of one type; a response of which `text` comes is not silent.
  enum Course {
    case none, step, search, item, text
  }

  /// A section, by its stream and its number there.
  private struct Place {
    let stream: Int
    let section: Int
  }

  /// Items that a response may have in place of text, by their types, and the way to get them.
  private static let others: [(word: String, way: String, types: Set<String>)] = [
    ("message", "--commentary", ["message"]),
    (
      "call", "oresp-events --calls",
      [
        "function_call", "custom_tool_call", "mcp_call", "mcp_approval_request", "shell_call",
        "local_shell_call", "apply_patch_call", "computer_call",
      ]
    ), ("image", filesWay, ["image_generation_call", "image"]), ("sound", filesWay, ["speech"]),
  ]
  private static let filesWay = "--files=DIR"

  private struct Item {
    var type = ""
    /// Whether the response has it; else only events came that were not read.
    var isKnown = false
    /// Whether texts of its type are printed.
    var isWanted = false
    /// A hash of the whole item at its end; 0 before, and if text came after it.
    var hash: UInt64 = 0
    /// The name of a tool, for headings.
    var label = ""
    /// Whether it is a message that is marked as commentary, which is not the answer.
    var isCommentary = false
    var sections: [(name: TextName, place: Place)] = []

    func place(of name: TextName) -> Place? { sections.first { $0.name == name }?.place }

    /// The words above a text.
    func heading(of name: TextName) -> String {
      guard name.kind == .tools else { return name.word }
      let words = "\(type.isEmpty ? "tool" : type) \(name.word)"
      return label.isEmpty ? words : words + " " + label
    }
  }

  let response: Response
  /// Whether it lost the front, so that more text of it waits until its end.
  var hasLostTurn = false
  /// Whether anything of it was printed on standard output.
  var isPrinted = false
  /// What is known of its files, if files are written.
  let files: ProducedFiles.State?
  private let settings: AnswerFilter.Settings
  /// The input in which it began, where there are several.
  private let inputName: String?
  /// Whether it is still to be reported when only the end of a text was printed.
  private var tellsMissingStart = true
  /// The items, by their numbers.
  private var items: [Item] = []
  /// Standard output, and standard error if texts go there.
  private var streams: [SectionQueue]
  /// The text that its last event, a delta, added to, and the part of it; `nil` behind any other
  /// event.
  private var last: (place: Place, part: Int)?
  /// What it has in place of text.
  private(set) var silence: Notice?

  private var style: TextStyle { settings.style }

  /// With `isRest` the beginning of the response did not come: a stream that is resumed.
  init(
    _ settings: AnswerFilter.Settings, _ tally: Tally, of response: Response, in inputName: String?,
    isRest: Bool
  ) {
    self.settings = settings
    self.response = response
    self.inputName = inputName
    files = settings.style.hasFiles ? ProducedFiles.State() : nil
    var style = settings.style
    style.hasHeadings = settings.kinds != .answer
    streams = [SectionQueue(style, tally, isRest: isRest)]
    if settings.asideKinds.isEmpty { return }
    style = TextStyle()
    style.hasHeadings = true
    streams.append(SectionQueue(style, tally, isRest: isRest))
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
    return hasLostTurn && !self[0].isInsideWhole
  }

  /// Parts its text: what comes next on `page` stands on lines of its own, whoever's it is.
  mutating func part(on page: inout Page, into output: inout Output) {
    self[0].releaseSpace()
    print(on: &page, into: &output)
    page.part(self, into: &output)
    for stream in streams.indices { streams[stream].printer.part() }
  }

  mutating func warn(_ notice: Notice) {
    streams[0].printer.sink.notices.append(notice)
  }

  /// Moves the notices into `output`.
  mutating func report(into output: inout Output) {
    guard !streams[0].printer.sink.notices.isEmpty else { return }
    output.notices += streams[0].printer.sink.notices.map(named)
    streams[0].printer.sink.notices = []
  }

  /// Names `notice` after the response: by its tag, else by its file where there are several, else by
  /// its id where it is not the first.
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

  /// Prints the path of a file, behind the sections so far.
  mutating func print(path: String) { streams[0].print(path: path.systemBytes) }

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
    case .none: return
    case .search: consult(event.value(of: "results", "sources", in: line), in: line)
    case .step: if event.step == .ends { end(by: event, line) }
    case .item, .text:
      handle(members: type, event, line)
      // The product of another endpoint, around which no response stands.
      if type.family.standsAlone, event.step == .ends, items.contains(where: \.isKnown) {
        noteSilence()
      }
    }
    reportMismatch(at: event.place)
  }

  /// Handles an event of an item.
  private mutating func handle(
    members type: EventType, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    let number = event.item
    if number < 0 || event.isVoid(line) { return }
    note(response.type(ofItem: number), of: number)
    let index = event.integer(of: "output_index", in: line)
    if type.family != .outputItem, response.hasEnded(item: number, not: index) { return }
    switch (type.family, type.phase) {
    case (.outputItem, let phase):
      guard let item = event.object(of: "item", in: line) else { return }
      handle(itemAt: item, number, phase, event, line)
    case (_, .annotation):
      if let annotation = event.whole(in: line),
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
    default: handle(whole: type, event, number, line)
    }
  }

  /// Handles the item `number` as it opens or ends. Of one that opens all texts are provisional.
  private mutating func handle(
    itemAt place: Range<Int>, _ number: Int, _ phase: EventPhase, _ event: borrowing Event,
    _ line: Span<UInt8>
  ) {
    if phase == .done { consult(line.extracting(place)) }
    guard isWanted(number) else { return }
    let texts = ItemTexts(items[number].type, by: settings, at: place, in: line) {
      event.value(of: $0, inside: place, in: line)
    }
    guard phase == .done else {
      note(texts, of: number)
      for name in ItemTexts.names(in: texts.type) { _ = self.place(name, of: number) }
      return
    }
    complete(number, with: texts)
    for (_, place) in items[number].sections { streams[place.stream].end(place.section) }
    items[number].hash = line.extracting(place).mixed(into: 0)
  }

  /// Handles the whole part or text that an event brings.
  private mutating func handle(
    whole type: EventType, _ event: borrowing Event, _ number: Int, _ line: Span<UInt8>
  ) {
    guard let final = event.whole(in: line) else { return }
    let part = event.partIndex(in: line)
    if line[final.lowerBound] == ASCII.openBrace {
      let whole = WholeText(ofItem: items[number].type, by: settings, in: line) {
        event.value(of: $0, inside: final, in: line)
      }
      if let whole { complete(part: part, of: number, with: whole) }
      return
    }
    for (name, place) in Self.values(of: type, final, in: line) {
      let text = JSONString.decoded(line.extracting(place))
      complete(part: part, of: number, with: WholeText(name, text))
    }
  }

  private mutating func complete(part: Int, of number: Int, with whole: WholeText) {
    guard let place = place(whole.name, of: number) else { return }
    streams[place.stream].complete(part: part, of: place.section, with: [whole])
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
    if !isKnown { complete(itemsAt: places, line) }
    let status = event.text(of: "response", "status", in: line)
    if status == "completed" || status == "incomplete" { noteSilence() }
  }

  /// Whether `item`, at `place` in the whole response, brings nothing new: it is the same as at its
  /// end, or its texts are dropped.
  private func knows(_ item: Span<UInt8>, at place: Int) -> Bool {
    guard place < items.count, items[place].isKnown, response.place(ofItem: place) == place
    else { return false }
    if isWanted(place) { return items[place].hash == item.mixed(into: 0) }
    return JSONChildren.text(of: "type", in: item) == items[place].type
  }

  /// Completes the items of the whole response, which stand at `places`, in order.
  private mutating func complete(itemsAt places: [Range<Int>], _ line: Span<UInt8>) {
    let output = places.map { place in
      let item = line.extracting(place)
      consult(item)
      let members = Event(of: item)
      return ItemTexts(ItemRouter.type(of: item), by: settings, at: item.indices, in: item) {
        members.value(of: $0, in: item)
      }
    }
    for (texts, match) in zip(output, response.items.matches(of: places, in: line)) {
      let number = match ?? items.count
      if match.map({ !items[$0].isKnown }) ?? true { note(texts.type, of: number) }
      complete(number, with: texts)
    }
  }

  /// Ends the response: prints all text that still waits. What the end of its text lacks is not told
  /// if it failed or was cut.
  mutating func end() {
    let count = streams[0].printer.sink.notices.count
    for stream in streams.indices { streams[stream].endResponse() }
    if response.outcome != nil { streams[0].printer.dropNegatives(behind: count) }
    items = []
  }

  // Items.

  /// Notes the type of an item, unless it is known.
  private mutating func note(_ type: String, of number: Int) {
    while items.count <= number { items.append(Item()) }
    if items[number].isKnown, items[number].type == type { return }
    let kinds = settings.allKinds
    items[number].type = type
    items[number].isKnown = true
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
    let heading = streams[stream].hasHeadings ? item.heading(of: name) : ""
    let position = response.place(ofItem: number) ?? number
    let section = streams[stream].add(name, at: position, heading: heading)
    let place = Place(stream: stream, section: section)
    items[number].sections.append((name, place))
    return place
  }

  /// Completes all texts of the item `number`.
  private mutating func complete(_ number: Int, with texts: ItemTexts) {
    note(texts, of: number)
    for section in texts.sections {
      guard let place = place(section[0].name, of: number) else { continue }
      streams[place.stream].complete(of: place.section, with: section)
    }
  }

  // Sources.

  /// Keeps the sources that `item`, an output item, lists.
  private mutating func consult(_ item: Span<UInt8>) {
    guard style.listsSources else { return }
    for list in SourceMembers.consulted(in: item) { consult(list, in: item) }
  }

  /// Keeps the sources in the array at `list` in `line`.
  private mutating func consult(_ list: Range<Int>?, in line: Span<UInt8>) {
    guard style.listsSources, let list else { return }
    for source in Citation.all(in: line.extracting(list)) {
      streams[0].printer.consult(source)
    }
  }

  // Notices.

  /// Reports how a whole text at `place` differs from what was printed, which stays; once if only the
  /// end of texts was printed.
  private mutating func reportMismatch(at place: Notice.Place) {
    for stream in streams.indices {
      switch streams[stream].takeMismatch() {
      case nil: break
      case .conflict:
        let why = "the text came again and differs from what was printed, which stays"
        warn(Notice(.warning, why, at: place))
      case .missingStart:
        guard tellsMissingStart else { continue }
        tellsMissingStart = false
        let why = "only the end of a text was printed: its beginning came with its whole"
        warn(Notice(.warning, why + "; -o FILE prints it whole", at: place))
      }
    }
  }

  /// Notes what the response had in place of text, and how to get that, unless it had a file that is
  /// written.
  private mutating func noteSilence() {
    guard style.messages != .none, !streams.contains(where: \.hasText) else { return }
    let known = items.filter(\.isKnown)
    let items = known.filter { $0.type != "message" || $0.isCommentary }
    // Why it has an empty answer, or none, its end may say.
    if known.isEmpty || items.count < known.count, response.outcome != nil { return }
    var words: [String] = []
    for (word, way, types) in Self.others {
      let count = items.count { types.contains($0.type) }
      if count == 0 { continue }
      if style.hasFiles, way == Self.filesWay { return }
      words.append("\(count) \(word)\(count == 1 ? "" : "s"): \(way)")
    }
    if items.isEmpty {
      words = ["the answer is empty"]
    } else if words.isEmpty {
      let isReasoning = items.allSatisfy { $0.type == "reasoning" }
      words =
        isReasoning && !settings.allKinds.contains(.reasoning)
        ? ["reasoning: --reasoning prints it"]
        : ["\(items.count) item\(items.count == 1 ? "" : "s"): oresp-events --items"]
    }
    var notice = Notice(.warning, "no text")
    notice.remark = words.joined(separator: "; ")
    silence = named(notice)
  }
}
