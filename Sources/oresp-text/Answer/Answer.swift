import Core

/// The texts of one response, each character once: which section of which item an event's text
/// belongs to, and which stream that goes to.
struct Answer {
  /// A section: in which stream, and its number there.
  struct Place {
    fileprivate let isAside: Bool
    fileprivate let section: Int
  }

  /// What is known of one item.
  fileprivate struct Item {
    var type = ""
    /// Where the response's output has it.
    var place = 0
    /// What a tool is called, for headings.
    var label = ""
    /// Whether it is a message of another phase than the one that was asked for.
    var isLeftOut: Bool
    var sections: [(name: TextName, place: Place)] = []
  }

  /// What is kept of a response that was left, to go on with it.
  struct Left {
    fileprivate let router: ItemRouter
    fileprivate let items: [Item]
    fileprivate let stdout: SectionQueue.Left
    fileprivate let stderr: SectionQueue.Left
  }

  private let kinds: TextKinds
  private let asideKinds: TextKinds
  private let style: TextStyle
  private var router = ItemRouter()
  /// By their numbers in the router.
  private var items: [Item] = []
  private var stdout: SectionQueue
  private var stderr: SectionQueue

  /// Texts of `kinds` go to standard output in `style`, those of `asideKinds` to standard error; all
  /// others are dropped.
  init(_ kinds: TextKinds, aside asideKinds: TextKinds, _ style: TextStyle) {
    (self.kinds, self.asideKinds, self.style) = (kinds, asideKinds, style)
    stdout = SectionQueue(style.with(headings: kinds != .answer))
    stderr = SectionQueue(TextStyle().with(headings: true))
  }

  /// Whether the response has no text.
  var isEmpty: Bool { stdout.isEmpty && stderr.isEmpty }

  /// What is to be told since this was asked last.
  mutating func takeNotices() -> [Notice] { stdout.takeNotices() }

  /// The blocks that were kept since this was asked last.
  mutating func takeBlocks() -> [CodeBlock] { stdout.takeBlocks() }

  /// The number of the item that an event is about.
  mutating func item(of type: EventType, _ members: EventMembers, _ line: Span<UInt8>) -> Int {
    let number = router.item(of: type, members, line)
    while items.count <= number { items.append(Item(isLeftOut: style.phase.leavesOut(""))) }
    (items[number].type, items[number].place) =
      (router.items[number].identity.type, router.items[number].place)
    return number
  }

  /// What tells the item `number`, which the router knows, from others.
  func identity(of number: Int) -> ItemIdentity { router.items[number].identity }

  /// The section `name` of the item `number`, made known if it was not, so that later ones wait for
  /// it; `nil` when texts of that name are dropped.
  mutating func place(_ name: TextName, of number: Int) -> Place? {
    let item = items[number]
    var name = name.inItem(of: item.type)
    if item.isLeftOut, name == .answer { name = .commentary }
    if let known = item.sections.first(where: { $0.name == name }) { return known.place }
    let isAside = !kinds.contains(name.kind)
    guard !isAside || asideKinds.contains(name.kind) else { return nil }
    var heading = name.word
    if name.kind == .tools {
      heading = "\(item.type.isEmpty ? "tool" : item.type) \(name.word)"
      if !item.label.isEmpty { heading += " " + item.label }
    }
    let section =
      isAside
      ? stderr.add(name, at: item.place, heading: heading)
      : stdout.add(name, at: item.place, heading: heading)
    let place = Place(isAside: isAside, section: section)
    items[number].sections.append((name, place))
    return place
  }

  /// Takes a source that a search consulted.
  mutating func consult(_ source: Citation) { stdout.consult(source) }

  /// Prints the path of a file, behind what the response has so far.
  mutating func print(path: String, into output: inout Output) {
    stdout.print(path.systemBytes, as: .file, into: &output.bytes)
  }

  /// Takes `delta`, a JSON string, of part `part` of the section at `place`.
  mutating func append(
    delta: Span<UInt8>, toPart part: Int, of place: Place, into output: inout Output
  ) {
    if place.isAside {
      stderr.append(delta: delta, toPart: part, of: place.section, into: &output.aside)
    } else {
      stdout.append(delta: delta, toPart: part, of: place.section, into: &output.bytes)
    }
  }

  /// Takes a citation of part `part` of the item `number`.
  mutating func cite(
    _ citation: Citation, of part: Int, of number: Int, into output: inout Output
  ) {
    guard let place = place(.answer, of: number) else { return }
    with(place, &output) { $0.cite(citation, of: part, $1, into: &$2) }
  }

  /// Takes the whole text of part `part` of the item `number`; false when it conflicts with what was
  /// printed.
  mutating func complete(
    part: Int, of number: Int, with whole: WholeText, into output: inout Output
  ) -> Bool {
    guard let place = place(whole.name, of: number) else { return true }
    return with(place, &output) { $0.complete(part: part, of: $1, with: whole, into: &$2) }
  }

  /// Makes the sections of an item known that opens, and takes the text that it has already; false
  /// when that conflicts. What a tool's item holds then is not always kept to, but for the path of a
  /// patch.
  mutating func open(_ number: Int, with texts: ItemTexts, into output: inout Output) -> Bool {
    note(texts, of: number)
    for name in ItemTexts.names(in: texts.identity.type) { _ = place(name, of: number) }
    var fits = true
    for section in texts.sections {
      for (part, whole) in section.enumerated()
      where whole.name.kind != .tools || whole.name == .path {
        fits = complete(part: part, of: number, with: whole, into: &output) && fits
      }
    }
    return fits
  }

