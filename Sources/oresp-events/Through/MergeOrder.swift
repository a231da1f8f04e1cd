import Core

/// Decides which of the events at which the FILEs stand comes next, so that what was split comes out
/// whole.
///
/// Of the open response the lowest number comes next; an event without a number stays behind the one
/// before it in its FILE.
struct MergeOrder {
  /// What becomes of the event at which a part stands.
  enum Step {
    case print
    /// It came out before.
    case isRepeat
    /// It tells of the end of its FILE, behind which another goes on.
    case isMended
  }

  private static let mostDoubtful = 1000

  private var router = ResponseRouter()
  /// The event that came out last: how many came before it, its line and what that tells, its
  /// response, and how many FILEs had it.
  private var place = 0
  private var line: [UInt8] = []
  private var clues = EventClues()
  private var last = 0
  private var copies = 0
  /// The numbers of repeats that only their numbers tie to a response.
  private var doubtful: Set<Int> = []

  /// The part of `parts` whose event is next, and what becomes of that; `nil` at the end of all.
  /// What is wrong with its place is told in `notices`.
  mutating func next(
    of parts: [MergePart], telling notices: inout [Notice]
  ) -> (part: MergePart, step: Step)? {
    let open = parts.compactMap { part in part.head.map { (part, $0) } }
    for (part, head) in open where isRepeat(head, of: part) {
      if let number = head.clues.number {
        let isTold = head.clues.response != nil || head.clues.item != nil
        if !isTold, doubtful.count < Self.mostDoubtful { doubtful.insert(number) }
        stand(part, in: last, at: number, &notices)
      }
      (part.place, copies) = (place, copies + 1)
      return (part, .isRepeat)
    }
    if let (part, head) = open.first(where: { $0.1.clues.number == nil }) {
      if head.isCut || head.clues.isOwnError, isMended(part, open) { return (part, .isMended) }
      part.hasBegun = part.hasBegun || head.clues.isBeginning
      if part.number == nil, !part.hasBegun, parts.count > 1 { part.leading += 1 }
      comesOut(head, of: part)
      return (part, .print)
    }
    let places = open.map { place(of: $0.1, in: $0.0) }
    let best = open.indices.min {
      isBefore((open[$0].1.clues, places[$0]), (open[$1].1.clues, places[$1]))
    }
    guard let best else { return nil }
    let (part, head) = open[best]
    tellDoubt(about: best, open, places, &notices)
    let response = router.note(head.clues, of: places[best]?.response)
    stand(part, in: response, at: head.clues.number ?? 0, &notices)
    comesOut(head, of: part)
    last = response
    return (part, .print)
  }

  /// The last event of `part` that had a number has the number `number` of `response`.
  private func stand(
    _ part: MergePart, in response: Int, at number: Int, _ notices: inout [Notice]
  ) {
    if part.number == nil, part.leading > 0, number > 0, part.head?.clues.isBeginning == false {
      notices.append(part.hasLeading)
    }
    (part.response, part.number) = (response, number)
  }

  private mutating func comesOut(_ head: MergePart.Head, of part: MergePart) {
    place += 1
    (line, clues, copies) = (head.line, head.clues, 1)
    part.place = place
  }

  /// Whether `head` is the event that came out last, had from another FILE.
  private func isRepeat(_ head: MergePart.Head, of part: MergePart) -> Bool {
    guard place > 0, head.event != nil, head.line == line || saysTheSame(head) else { return false }
    guard let number = head.clues.number else { return part.place == place - 1 }
    return part.response + (number < part.number ?? 0 ? 1 : 0) <= last
  }

  /// Whether `head` tells that it is the event that came out last, its members in another order:
  /// OpenAI resumes a response so.
  private func saysTheSame(_ head: MergePart.Head) -> Bool {
    guard let number = clues.number, head.clues.number == number else { return false }
    let (id, other) = (clues.response ?? clues.item, head.clues.response ?? head.clues.item)
    return id != nil && id == other && JSONValue.areSame(line, head.line)
  }

