import Core

/// Decides which FILE's event comes next, so that a split stream comes out whole.
///
///     1.ndjson: created :a #0, delta #2        printed: created 1, added 2, delta 1, completed 2
///     2.ndjson: added #1, completed :a #3
///
/// The lowest number of the open response comes next; an event without a number stays behind the
/// one before it in its FILE. While numbers follow each other, other FILEs need not be read; else
/// all are.
struct MergeOrder {
  /// The treatment of the event at which a part stands.
  enum Step {
    case print
    /// It was printed before.
    case isRepeat
    /// The end of its FILE cut it off, and another FILE goes on there.
    case isMended
    /// It is the toolkit's error at the end of its FILE, and another FILE goes on there: the error
    /// is printed only if the response has no end.
    case mayBeMended
  }

  enum Next {
    case event(MergePart, Step)
    /// A FILE that has nothing to read now must be read first; if a response begins next, the wait
    /// is limited.
    case wait(isBeginning: Bool)
    case end
  }

  /// The position of a part at an event with a number. An event that no id names has the track
  /// `unnamed`.
  struct Key: Comparable {
    static let unnamed = Int.max
    var track: Int
    var number: Int
    var part = 0

    static func < (left: Key, right: Key) -> Bool {
      (left.track, left.number, left.part) < (right.track, right.number, right.part)
    }
  }

  /// The event that was printed last.
  struct Printed {
    /// The number of events printed so far.
    var count = 0
    var content: UInt64 = 0
    /// The number of FILEs that had it.
    var copies = 0
  }

  /// Whether a hole in the numbers is reported.
  let reportsHoles: Bool
  let parts: [MergePart]
  var tracks = MergeTracks()
  /// The positions of parts at an event with a number, in order; and the parts at another event.
  var numbered: [Key] = []
  private var others: [Int] = []
  /// The number of parts that have nothing to read now.
  var starved = 0
  /// The tracks of runs by their tags; `nil` for a run that `oresp.n` does not number.
  var runs: [UInt64: Int?] = [:]
  /// The track of the event with a number that was printed last.
  var last: Int?
  var printed = Printed()
  /// The numbers of repeats that only their numbers tie to a response.
  var doubtful: Set<Int> = []
  var reported: Set<String> = []
  /// The responses that began without a number, each with its FILE.
  var responses: [UInt64: Int] = [:]
  /// Whether two FILEs had events of one track, and the number of tracks that have their beginning.
  private var (hasShared, beginnings) = (false, 0)

  init(_ parts: [MergePart], reportsHoles: Bool) {
    self.parts = parts
    self.reportsHoles = reportsHoles
  }

  /// Whether the FILEs hold different responses, each of which was printed as it stands there.
  var cameOneByOne: Bool {
    !hasShared && parts.count > 1 && tracks.count > 1 && tracks.hasEnded
      && beginnings == tracks.count
  }

  // MARK: The queue

  /// Notes that `part` stands at its next event.
  mutating func append(_ part: MergePart, _ notices: inout [Notice]) {
    guard let number = number(of: part, &notices) else {
      others.insert(part.index, at: others.firstIndex { $0 > part.index } ?? others.count)
      return
    }
    let owner = owner(of: part)
    let track = owner.map { $0.isNamed ? $0.track : Key.unnamed } ?? Key.unnamed
    let key = Key(track: track, number: number, part: part.index)
    numbered.insert(key, at: firstIndex(notBefore: key))
    // An event that continues a response that began earlier comes first.
    if let owner, let now = last, owner.track < now, number <= tracks.number(of: owner.track) + 1 {
      last = nil
    }
  }

  /// The track of the event at which `part` stands; `nil` when its response has not begun.
  func owner(of part: MergePart) -> MergeTracks.Owner? {
    if let run = part.runTrack { return (run, true) }
    return tracks.owner(of: part.clues, behind: part.number, of: part.track)
  }