  /// Takes an item that has ended; false when one of its texts conflicts.
  mutating func end(_ number: Int, with texts: ItemTexts, into output: inout Output) -> Bool {
    let fits = complete(number, with: texts, into: &output)
    for section in items[number].sections {
      with(section.place, &output) { $0.end($1, into: &$2) }
    }
    return fits
  }

  /// Takes the items of the whole response, in order, and ends it with `status`; false when a text
  /// conflicts.
  mutating func end(
    with output: [ItemTexts], status: String, into made: inout Output
  ) -> Bool {
    var fits = true
    for (texts, match) in zip(output, router.matches(of: output.map(\.identity))) {
      let number = match ?? items.count
      if match == nil {
        items.append(Item(type: texts.identity.type, place: number, isLeftOut: false))
      }
      fits = complete(number, with: texts, into: &made) && fits
    }
    if let silence, ["completed", "incomplete"].contains(status) {
      made.notices.append(Notice(.warning, silence))
    }
    endResponse(into: &made)
    return fits
  }

  /// Ends the stream of another endpoint.
  mutating func endAlone(into output: inout Output) {
    if let silence { output.notices.append(Notice(.warning, silence)) }
    endResponse(into: &output)
  }

  /// Ends the response: prints all that still waits.
  mutating func endResponse(into output: inout Output) {
    stdout.endResponse(into: &output.bytes)
    stderr.endResponse(into: &output.aside)
    (router, items) = (ItemRouter(), [])
    output.notices += stdout.takeNotices()
  }

  /// Leaves the response, which has not ended. Returns what is kept of it.
  mutating func leave(into output: inout Output) -> Left {
    defer { (router, items) = (ItemRouter(), []) }
    return Left(
      router: router, items: items, stdout: stdout.leave(into: &output.bytes),
      stderr: stderr.leave(into: &output.aside))
  }

  /// Goes on with a response that was left.
  mutating func goOn(with left: Left) {
    (router, items) = (left.router, left.items)
    stdout.goOn(with: left.stdout)
    stderr.goOn(with: left.stderr)
  }

  /// Ends the input.
  mutating func finish(into output: inout Output) {
    endResponse(into: &output)
    output.notices += stdout.finish(into: &output.bytes)
    _ = stderr.finish(into: &output.aside)
  }

  /// Takes the phase of a message, and what a tool is called. A message of which text came stays what
  /// it was taken for.
  private mutating func note(_ texts: ItemTexts, of number: Int) {
    if items[number].label.isEmpty { items[number].label = texts.label }
    guard !items[number].sections.contains(where: { $0.name == .answer }) else { return }
    items[number].isLeftOut =
      texts.identity.type == "message" && style.phase.leavesOut(texts.phase)
  }

  /// The types of items that `oresp-events --calls` prints.
  private static let calls: Set<String> = [
    "function_call", "custom_tool_call", "mcp_call", "mcp_approval_request", "shell_call",
    "local_shell_call", "apply_patch_call", "computer_call",
  ]

  /// The types of items that are files.
  private static let files = [
    ("image", ["image_generation_call", "image"] as Set), ("sound", ["speech"]),
  ]

  /// What the response had in place of text, and how to get that; `nil` when it had text, a file or a
  /// message of the phase that was asked for.
  private var silence: String? {
    guard !stdout.hasText, !stderr.hasText, style.messages != .none else { return nil }
    let others = items.filter { $0.type != "message" || $0.isLeftOut }
    let files = Self.files.map { name, types in
      (others.count { types.contains($0.type) }, name, "--files=DIR")
    }
    guard !others.isEmpty, others.count == items.count,
      !style.hasFiles || files.allSatisfy({ $0.0 == 0 })
    else { return nil }
    let otherPhase = style.phase == .commentary ? "answer" : "commentary"
    let found =
      [
        (others.count { $0.type == "message" }, "message", "--phase=\(otherPhase)"),
        (others.count { Self.calls.contains($0.type) }, "call", "oresp-events --calls"),
      ] + files
    var told = found.filter { $0.0 > 0 }
    if told.isEmpty { told = [(others.count, "item", "oresp-events --items")] }
    let words = told.map { "\($0) \($1)\($0 == 1 ? "" : "s"): \($2)" }
    return (["no text"] + words).joined(separator: "; ")
  }

  /// Takes all texts of the item `number`; false when one conflicts.
  private mutating func complete(
    _ number: Int, with texts: ItemTexts, into output: inout Output
  ) -> Bool {
    note(texts, of: number)
    var fits = true
    for section in texts.sections {
      guard let place = place(section[0].name, of: number) else { continue }
      let isFit = with(place, &output) { $0.complete($1, with: section, into: &$2) }
      fits = isFit && fits
    }
    return fits
  }

  /// Does `body` with the stream of the section at `place`, its number there, and what the stream is
  /// written to.
  private mutating func with<Result>(
    _ place: Place, _ output: inout Output,
    _ body: (inout SectionQueue, Int, inout [UInt8]) -> Result
  ) -> Result {
    place.isAside
      ? body(&stderr, place.section, &output.aside)
      : body(&stdout, place.section, &output.bytes)
  }
}
