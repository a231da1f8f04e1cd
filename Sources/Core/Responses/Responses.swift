/// The responses of a stream. It decides whose each event is, and what the event does to its response.
///
///     {"type":"response.created","response":{"id":"r1"}}                begins 1
///     {"type":"response.output_item.added","item":{"id":"m1"}}          inside 1: none else is open
///     {"type":"response.created","response":{"id":"r2"}}                begins 2
///     {"type":"response.output_text.delta","item_id":"m1","delta":"a"}  inside 1, by its item
///     {"type":"error","message":"overloaded","response_id":"r2"}        fails 2, which stays open
///     {"type":"response.completed","response":{"id":"r1"}}              ends 1
///     {"type":"response.completed","response":{"id":"r1"}}              again: it has the same bytes
///     {"type":"response.failed","response":{"id":"r2"}}                 ends 2: the same failure
///     {"type":"keepalive"}                                              none: no response is open
///
/// A selection by type has no beginnings. Then an event that cannot follow begins the next:
///
///     {"type":"response.output_text.done","item_id":"m1","output_index":0,"text":"a"}   begins 3
///     {"type":"response.output_text.done","item_id":"m2","output_index":0,"text":"b"}   begins 4
///
/// The rules stand in `find`, in the order in which they are asked. Memory does not grow with the
/// number of responses: at most `mostOpen` are open, and `mostEnded` ended ones are remembered.
package struct Responses {
  /// The most open responses; a further one takes the place of the one heard of longest ago.
  package static let mostOpen = 1024
  /// The most ended responses that are remembered.
  package static let mostEnded = 1024

  private enum Found {
    case known(Response)
    case begins, none
  }

  /// Responses that share a tag and a stream, or have none.
  private struct Lane {
    /// The number of keys that had this lane, so that an owner of an earlier one is known.
    var number = 1
    /// The open ones, in the order in which they were heard of.
    var open: [Response] = []
    /// The number of open ones that end where the next one begins.
    var endingCount = 0
    /// The last event, if the next one may be placed by it.
    var usual: Usual?
    /// The number of its responses that are open or remembered.
    var users = 0
    /// The response that closed last.
    var closed: Response?
    /// An open response that was not heard of since this time was silent while another began and
    /// ended.
    var wakingTime = 0
    /// Whether two open responses of it are heard of.
    var isCrowded = false
  }

  /// An event of the response that its lane heard last: the next one with the same item is of the
  /// same response, if its number rises. Where `needsSame`, as the beginning of the response has not
  /// come or it has an error, the type and the part must be the same, too.
  private struct Usual {
    /// The slot of the response, which is open.
    let slot: Int
    /// The index of the id of its item in `ids`; `nil` when it has none.
    let id: Int?
    let needsSame: Bool
    /// The index of its type, its `output_index`, its part and the number of its item.
    let type: Int
    let index: Int?
    let part: Int
    let item: Int
  }

  /// The response that an id named last, and the number of the item; -1 for none, or when only the end
  /// of the response listed it.
  private struct Owner {
    let response: Response
    var item = -1
  }

  private struct LaneKey {
    let lane: Int
    /// `Lane.number` at the time.
    let number: Int
  }

  /// The open responses by their slots.
  private var slots: [Response?] = []
  private var free: [Int] = []
  private var openCount = 0
  /// The ended ones that are remembered: the one numbered `n` stands at `n` modulo the limit.
  private var remembered: [Response?] = []
  private var lanes = [Lane()]
  private var freeLanes: [Int] = []
  private var laneKeys = ResponseIDs<LaneKey>()
  private var ids = ResponseIDs<Owner>()
  /// The number of events that were placed.
  private var clock = 0
  /// When the input began that is read.
  private var inputStart = 0
  /// The number of open responses that are unclear, and of lanes that are crowded.
  private var unclearCount = 0
  private var crowdedCount = 0
  /// Whether events passed by unseen.
  private var hasSkimmed = false
  private var reports = StreamReports()
  /// Hashes of the last lines of a log.
  private var logged: [UInt64: Response] = [:]

  /// The number of responses so far.
  package private(set) var count = 0
  /// The responses that are over with the event placed last, its own one last.
  package private(set) var closed: [Response] = []
  /// Whether the event placed last begins a response.
  private(set) var begins = false
  /// The response of the last event that had one.
  private(set) var last: Response?
  /// Whether each event is told its item, and whether it goes on with the one before.
  var needsItems = false
  /// Whether the usual event is placed by `placeUsual`, which must give what the rules give; a test
  /// compares both.
  var takesShortCut = true

  package init() {}

  /// Whether several responses were open at a time, or a tag came.
  var tellsApart: Bool { slots.count > 1 || lanes.count > 1 }

  /// Whether a response is open of which `isWanted` holds.
  func containsOpen(where isWanted: (Response) -> Bool) -> Bool {
    slots.contains { $0.map(isWanted) == true }
  }

  /// Facts about the stream that were not told before.
  package mutating func takeReports() -> [StreamReport] { reports.take() }

  /// Whether the rules need not see events of items, parts and texts: each can only be of the
  /// response of its lane that is heard of, whose beginning and first item came. Behind the end of
  /// one whose items passed by unseen, too: theirs may still come.
  var allowsSkimming: Bool {
    (openCount > 0 || hasSkimmed) && unclearCount == 0 && crowdedCount == 0
  }

  /// Notes that such events passed by unseen.
  mutating func noteSkimmed() { hasSkimmed = true }

  /// Places `event`, whose line is `line`.
  package mutating func place(_ event: inout Event, _ line: Span<UInt8>) {
    if !placeUsual(&event, line, numbered: event.sequenceNumber(in: line)) {
      placeByRules(&event, line)
    }
  }

  /// Places an event of the response that its lane heard last and of the item of the event before
  /// there, with a number that rises, as most events have, or none; false for any other. `number` is
  /// its sequence number. It must stay in step with `find`, which says the same of such an event, and
  /// with `put`; `takesShortCut` switches it off.
  @inline(never)
  mutating func placeUsual(
    _ event: inout Event, _ line: Span<UInt8>, numbered number: Int?
  ) -> Bool {
    guard takesShortCut, let type = event.type, type.isInside,
      event.value(of: "response_id", in: line) == nil
    else { return false }
    // Most have no tag, and need no call for that.
    let tag = event.tag(in: line)
    let stream = event.stream(in: line)
    let lane = tag == nil && stream == nil ? 0 : lane(tag, stream, line)
    guard lane >= 0, let usual = lanes[lane].usual else { return false }
    if let item = event.value(of: "item_id", in: line) {
      guard let id = usual.id, ids.isSpelled(id, at: item, in: line) else { return false }
    } else {
      guard usual.id == nil, lanes[lane].open.count == 1 else { return false }
    }
    let goesOn =
      (needsItems || usual.needsSame) && type.index == usual.type
      && event.integer(of: "output_index", in: line) == usual.index
      && event.partIndex(in: line) == usual.part
    guard goesOn || !usual.needsSame else { return false }
    if event.response !== slots[usual.slot] { event.response = slots[usual.slot] }
    guard event.response != nil else { return false }
    if let number, number > 0 {
      guard event.response?.noteRise(number, event.mark(line)) == true else { return false }
    }
    clock &+= 1
    event.response?.heard = clock
    event.step = .inside
    event.goesOn = goesOn
    if last !== event.response { last = event.response }
    if goesOn {
      event.item = usual.item
    } else if needsItems, let response = event.response {
      noteItem(of: &event, line)
      noteUsual(response, event, line)
    }
    return true
  }

  /// Places an event that `placeUsual` refused.
  mutating func placeByRules(_ event: inout Event, _ line: Span<UInt8>) {
    closed.removeAll(keepingCapacity: true)
    begins = false
    clock &+= 1
    event.noteOutput(of: line)
    event.response = nil
    event.step = .none
    event.item = -1
    event.goesOn = false
    if event.type?.family == .ownEnd {
      if event.isOwnEnd(line) { closeNamed(by: &event, line) }
    } else {
      var clues = EventClues(event, line)
      clues.lane = lane(event.tag(in: line), event.stream(in: line), line)
      switch find(clues, event, line) {
      case .none: break
      case .known(let response):
        if response.isOpen {
          put(&event, line, clues, in: response, isFirst: false)
        } else {
          placeBehind(response, &event, line, &clues)
        }
      case .begins:
        let response = begin(event, line, &clues)
        put(&event, line, clues, in: response, isFirst: true)
      }
    }
    guard let response = event.response else { return }
    last = response
    if event.step != .again { response.noteNames(of: event, line) }
    noteItem(of: &event, line)
    if response.isOpen { noteUsual(response, event, line) }
  }

  /// Places `line`, which `oresp-send --log` wrote, as a response of its own that has ended.
  mutating func place(logged event: inout Event, _ line: Span<UInt8>) {
    closed.removeAll(keepingCapacity: true)
    let hash = line.mixed(into: 3)
    if let known = logged[hash] {
      event.response = known
      event.step = .again
      return
    }
    if logged.count >= Self.mostEnded { logged = [:] }
    count += 1
    event.response = Response(count, tag: [])
    event.step = .inside
    logged[hash] = event.response
  }

  /// Notes that an input has ended: what comes next may go on with a response, but is no failure of
  /// one that ended.
  mutating func endInput() {
    clock += 1
    inputStart = clock
  }

  /// Closes all responses, as the last input has ended.
  package mutating func finish() {
    closed.removeAll(keepingCapacity: true)
    let open = slots.compactMap { $0 }.sorted { $0.heard < $1.heard }
    for response in open { close(response, by: nil) }
  }

  /// The response of an event: the first rule that fits.
  private mutating func find(
    _ clues: EventClues, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Found {
    guard clues.lane >= 0 else { return event.mayBegin(line) ? .begins : .none }
    let isLifecycle = event.type?.family == .lifecycle
    let named = ids.owner(of: clues.response, in: line, .responses(clues.lane))?.response
    // A beginning, or a whole Response. One that has not ended may come again, as by a poll.
    if clues.isDocument {
      guard let named else { return .begins }
      return (named.isOpen ? named.isOfDocument : named.isRemembered && named.hasTerminal)
        ? .known(named) : .begins
    }
    if isLifecycle, event.type?.phase == .start {
      if let named, named.isOpen, named.beganWithStatus, !named.hasItems { return .known(named) }
      return .begins
    }
    let last = lanes[clues.lane].open.last
    // A known id of a response, open or ended. Azure gives a response another id at its end: if it
    // comes once more, that id is of the one that began last with the same id.
    if let named {
      if named.isOpen { return .known(named) }
      if let last, last.namesake === named { return .known(last) }
      if named.isRemembered { return .known(named) }
    }
    // One that was a document, before a tool of ours made an event of it.
    if isLifecycle, event.isSynthetic(line) { return .begins }
    // Behind events without a beginning, or behind an error, an event that cannot be theirs.
    if let last, !last.hasBeginning || last.failure != nil,
      beginsNext(behind: last, clues, event, line)
    {
      return .begins
    }
    // A known id of an item. `output_item.added` may have the id of an item of a cut response.
    let item = ids.owner(of: clues.item, in: line, .items(clues.lane))?.response
    if let item, item.isOpen, event.type?.opensItem != true { return .known(item) }
    // The open response that was heard of last.
    if let last {
      if last.isAlone != (event.type?.family.standsAlone == true),
        isLifecycle || event.type?.family.standsAlone == true
      {
        return .begins
      }
      let isStatus = isLifecycle && event.type?.phase == .status
      if isStatus, clues.response != nil, last.hasItems || last.failure != nil { return .begins }
      if event.mayBegin(line), isByTurns(last) { reports.tell(.shared) }
      return .known(last)
    }
    // None is open.
    if let item, item.isRemembered, item.end != nil { return .known(item) }
    guard event.mayBegin(line) else { return .none }
    // An error behind `response.failed` is the same failure.
    if event.isError, !event.isSynthetic(line), let closed = lanes[clues.lane].closed,
      closed.isRemembered, closed.end?.isFailed == true, closed.failure == nil,
      closed.over >= inputStart
    {
      return .known(closed)
    }
    return .begins
  }

  /// Whether an event begins the response behind `last`, whose beginning did not come, or that has an
  /// error.
  private func beginsNext(
    behind last: Response, _ clues: EventClues, _ event: borrowing Event, _ line: Span<UInt8>
  ) -> Bool {
    guard event.mayBegin(line), !(last.hasBeginning && event.isTerminal) else { return false }
    if event.type?.isFailed == true, let failure = last.failure, failure.hasFailedBehind,
      failure.time >= inputStart
    {
      return false
    }
    let item = ids.owner(of: clues.item, in: line, .items(clues.lane)).flatMap {
      $0.response === last ? $0.item : nil
    }
    let highest = last.gaps.highest
    if last.failure != nil {
      if event.isError || !last.hasBeginning { return true }
      if item != nil { return false }
      if last.hasItems, clues.item != nil, event.type?.opensItem != true { return true }
      return clues.number.map { $0 <= highest ?? 0 } ?? false
    }
    if item != nil, let number = clues.number, let first = last.gaps.first, let highest,
      number > first, number <= highest
    {
      return false
    }
    if last.heardItems.isNewFor(event, line, clues, item) { return true }
    guard let number = clues.number, let first = last.gaps.first else { return false }
    return number <= first || item == nil && number < last.lastNumber ?? first
  }

  /// Begins a response. In its lane it ends those without a beginning or with an error, and cuts one
  /// of the same id.
  private mutating func begin(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: inout EventClues
  ) -> Response {
    if clues.lane < 0 { clues.lane = newLane(event, line) }
    let named = ids.owner(of: clues.response, in: line, .responses(clues.lane))?.response
    if lanes[clues.lane].endingCount > 0 || named?.isOpen == true {
      for other in lanes[clues.lane].open where other.endsWithNext || other === named {
        close(other, by: nil)
      }
    }
    if openCount >= Self.mostOpen,
      let oldest = slots.lazy.compactMap({ $0 }).min(by: { $0.heard < $1.heard })
    {
      close(oldest, by: nil)
    }
    count += 1
    begins = true
    let slot = free.popLast() ?? slots.count
    let response = Response(
      count, tag: event.string(of: "oresp", "request", in: line), lane: clues.lane, slot: slot)
    let isLifecycle = event.type?.family == .lifecycle
    response.isAlone = event.type?.family.standsAlone == true
    response.isOfDocument = clues.isDocument
    response.beganWithStatus = isLifecycle && event.type?.phase == .status && !clues.isDocument
    response.hasBeginning =
      clues.isDocument || response.isAlone || isLifecycle && event.type?.phase != .terminal
    response.began = clock
    response.heard = clock
    if let before = lanes[clues.lane].closed, before.isRemembered, !before.hasBeginning,
      before.end == nil
    {
      response.headlessBefore = before
    }
    if slot == slots.count { slots.append(response) } else { slots[slot] = response }
    openCount += 1
    unclearCount += 1
    lanes[clues.lane].users += 1
    lanes[clues.lane].open.append(response)
    if response.endsWithNext { lanes[clues.lane].endingCount += 1 }
    return response
  }

  /// Notes an event of the open response `response`.
  private mutating func put(
    _ event: inout Event, _ line: Span<UInt8>, _ clues: EventClues, in response: Response,
    isFirst: Bool
  ) {
    noteHeard(response)
    event.response = response
    let former = give(
      clues.response, in: line, .responses(clues.lane), to: Owner(response: response))
    if let former, former.response !== response { response.namesake = former.response }
    if repeats(event, line, clues, in: response) {
      noteRepeat(of: clues.item, in: line, response)
      reports.tell(.repeats)
      event.step = .again
      return
    }
    let wasUnclear = response.isUnclear
    hear(event, line, clues, in: response)
    event.step = isFirst ? .begins : .inside
    if event.isError {
      event.step = .fails
      let isOfServer = !event.isBareError && !event.isSynthetic(line)
      if !response.endsWithNext { lanes[response.lane].endingCount += 1 }
      response.failure = Response.Failure(hasFailedBehind: isOfServer, time: clock)
    }
    if response.isUnclear != wasUnclear { unclearCount += wasUnclear ? -1 : 1 }
    if event.isTerminal {
      event.step = .ends
      end(event, line, clues, response)
    } else if response.isAlone, event.type?.phase == .done {
      event.step = .ends
      close(response, by: Response.End())
    }
  }

  /// Whether an event repeats one that came: its number did, and it falls behind the last event
  /// that was no repeat, or has the bytes of that.
  private mutating func repeats(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, in response: Response
  ) -> Bool {
    guard let number = clues.number, !event.isError, !event.isTerminal else { return false }
    let mark = event.mark(line)
    switch response.note(number) {
    case .cameAlready:
      let last = response.lastNumber ?? number
      if number < last || number == last && mark == response.lastMark { return true }
    case .fillsGap: if event.type?.phase == .delta { reports.tell(.late) }
    case .rises: break
    }
    response.lastNumber = number
    response.lastMark = mark
    return false
  }

  /// Notes the item and the ids of an event of `response`.
  private mutating func hear(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, in response: Response
  ) {
    let family = event.type?.family
    guard
      clues.item != nil || clues.index != nil || family == .outputItem || family == .contentPart
        || family == .outputText || family == .refusal
    else { return }
    response.hasItems = true
    let former = ids.owner(of: clues.item, in: line, .items(clues.lane))
    var item = 0
    if !response.hasBeginning {
      let known = former.flatMap { $0.response === response && $0.item >= 0 ? $0.item : nil }
      item = response.heardItems.note(event, line, clues, known)
    }
    guard let id = clues.item else { return }
    give(id, in: line, .items(clues.lane), to: Owner(response: response, item: item))
    guard let former, former.response !== response else { return }
    if former.response === response.headlessBefore {
      if response.hasBeginning { reports.tell(.parted) }
      response.goesBefore = true
    }
    // One that ended while this one was open had its item.
    if clues.response == nil, former.item >= 0, former.response.isRemembered,
      former.response.end != nil, former.response.over > response.began
    {
      reports.tell(.shared)
    }
  }

  /// Notes the id of an item of which `response` heard by a repeat alone: the end of another may list
  /// it, whose event was taken for one.
  private mutating func noteRepeat(
    of item: Range<Int>?, in line: Span<UInt8>, _ response: Response
  ) {
    let space = ResponseIDs<Owner>.Space.items(response.lane)
    guard response.hasBeginning, ids.owner(of: item, in: line, space) == nil else { return }
    give(item, in: line, space, to: Owner(response: response, item: 0))
  }

  /// Ends `response` with a terminal event or a whole Response.
  private mutating func end(
    _ event: borrowing Event, _ line: Span<UInt8>, _ clues: EventClues, _ response: Response
  ) {
    for place in event.output {
      let item = line.extracting(place)
      guard let id = JSONChildren.value(of: "id", in: item), id.count > 2 else { continue }
      let owner = ids.owner(of: id, in: item, .items(clues.lane))
      if let owner, owner.response === response { continue }
      if let owner, owner.item >= 0, !clues.isDocument, owner.response !== response.namesake,
        owner.response.isOpen || owner.response.isRemembered
      {
        reports.tell(.shared)
      }
      give(id, in: item, .items(clues.lane), to: Owner(response: response))
    }
    let namesake = response.namesake
    if clues.response != nil, namesake?.isRemembered == true, namesake?.hasTerminal == true {
      reports.tell(.countsTwice)
    }
    close(response, by: Response.End(event, line, clues.number))
  }

  /// Places an event behind the end of `known`.
  private mutating func placeBehind(
    _ known: Response, _ event: inout Event, _ line: Span<UInt8>, _ clues: inout EventClues
  ) {
    event.response = known
    event.step = .again
    if event.isError, known.end?.isFailed == true {
      known.failure = Response.Failure(hasFailedBehind: true, time: clock)
    }
    guard event.isTerminal || clues.isDocument, let end = known.end else { return }
    if event.type?.isFailed == true, known.failure?.hasFailedBehind == true, !end.hasTerminal {
      known.end = Response.End(event, line, clues.number)
      return
    }
    let isDone = event.type?.isDone == true
    let isSame =
      clues.isDocument
      ? end.hasSameBody(as: event, line) : end.isSame(as: event, line, clues.number)
    if isDone || isSame {
      if !isDone { reports.tell(.endRepeats) }
      return
    }
    reports.tell(.countsTwice)
    let response = begin(event, line, &clues)
    response.isSecondEnd = true
    put(&event, line, clues, in: response, isFirst: true)
  }

  /// Closes the response that `oresp.end` names, or the one without a beginning or with an error.
  private mutating func closeNamed(by event: inout Event, _ line: Span<UInt8>) {
    var clues = EventClues(event, line)
    clues.lane = lane(event.tag(in: line), event.stream(in: line), line)
    var response: Response?
    if clues.lane >= 0 {
      let named = ids.owner(of: clues.response, in: line, .responses(clues.lane))?.response
      response = named.flatMap { $0.isOpen || $0.isRemembered ? $0 : nil }
      response =
        response ?? lanes[clues.lane].open.last { !$0.hasBeginning || $0.failure != nil }
      response = response ?? lanes[clues.lane].closed.flatMap { $0.isRemembered ? $0 : nil }
    }
    event.response = response
    event.step = .inside
    if let response, !response.isOpen { return }
    let open = response ?? begin(event, line, &clues)
    close(open, by: Response.End())
    event.response = open
    event.step = .ends
  }

  /// Notes whether the event behind `event`, of the open response `response`, may be placed by
  /// `placeUsual`.
  private mutating func noteUsual(
    _ response: Response, _ event: borrowing Event, _ line: Span<UInt8>
  ) {
    let lane = response.lane
    lanes[lane].usual = nil
    // The rules must hear of the first item.
    guard event.step != .again, response.hasItems, let type = event.type, type.isInside
    else { return }
    let needsSame = !response.hasBeginning || response.failure != nil
    let item = event.value(of: "item_id", in: line)
    let id = item.flatMap { ids.index(of: $0, in: line, .items(lane)) }
    guard item == nil || id != nil else { return }
    // The second event of an item says that its id came twice, which the rules must hear.
    if needsSame, type.phase != .delta { return }
    if !response.hasBeginning, response.heardItems.isDoubtful { return }
    lanes[lane].usual = Usual(
      slot: response.slot, id: id, needsSame: needsSame, type: type.index,
      index: event.integer(of: "output_index", in: line), part: event.partIndex(in: line),
      item: event.item)
  }

  /// Notes that `response` was heard of.
  private mutating func noteHeard(_ response: Response) {
    let lane = response.lane
    if lanes[lane].open.last !== response, takeOpen(response) {
      lanes[lane].open.append(response)
    }
    response.heard = clock
    noteCrowd(in: lane)
  }

  /// Takes `response` out of the open ones of its lane; false when it is none. Mostly it was heard of
  /// last, or longest ago.
  private mutating func takeOpen(_ response: Response) -> Bool {
    let lane = response.lane
    if lanes[lane].open.last === response {
      lanes[lane].open.removeLast()
    } else if let index = lanes[lane].open.firstIndex(where: { $0 === response }) {
      lanes[lane].open.remove(at: index)
    } else {
      return false
    }
    return true
  }

  /// Whether another open response of its lane was heard of since `last`, which was heard of last,
  /// began.
  private func isByTurns(_ last: Response) -> Bool {
    let open = lanes[last.lane].open
    return open.count > 1 && open[open.count - 2].heard > last.began
  }

  /// Notes whether two open responses of `lane` are heard of.
  private mutating func noteCrowd(in lane: Int) {
    let open = lanes[lane].open
    let isCrowded = open.count > 1 && open[open.count - 2].heard >= lanes[lane].wakingTime
    guard isCrowded != lanes[lane].isCrowded else { return }
    lanes[lane].isCrowded = isCrowded
    crowdedCount += isCrowded ? 1 : -1
  }

  /// Closes `response`, whose end is `end`; without one it was cut, unless it failed.
  private mutating func close(_ response: Response, by end: Response.End?) {
    let lane = response.lane
    if response.isUnclear { unclearCount -= 1 }
    if response.endsWithNext { lanes[lane].endingCount -= 1 }
    // `cat $(ls -r pieces)`: the pieces of a stream from the last to the first.
    if !response.hasBeginning, response.goesBefore,
      let before = response.headlessBefore?.gaps.first,
      let highest = response.gaps.highest, highest + 1 == before
    {
      reports.tell(.parted)
    }
    response.isOpen = false
    response.end = end ?? response.failure.map { _ in Response.End() }
    response.over = clock
    response.heardItems = HeardItems()
    slots[response.slot] = nil
    free.append(response.slot)
    openCount -= 1
    _ = takeOpen(response)
    lanes[lane].usual = nil
    lanes[lane].wakingTime = max(lanes[lane].wakingTime, response.began)
    noteCrowd(in: lane)
    lanes[lane].closed = response
    remember(response)
    closed.append(response)
  }

  /// Remembers `response`, which is over, in place of another.
  private mutating func remember(_ response: Response) {
    let place = response.number % Self.mostEnded
    while remembered.count <= place { remembered.append(nil) }
    if let forgotten = remembered[place] {
      forgotten.isRemembered = false
      (forgotten.namesake, forgotten.headlessBefore) = (nil, nil)
      drop(forgotten.lane)
    }
    response.isRemembered = true
    remembered[place] = response
  }

  /// Lets go of a response of `lane`, which gets free with its last one.
  private mutating func drop(_ lane: Int) {
    lanes[lane].users -= 1
    guard lane > 0, lanes[lane].users == 0 else { return }
    lanes[lane].number += 1
    lanes[lane].closed = nil
    freeLanes.append(lane)
  }

  /// The lane of an event with this tag and stream; 0 without both, -1 when they are new. It
  /// changes nothing, but all of `self` would be copied for a call that may not.
  private mutating func lane(
    _ tag: Range<Int>?, _ stream: Range<Int>?, _ line: Span<UInt8>
  ) -> Int {
    let key: LaneKey?
    if let stream {
      key = laneKeys.owner(of: Self.laneKey(tag, stream, line).span, .streams)
    } else if let tag {
      key = laneKeys.owner(of: tag, in: line, .tags)
    } else {
      return 0
    }
    guard let key else { return -1 }
    return lanes[key.lane].number == key.number ? key.lane : -1
  }

  /// The tag of an event and its stream, with a NUL byte between them.
  private static func laneKey(
    _ tag: Range<Int>?, _ stream: Range<Int>, _ line: Span<UInt8>
  ) -> [UInt8] {
    var key = tag.map { JSONString.decoded(line.extracting($0)) } ?? []
    key.append(0)
    key += JSONString.decoded(line.extracting(stream))
    return key
  }

  /// Makes the lane of an event, whose tag or stream is new.
  private mutating func newLane(_ event: borrowing Event, _ line: Span<UInt8>) -> Int {
    let lane = freeLanes.popLast() ?? lanes.count
    if lane == lanes.count { lanes.append(Lane()) }
    if laneKeys.isFull {
      laneKeys.keep { [lanes] key in lanes[key.lane].number == key.number }
    }
    let key = LaneKey(lane: lane, number: lanes[lane].number)
    let tag = event.tag(in: line)
    if let stream = event.stream(in: line) {
      laneKeys.give(Self.laneKey(tag, stream, line).span, .streams, to: key)
    } else {
      laneKeys.give(tag, in: line, .tags, to: key)
    }
    return lane
  }

  /// Gives the id at `value` in `line` to `owner`, and returns the owner before. Makes room for it
  /// first: the ids of responses that are neither open nor remembered are forgotten.
  @discardableResult
  private mutating func give(
    _ value: Range<Int>?, in line: Span<UInt8>, _ space: ResponseIDs<Owner>.Space, to owner: Owner
  ) -> Owner? {
    if ids.isFull {
      ids.keep { $0.response.isOpen || $0.response.isRemembered }
      for lane in lanes.indices { lanes[lane].usual = nil }
    }
    return ids.give(value, in: line, space, to: owner)
  }

  /// Tells `event` its item. A repeat opens none.
  private mutating func noteItem(of event: inout Event, _ line: Span<UInt8>) {
    guard needsItems, let type = event.type, type.isAboutItem, let response = event.response else {
      return
    }
    guard event.step != .again else {
      event.item = response.items.known(of: event, line) ?? -1
      return
    }
    let index = event.integer(of: "output_index", in: line)
    event.item = response.items.item(of: type, event, line, at: index) ?? -1
  }
}