  func firstIndex(notBefore key: Key) -> Int {
    var (low, high) = (0, numbered.count)
    while low < high {
      let middle = (low + high) / 2
      if numbered[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func part(at index: Int) -> MergePart { parts[numbered[index].part] }

  // MARK: What comes next

  /// The part whose event is next and its step, or a wait, or the end. Without patience, no FILE is
  /// waited for before a response begins.
  mutating func next(isPatient: Bool, _ notices: inout [Notice]) -> Next {
    if let index = others.first { return next(without: parts[index], &notices) }
    if let last, let index = following(last) { return give(index, in: (last, true), &notices) }
    guard !numbered.isEmpty else { return starved > 0 ? .wait(isBeginning: false) : .end }
    let (best, owner) = lowest()
    if starved > 0 {
      let (number, clues) = (numbered[best].number, part(at: best).clues)
      let goesOn = owner.map { number <= tracks.number(of: $0.track) + 1 } ?? false
      let isBeginning = owner == nil && (clues.isBeginning || number == 0)
      if !goesOn, isPatient || !isBeginning { return .wait(isBeginning: isBeginning) }
    }
    return give(best, in: owner, &notices)
  }

  /// An event without a number is printed at once, unless it reports the end of its FILE.
  private mutating func next(without part: MergePart, _ notices: inout [Notice]) -> Next {
    let mayBeMended = part.isCut || part.clues.isOwnError
    if mayBeMended, starved > 0 { return .wait(isBeginning: false) }
    // A repeat in another FILE is passed first, so that the FILE stands at the event that goes on.
    if mayBeMended, let index = numbered.indices.first(where: { isRepeat(at: $0) }) {
      return give(index, in: owner(of: self.part(at: index)), &notices)
    }
    others.removeFirst()
    if printed.count > 0, part.hasEvent, part.clues.content == printed.content,
      part.printed == printed.count - 1
    {
      if part.number != nil { tracks[part.track].unnumbered.append(part.index) }
      return repeats(part)
    }
    if mayBeMended, isMended(part) {
      return .event(part, part.isCut ? .isMended : .mayBeMended)
    }
    if part.hasEvent { noteUnnumbered(part, &notices) }
    notePrinted(part)
    return .event(part, .print)
  }

  private mutating func repeats(_ part: MergePart) -> Next {
    part.printed = printed.count
    printed.copies += 1
    return .event(part, .isRepeat)
  }

  private mutating func notePrinted(_ part: MergePart) {
    printed = Printed(count: printed.count + 1, content: part.clues.content, copies: 1)
    part.printed = printed.count
  }

  /// The index of the event that is next in `track`, or should have come earlier; `nil` at a hole.
  private func following(_ track: Int) -> Int? {
    let next = tracks.number(of: track) + 1
    let first = firstIndex(notBefore: Key(track: track, number: .min))
    let isNamed = first < numbered.count && numbered[first].track == track
    if isNamed, numbered[first].number < next { return first }
    let named = isNamed && numbered[first].number == next ? first : nil
    guard let unnamed = followingUnnamed(track, next) else { return named }
    guard let named, numbered[unnamed].number == next else { return unnamed }
    // An event with an id is sure; of two copies, the first FILE's is printed.
    let isOne = part(at: named).clues.content == part(at: unnamed).clues.content
    return isOne && numbered[unnamed].part < numbered[named].part ? unnamed : named
  }

  private func followingUnnamed(_ track: Int, _ next: Int) -> Int? {
    guard numbered.last?.track == Key.unnamed else { return nil }
    var index = firstIndex(notBefore: Key(track: Key.unnamed, number: next - 1))
    var found: Int?
    while index < numbered.count, numbered[index].number <= next {
      let (part, number) = (part(at: index), numbered[index].number)
      let owner = owner(of: part)
      if number == next ? owner?.track == track : isRepeat(part, number, in: owner) {
        // The id may have become known since the part came to stand there.
        if number < next || owner?.isNamed == true { return index }
        found = found ?? index
      }
      index += 1
    }
    return found
  }

  /// The next event of all: one that goes on in its response, or is late; else the lowest number of
  /// the response that began first.
  private func lowest() -> (index: Int, owner: MergeTracks.Owner?) {
    var best: (index: Int, owner: MergeTracks.Owner?) = (0, owner(of: part(at: 0)))
    var index = after(0)
    while index < numbered.count {
      let owner = owner(of: part(at: index))
      if isBefore((index, owner), best) { best = (index, owner) }
      index = after(index)
    }
    return best
  }

  /// The index of the next event that may come before the one at `index`: only the first of a track
  /// may.
  private func after(_ index: Int) -> Int {
    let track = numbered[index].track
    return track == Key.unnamed
      ? index + 1 : firstIndex(notBefore: Key(track: track + 1, number: .min))
  }

  private func isBefore(
    _ left: (index: Int, owner: MergeTracks.Owner?),
    _ right: (index: Int, owner: MergeTracks.Owner?)
  ) -> Bool {
    if left.owner == nil, right.owner == nil, let one = part(at: left.index).clues.createdAt,
      let other = part(at: right.index).clues.createdAt, one != other
    {
      return one < other
    }
    func key(_ event: (index: Int, owner: MergeTracks.Owner?)) -> (Int, Int, Int, Int, Int) {
      let (number, part) = (numbered[event.index].number, numbered[event.index].part)
      guard let owner = event.owner else {
        let clues = parts[part].clues
        return (clues.isBeginning && clues.tag != 0 ? 1 : 2, .max, number, 0, part)
      }
      let goesOn = number - 1 <= tracks.number(of: owner.track)
      return (goesOn ? 0 : 2, owner.track, number, owner.isNamed ? 0 : 1, part)
    }
    return key(left) < key(right)
  }

  /// Hands on the event at `index`, which belongs to `owner`.
  private mutating func give(
    _ index: Int, in owner: MergeTracks.Owner?, _ notices: inout [Notice]
  ) -> Next {
    let (key, part) = (numbered[index], part(at: index))
    if let run = part.runTrack, isOfOtherRun(index, run) {
      leaveAside(run, "two lines have the same oresp.n (two runs, or one recorded twice)", &notices)
      return next(isPatient: true, &notices)
    }
    let owner = trueOwner(at: index, owner)
    if isRepeat(part, key.number, in: owner) {
      numbered.remove(at: index)
      let track = owner?.isNamed == true ? owner?.track ?? 0 : last ?? 0
      if owner?.isNamed != true { noteDoubtful(part, key.number) }
      move(part, to: key.number, in: track, &notices)
      return repeats(part)
    }
    let isSure = !reportDoubt(about: index, owner, &notices)
    numbered.remove(at: index)
    let before = owner.map { tracks.number(of: $0.track) }
    let track = tracks.note(part.clues, numbered: key.number, in: owner?.track)
    if owner == nil { tracks[track].name = part.responseID }
    if owner == nil, part.clues.isBeginning { beginnings += 1 }
    if reportsHoles, isSure || before != nil {
      reportHole(before: key.number, of: part, track, after: before, &notices)
    }
    move(part, to: key.number, in: track, &notices)
    notePrinted(part)
    last = track
    return .event(part, .print)
  }

  /// The track of the event at `index`, whose id may be known by now; or an ended one that had it.
  private func trueOwner(at index: Int, _ owner: MergeTracks.Owner?) -> MergeTracks.Owner? {
    let (key, part) = (numbered[index], part(at: index))
    if let owner = key.track == Key.unnamed ? self.owner(of: part) : owner { return owner }
    guard let former = tracks.former(part.clues),
      tracks.content(at: key.number, of: former) == part.clues.content
    else { return nil }
    return (former, true)
  }

  /// Notes that the last event of `part` with a number has `number` in `track`.
  private mutating func move(
    _ part: MergePart, to number: Int, in track: Int, _ notices: inout [Notice]
  ) {
    if part.number == nil, part.leading > 0, number > 0, !part.clues.isBeginning {
      reportGuess(part, &notices)
    }
    (part.track, part.number) = (track, number)
    guard tracks[track].part != part.index, !hasShared else { return }
    hasShared = tracks[track].part != nil
    tracks[track].part = part.index
  }
}
