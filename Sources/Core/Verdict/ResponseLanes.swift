/// Tells which of the responses that a stream has open an event belongs to.
///
/// Each open response has a lane. Lanes are counted from 0, and one whose response has ended takes
/// the next. In a stream of one response after another there are no lanes, and nothing is read for
/// this: they are made when a response begins beside one that is open, or has a tag. The tag of an event or the lane of its WebSocket tells it, then the id of the response
/// or of the item, then the numbers going on. Where several would do, it is a guess, and the end of
/// the response may tell that it was wrong (`wasWrong`).
///
/// `response.created` with another id than the response that is open opens a lane; behind an error
/// it takes the place of the response that failed. There are `most` lanes: one more response takes
/// the place of the one of which nothing was heard for longest.
package struct ResponseLanes: Sendable {
  private struct Lane {
    var life = Lifecycle()
    var tag: [UInt8] = []
    /// The id of the response, behind the tag.
    var id: [UInt8]?
    /// How many items were opened.
    var items = 0
    /// The sequence number that came last, if that is known.
    var number: Int?
    /// When an event came last, counted in events that were read.
    var time = 0
  }

  package static let most = 64

  private var lanes: [Lane]
  /// Whether the end of a response told of items that were taken for those of another.
  private(set) var wasWrong = false
  /// The lanes of the items of the responses that are open.
  private var items: [[UInt8]: Int] = [:]
  /// The lane of the last event.
  package private(set) var last = 0
  /// Whether that lane was taken from a response that had not ended.
  private(set) var tookOver = false
  /// Whether that lane had nothing of the response of the last event before.
  private(set) var isNew = false
  private var time = 0
  private var hasTags = false

  /// Lane 0 has the response whose life is `life`, which opened `items`, and of which `number` came
  /// last.
  init(beside life: Lifecycle, with items: [[UInt8]], at number: Int?) {
    var lane = Lane(life: life, items: items.count, number: number)
    if !life.id.isEmpty { lane.id = [0] + life.id.utf8 }
    lanes = [lane]
    for item in items { self.items[[0] + item] = 0 }
  }

  /// Whether no response is open, nor told by a tag, so that there need be no lanes.
  var isDone: Bool { !hasTags && !lanes.contains { $0.life.isUnfinished } }

  /// The sequence number of the last event of `lane`; `nil` when it is not known.
  func number(of lane: Int) -> Int? { lanes[lane].number }

  /// The tag of the last event of `lane`.
  func tag(of lane: Int) -> [UInt8] { lane < lanes.count ? lanes[lane].tag : [] }

  /// The lane of the response `id`, behind its tag; the last one when none has that response.
  func lane(ofResponse id: [UInt8]) -> Int { lanes.firstIndex { $0.id == id } ?? last }

  /// The lane of `event`, whose line is `line`.
  mutating func lane(of event: Event, _ line: Span<UInt8>) -> Int {
    let clues = EventClues(event, line)
    (tookOver, isNew) = (false, false)
    let opensItem = event.type?.opensItem == true
    var lane = find(clues, opensItem: opensItem)
    if let type = event.type,
      type.family == .lifecycle || type.family == .error || type.family.standsAlone
    {
      let former = lanes[lane]
      let step = lanes[lane].life.handle(event, line)
      if step.leavesCut, !former.life.hasFailed, former.id != nil, clues.response != nil,
        former.id != clues.response
      {
        lanes[lane].life = former.life
        lane = free()
        _ = lanes[lane].life.handle(event, line)
      }
      if step.isFirst {
        items = items.filter { $0.value != lane }
        (lanes[lane].id, lanes[lane].items) = (nil, 0)
      }
      lanes[lane].id = clues.response ?? lanes[lane].id
      if lanes.count > 1, clues.isEnd { checkItems(of: lane, clues, line) }
    }
    if opensItem { lanes[lane].items += 1 }
    time += 1
    (lanes[lane].tag, lanes[lane].number, lanes[lane].time) = (clues.tag, clues.number, time)
    if let item = clues.item, let former = items.updateValue(lane, forKey: item), former != lane {
      wasWrong = wasWrong || !opensItem
    }
    last = lane
    hasTags = hasTags || !clues.tag.isEmpty
    return lane
  }

  private mutating func checkItems(of lane: Int, _ clues: EventClues, _ line: Span<UInt8>) {
    for place in JSONChildren.elements(of: "response", "output", in: line) {
      let id = clues.tagged(JSONChildren.string(of: "id", in: line.extracting(place)))
      if let known = id.flatMap({ items[$0] }), known != lane { wasWrong = true }
    }
  }

  private mutating func find(_ clues: EventClues, opensItem: Bool) -> Int {
    if let id = clues.response, let known = lanes.firstIndex(where: { $0.id == id }) {
      return known
    }
    if !opensItem, let known = clues.item.flatMap({ items[$0] }), lanes[known].life.isUnfinished {
      return known
    }
    let open = lanes.indices.filter { lanes[$0].life.isUnfinished && lanes[$0].tag == clues.tag }
    if open.count > 1 {
      var fitting = open
      func narrow(_ fits: (Lane) -> Bool) {
        let narrowed = fitting.filter { fits(lanes[$0]) }
        if !narrowed.isEmpty { fitting = narrowed }
      }
      if opensItem, let index = clues.outputIndex { narrow { $0.items == index } }
      if let number = clues.number {
        let isNext = fitting.contains { lanes[$0].number == number - 1 }
        narrow { isNext ? $0.number == number - 1 : $0.number == nil }
      } else {
        narrow { $0.number == nil }
        if fitting.contains(last) { return last }
      }
      return fitting.min { lanes[$0].time < lanes[$1].time } ?? last
    }
    if let only = open.first { return only }
    return lanes[last].tag == clues.tag ? last : free()
  }

  /// A lane for a response that begins.
  private mutating func free() -> Int {
    isNew = true
    let ended = lanes.firstIndex { !$0.life.isUnfinished }
    if ended == nil, lanes.count < Self.most {
      lanes.append(Lane())
      return lanes.count - 1
    }
    let lane = ended ?? lanes.indices.min { lanes[$0].time < lanes[$1].time } ?? 0
    items = items.filter { $0.value != lane }
    (lanes[lane], tookOver) = (Lane(), ended == nil)
    return lane
  }
}

/// Something of which each lane of a stream has its own. That of lane 0, which most streams have
/// alone, stands by itself: a copy costs no array.
package struct PerLane<State> {
  private let new: State
  /// That of lane 0: a filter that is given each event asks for it directly, which costs nothing.
  package var first: State
  private var others: [State] = []

  package init(_ new: State) { (self.new, first) = (new, new) }

  package var all: [State] { [first] + others }

  package subscript(lane: Int) -> State {
    get { lane == 0 ? first : lane <= others.count ? others[lane - 1] : new }
    _modify {
      if lane == 0 {
        yield &first
      } else {
        while others.count < lane { others.append(new) }
        yield &others[lane - 1]
      }
    }
  }
}

extension PerLane: Sendable where State: Sendable {}