  private func place(of head: MergePart.Head, in part: MergePart) -> ResponseRouter.Place? {
    router.place(of: head.clues, behind: part.number, of: part.response)
  }

  /// Whether an event at a place comes before another: one that goes on where its response stands,
  /// or is late, then one of the response that began first, of which the lowest number.
  private func isBefore(
    _ left: (clues: EventClues, place: ResponseRouter.Place?),
    _ right: (clues: EventClues, place: ResponseRouter.Place?)
  ) -> Bool {
    if left.place == nil, right.place == nil, let one = left.clues.createdAt,
      let other = right.clues.createdAt, one != other
    {
      return one < other
    }
    func key(_ clues: EventClues, _ place: ResponseRouter.Place?) -> (Int, Int, Int, Int) {
      let number = clues.number ?? 0
      guard let place else { return (1, .max, number, 0) }
      let goesOn = number - 1 <= router[place.response].number
      return (goesOn ? 0 : 1, place.response, number, place.isTold ? 0 : 1)
    }
    return key(left.clues, left.place) < key(right.clues, right.place)
  }

  /// Tells if it is not sure that the event `best` of `open` is next.
  private func tellDoubt(
    about best: Int, _ open: [(part: MergePart, head: MergePart.Head)],
    _ places: [ResponseRouter.Place?], _ notices: inout [Notice]
  ) {
    let (part, head) = open[best]
    let number = head.clues.number ?? 0
    func tell(_ why: String) {
      notices.append(Notice(.error, why, status: .badInput, at: head.event?.inputPlace))
    }
    let unknown = "sequence number \(number) may belong to one response or another"
    guard let (response, isTold) = places[best] else {
      let falls = number <= part.number ?? -1
      let isSure =
        falls || head.clues.response != nil || router.hasEnded
      if !isSure || router.isAboutFormerItem(head.clues) { tell(unknown) }
      return
    }
    let before = router[response].number
    if number <= before {
      guard !part.isToldOf else { return }
      part.isToldOf = true
      return tell(
        "sequence number \(number) comes after \(before); --merge=sort puts a file in order")
    }
    let hasRival = open.indices.contains { other in
      guard other != best, !isTold else { return false }
      guard let rival = places[other] else { return number > before + 1 }
      return rival.response == response && !rival.isTold && open[other].head.clues.number == number
        && open[other].head.line != head.line
    }
    if hasRival { return tell(unknown) }
    guard number > before + 1 else { return }
    if doubtful.contains(where: { before < $0 && $0 < number }) {
      tell(
        "sequence numbers \(before + 1) to \(number - 1) were taken for those of another response")
    } else if part.number == nil, before >= 0 {
      let why = "the input leaves out \(before + 1) to \(number - 1) of the sequence numbers"
      notices.append(Notice(.warning, why))
    }
  }

  /// Whether another FILE goes on where `part` was cut off.
  private func isMended(
    _ part: MergePart, _ open: [(part: MergePart, head: MergePart.Head)]
  ) -> Bool {
    let others = open.filter { $0.part !== part && $0.head.clues.number != nil }
    guard let number = part.number else {
      return others.contains { _, head in
        // A recording that was begun late begins with what tells of its response, too.
        head.clues.number == 0 || head.clues.isBeginning
          || place == 0 && head.clues.response != nil && !head.clues.isEnd
      }
    }
    let hasEnded = router[part.response].hasEnded
    if hasEnded, copies > 1, part.place == place { return true }
    return others.contains { other, head in
      let place = place(of: head, in: other)
      return hasEnded
        ? place == nil : place?.response == part.response && head.clues.number == number + 1
    }
  }
}

extension MergePart {
  /// What is told of events that nothing with a number came before.
  var hasLeading: Notice {
    var notice = Notice(
      .error, "the place of what it begins with is not known: it has no sequence number",
      status: .badInput)
    notice.input = name
    return notice
  }
}

extension MergePart.Head {
  /// What is told of the end of its FILE when another goes on there.
  var isMended: Notice {
    let what = isCut ? "inside an event" : "with an error"
    return Notice(.warning, "the input ends \(what), which another file completes")
  }
}
