import Core

/// The texts of one response, each character once. It finds the section of an item that the text of
/// an event belongs to, and the stream that the section goes to.
///
/// With `--reasoning=stderr`, item 0 of type `reasoning` has a section `summary` on stream 1, and
/// item 1, a message, a section `answer` on stream 0:
///
/// ```
/// {"type":"response.output_text.delta","output_index":1,"delta":"Hi"}
///     item(of:) gives 1; place(.answer, of: 1) adds the section; its queue prints `Hi`
/// {"type":"response.output_text.done","output_index":1,"text":"Hi there"}
///     complete(part: 0, of: 1) compares `Hi there` with `Hi`, and prints ` there`
/// {"type":"response.output_item.done","output_index":1,"item":{"type":"message",…}}
///     end(1) completes all sections of the item, and keeps a hash of it
/// {"type":"response.completed","response":{"output":[…,{"type":"message",…}]}}
///     knows(_:at: 1): the hash is the same, so nothing is read again
/// ```
struct Answer {
  /// A section, by its stream and its number there.
  struct Place {
    let stream: Int
    let section: Int
  }

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

    /// The words above a text; `nil` for its name alone.
    func heading(of name: TextName) -> String? {
      guard name.kind == .tools else { return nil }
      let words = "\(type.isEmpty ? "tool" : type) \(name.word)"
      return label.isEmpty ? words : words + " " + label
    }
  }

  private let settings: AnswerFilter.Settings
  private var style: TextStyle { settings.style }
  /// The response, and the items of it that its events were about; `nil` before the first one.
  private var response: Response?
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
  var last: (place: Place, part: Int)?

  /// With `isRest` the beginning of the response did not come: a stream that is resumed. If it
  /// `isReported`, the reader of the stream said so.
  init(
    _ settings: AnswerFilter.Settings, of response: Response? = nil,
    in inputName: String? = nil, isRest: Bool = false, isReported: Bool = false
  ) {
    self.settings = settings
    tellsMissingStart = isRest && !isReported
    self.response = response
    self.inputName = inputName
    var (style, asideStyle) = (settings.style, TextStyle())
    style.hasHeadings = settings.kinds != .answer
    asideStyle.hasHeadings = true
    streams = [SectionQueue(style, isRest: isRest)]
    if !settings.asideKinds.isEmpty {
      streams.append(SectionQueue(asideStyle, isRest: isRest))
    }
  }

  /// Labels the texts from now on with `name`, the name of the response `number`.
  mutating func label(_ number: Int, _ name: String) { streams[0].label(number, name) }

  /// The number of bytes of text that wait.
  var size: Int { streams.reduce(0) { $0 + $1.size } }

  /// Swaps the text of each stream with the text of `output`, so that more text goes there.
  mutating func exchange(_ output: inout Output) {
    swap(&streams[0].sink.bytes, &output.bytes)
    if streams.count > 1 { swap(&streams[1].sink.bytes, &output.stderrBytes) }
  }

  /// Reports, once, that only the end of a text was printed, as its whole at `place` shows.
  mutating func warnOfMissingStart(at place: Notice.Place) {
    guard tellsMissingStart, streams.contains(where: \.lacksStart) else { return }
    tellsMissingStart = false
    let why = "only the end of a text was printed: its beginning came with its whole"
    warn(Notice(.warning, why + "; -o FILE prints it whole", at: place))
  }

  /// Reports `notice`.
  mutating func warn(_ notice: Notice) { streams[0].sink.notices.append(notice) }

  /// Moves the notices into `output`.
  mutating func report(into output: inout Output) {
    guard !streams[0].sink.notices.isEmpty else { return }
    nameNotices()
    output.notices += streams[0].sink.notices
    streams[0].sink.notices = []
  }

  /// Gives the notices the name of the response: its tag, else its file where there are several,
  /// else its id where it is not the first.
  private mutating func nameNotices() {
    for index in streams[0].sink.notices.indices { name(&streams[0].sink.notices[index]) }
  }

  private func name(_ notice: inout Notice) {
    guard let response, notice.response == nil, notice.input == nil else { return }
    if response.tag.isEmpty, let inputName {
      notice.input = inputName
    } else {
      notice.response = response.shownName
    }
    guard !response.tag.isEmpty else { return }
    notice.facts.append(("request", .text(String(decoding: response.tag, as: UTF8.self))))
  }

  /// Code blocks that become files; the caller writes them and empties the list.
  var blocks: [CodeBlock] {
    get { streams[0].sink.blocks }
    set { streams[0].sink.blocks = newValue }
  }

  /// The delta of an event that goes on with the text of the event before, and the place and part of
  /// that; `nil` for another event.
  @inline(__always)
  func deltaGoingOn(
    _ event: borrowing Event, _ line: Span<UInt8>
  ) -> (delta: Range<Int>, place: Place, part: Int)? {
    guard event.goesOn, let last, let delta = event.content(of: "delta", in: line) else {
      return nil
    }
    return (delta, last.place, last.part)
  }

  /// Appends the delta of an event that goes on with the text of the event before. Returns by how
  /// many bytes the text that waits has grown; `nil` when it does not go on.
  mutating func goOn(with event: borrowing Event, _ line: Span<UInt8>) -> Int? {
    guard let (delta, place, part) = deltaGoingOn(event, line) else { return nil }
    let former = streams[place.stream].size
    streams[place.stream].append(delta: line.extracting(delta), toPart: part, of: place.section)
    return streams[place.stream].size - former
  }

  /// Notes the item of an event, unless it is known.
  mutating func noteItem(of event: borrowing Event) {
    while items.count <= event.item { items.append(Item()) }
    let type = event.response?.type(ofItem: event.item) ?? ""
    if items[event.item].type != type || type.isEmpty { note(type, of: event.item) }
  }

  private mutating func note(_ type: String, of number: Int) {
    let kinds = settings.allKinds
    items[number].type = type
    items[number].isKnown = true
    items[number].isWanted =
      ItemCatalogue.row(of: type)?.values.contains { value in
        kinds.contains(value.name.kind) || kinds.contains(value.name.inItem(of: type).kind)
      } ?? kinds.contains(.tools)
  }

  /// Whether the item `number` has texts that are printed.
  func isWanted(_ number: Int) -> Bool {
    items[number].isWanted || !items[number].sections.isEmpty
  }

  /// Whether `item`, at `place` in the whole response, brings nothing new: it is the same as at its
  /// end, or its texts are dropped.
  func knows(_ item: Span<UInt8>, at place: Int) -> Bool {
    guard place < items.count, items[place].isKnown, response?.place(ofItem: place) == place
    else { return false }
    if isWanted(place) { return items[place].hash == item.mixed(into: 0) }
    return JSONChildren.text(of: "type", in: item) == items[place].type
  }

  func type(of number: Int) -> String { items[number].type }

  /// Returns the section `name` of the item `number`; a new one is added, and later sections wait
  /// for it. `nil` when texts of that name are dropped.
  mutating func place(_ name: TextName, of number: Int) -> Place? {
    items[number].hash = 0
    let item = items[number]
    var name = name.inItem(of: item.type)
    if item.isCommentary, name == .answer { name = .commentary }
    if let known = item.place(of: name) { return known }
    let isAside = !settings.kinds.contains(name.kind)
    guard !isAside || settings.asideKinds.contains(name.kind) else { return nil }
    let stream = isAside ? 1 : 0
    let heading = streams[stream].hasHeadings ? item.heading(of: name) : nil
    let position = response?.place(ofItem: number) ?? number
    let section = streams[stream].add(name, at: position, heading: heading)
    let place = Place(stream: stream, section: section)
    items[number].sections.append((name, place))
    return place
  }

  /// Keeps a source that a search consulted.
  mutating func consult(_ source: Citation) { streams[0].consult(source) }

  /// Prints the path of a file, behind the sections so far.
  mutating func print(path: String) { streams[0].print(path.systemBytes, as: .file) }

  /// The stream of the section at `place`.
  subscript(place: Place) -> SectionQueue {
    get { streams[place.stream] }
    _modify { yield &streams[place.stream] }
  }

  /// Adds a citation of part `part` of the item `number`.
  mutating func cite(_ citation: Citation, of part: Int, of number: Int) {
    guard let place = place(.answer, of: number) else { return }
    streams[place.stream].cite(citation, of: part, place.section)
  }

  /// Completes part `part` of the item `number` with its whole text; false when that conflicts with
  /// the printed text for the first time.
  mutating func complete(part: Int, of number: Int, with whole: WholeText) -> Bool {
    guard let place = place(whole.name, of: number) else { return true }
    return streams[place.stream].complete(part: part, of: place.section, with: whole)
  }

  /// Opens part `part` of the item `number` with the text that it has already, unless it has some.
  mutating func open(part: Int, of number: Int, with whole: WholeText) {
    guard let place = place(whole.name, of: number),
      !streams[place.stream].hasText(ofPart: part, of: place.section)
    else { return }
    _ = streams[place.stream].open(part: part, of: place.section, with: whole)
  }

  /// Adds the sections of an item that opens, and the text that it has already; false when that
  /// conflicts. Of a tool it has only the path of a patch: other values may still change.
  mutating func open(_ number: Int, with texts: ItemTexts) -> Bool {
    note(texts, of: number)
    for name in ItemTexts.names(in: texts.type) { _ = place(name, of: number) }
    var fits = true
    for section in texts.sections {
      for (part, whole) in section.enumerated()
      where whole.name.kind != .tools || whole.name == .path {
        guard let place = place(whole.name, of: number) else { continue }
        fits = streams[place.stream].open(part: part, of: place.section, with: whole) && fits
      }
    }
    return fits
  }

  /// Ends `item`, whose texts are `texts`; false when one of them conflicts.
  mutating func end(_ number: Int, _ item: Span<UInt8>, with texts: ItemTexts) -> Bool {
    let fits = complete(number, with: texts)
    for (_, place) in items[number].sections { streams[place.stream].end(place.section) }
    items[number].hash = item.mixed(into: 0)
    return fits
  }

  /// Completes the items of the whole response, in order, which ended with `status`; false when a
  /// text conflicts.
  mutating func end(
    with output: [(identity: ItemIdentity, texts: ItemTexts)], status: String
  ) -> Bool {
    var fits = true
    let known = response?.items ?? ItemRouter()
    let matches = output.isEmpty ? [] : known.matches(of: output.map(\.identity))
    while items.count < known.items.count { items.append(Item()) }
    for ((_, texts), match) in zip(output, matches) {
      let number = match ?? items.count
      if match == nil { items.append(Item()) }
      if !items[number].isKnown { note(texts.type, of: number) }
      fits = complete(number, with: texts) && fits
    }
    if status == "completed" || status == "incomplete" { warnOfSilence() }
    return fits
  }

  /// Ends a stream of another endpoint, which no response follows.
  mutating func endAlone() { if items.contains(where: \.isKnown) { warnOfSilence() } }

  /// Ends the response: prints all text that still waits, and with labels its own in any case. What
  /// the end of its text lacks is not told if it failed or was cut.
  mutating func endResponse() {
    let isSilent = !streams.contains { $0.hasText }
    let count = streams[0].sink.notices.count
    for stream in streams.indices { streams[stream].endResponse() }
    if response?.outcome != nil { streams[0].dropNegatives(from: count) }
    if isSilent, style.hasLabels { streams[0].printLabel() }
    nameNotices()
    response = nil
    items = []
  }

  /// Lets the text wait from the start, as that of another response is printed.
  mutating func hold() {
    for stream in streams.indices { streams[stream].hold() }
  }

  /// Hands the streams to `other`, whose text then goes out as it comes. Returns the answer that was
  /// left, whose text waits from now on.
  mutating func leave(for other: Answer) -> Answer {
    var left = other
    for stream in streams.indices { streams[stream].leave(for: &left.streams[stream]) }
    swap(&self, &left)
    return left
  }

  /// Prints the text that waits; more goes out as it comes.
  mutating func release() {
    for stream in streams.indices { streams[stream].release() }
  }

  /// Whether a part of its text was printed, and the rest waits.
  var hasRest: Bool { streams.contains { $0.hasRest } }

  /// Whether a text is printed in part.
  var isInsideText: Bool { streams.contains { $0.isInsideText } }

  /// Whether a text that must be whole is printed in part.
  var isInsideWhole: Bool { streams.contains { $0.isInsideWhole } }

  /// Ends the input; `haveFailed` says that all responses did.
  mutating func finish(haveFailed: Bool) {
    for stream in streams.indices { streams[stream].finish(haveFailed: haveFailed) }
  }

  /// Notes the phase of a message, or the name of a tool. A message that has text keeps its phase.
  private mutating func note(_ texts: ItemTexts, of number: Int) {
    if items[number].label.isEmpty { items[number].label = texts.label }
    guard items[number].place(of: .answer) == nil else { return }
    items[number].isCommentary = texts.type == "message" && texts.phase == "commentary"
  }

  /// Things that a response may have in place of text: the types of their items, and the way to get
  /// them.
  private static let others: [(name: String, types: Set<String>, way: String)] = [
    ("message", ["message"], "--commentary"),
    (
      "call",
      [
        "function_call", "custom_tool_call", "mcp_call", "mcp_approval_request", "shell_call",
        "local_shell_call", "apply_patch_call", "computer_call",
      ], "oresp-events --calls"
    ),
    ("image", ["image_generation_call", "image"], "--files=DIR"),
    ("sound", ["speech"], "--files=DIR"),
  ]

  /// Reports what the response had in place of text, and how to get that, unless it had a file that
  /// is written; beside text, its images and sound alone.
  private mutating func warnOfSilence() {
    let items = items.filter(\.isKnown)
    guard style.messages != .none else { return }
    guard !streams.contains(where: { $0.hasText }) else {
      guard !style.hasFiles else { return }
      let files = Self.others.filter { $0.way == "--files=DIR" }
      for words in Self.words(on: items, in: files) { warn(Notice(.warning, words)) }
      return
    }
    let others = items.filter { $0.type != "message" || $0.isCommentary }
    // Why it has an empty answer, or none, its end may say.
    if items.isEmpty || others.count < items.count, response?.outcome != nil { return }
    var found = Self.others
    found.removeAll { other in !others.contains { other.types.contains($0.type) } }
    if style.hasFiles, found.contains(where: { $0.way == "--files=DIR" }) { return }
    var words = Self.words(on: others, in: found)
    if words.isEmpty { words = [silence(others)] }
    var notice = Notice(.warning, "no text")
    notice.remark = words.joined(separator: "; ")
    name(&notice)
    streams[0].report(silence: notice)
  }

  /// How many of `items` each row of `others` is about, and the way to get them.
  private static func words(
    on items: [Item], in others: [(name: String, types: Set<String>, way: String)]
  ) -> [String] {
    others.compactMap { name, types, way in
      let count = items.count { types.contains($0.type) }
      return count == 0 ? nil : "\(count) \(name)\(count == 1 ? "" : "s"): \(way)"
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
}
