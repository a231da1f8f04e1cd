import Core

/// Decides which of the events at which the FILEs stand comes next, so that what was split comes
/// out whole.
///
/// Of the open response the lowest number comes next; an event without a number stays behind the
/// one before it in its FILE. Where numbers follow each other no other FILE is asked; elsewhere all
/// are.
struct MergeOrder {
  /// What becomes of the event at which a part stands.
  enum Step {
    case print
    /// It came out before.
    case isRepeat
    /// It reports the end of its FILE, behind which another goes on.
    case isMended
  }

  enum Next {
    case event(MergePart, Step)
    /// A FILE must be read first that has nothing to read now; for the beginning of a response no
    /// longer than that is worth.
    case wait(isBeginning: Bool)
    case end
  }

  /// Where a part stands: an event with a number. What no id names is of the track `unnamed`.
  private struct Key: Comparable {
    static let unnamed = Int.max
    var track: Int
    var number: Int
    var part = 0

    static func < (left: Key, right: Key) -> Bool {
      (left.track, left.number, left.part) < (right.track, right.number, right.part)
    }
  }

  private static let mostDoubtful = 1000
  private static let mostResponses = 1 << 16

  /// Whether a hole in the numbers is reported.
  private let reportsHoles: Bool
  private let parts: [MergePart]
  private var tracks = MergeTracks()
  /// The parts that stand at an event with a number, in order, and those that stand at another.
  private var numbered: [Key] = []
  private var others: [Int] = []
  /// How many parts have nothing to read now.
  var starved = 0
  /// The runs whose lines `oresp.n` numbers, by their tags; `nil` where it does not.
  private var runs: [UInt64: Int?] = [:]
  /// The track of the event with a number that came out last.
  private var last: Int?
  /// How many events came out, what the last one said, and how many FILEs had it.
  private var place = 0
  private var content: UInt64 = 0
  private var copies = 0
  /// The numbers of repeats that only their numbers tie to a response.
  private var doubtful: Set<Int> = []
  private var reported: Set<String> = []
  /// The responses that began without a number, each with its FILE.
  private var responses: [UInt64: Int] = [:]
  /// Whether two FILEs had events of one track, and how many tracks have their beginning.
  private var (hasShared, beginnings) = (false, 0)

  init(_ parts: [MergePart], reportsHoles: Bool) {
    self.parts = parts
    self.reportsHoles = reportsHoles && parts.count > 1
  }

  // MARK: Where the parts stand

  /// Notes that `part` stands at its next event.
  mutating func stand(_ part: MergePart, _ notices: inout [Notice]) {
    guard let number = number(of: part, &notices) else {
      others.insert(part.index, at: others.firstIndex { $0 > part.index } ?? others.count)
      return
    }
    let place = tracks(of: part)
    let isNamed = place?.isNamed == true
    let key = Key(
      track: isNamed ? place?.track ?? 0 : Key.unnamed, number: number, part: part.index)
    numbered.insert(key, at: firstIndex(notBefore: key))
    // What goes on with a response that began before comes first.
    if let place, let now = last, place.track < now, number <= tracks.number(of: place.track) + 1 {
      last = nil
    }
  }

  /// The number that orders the event of `part`: `oresp.n` if the first line of its tag in each
  /// FILE has it, else that within its response.
  private mutating func number(of part: MergePart, _ notices: inout [Notice]) -> Int? {
    guard part.hasEvent, !part.isCut else { return nil }
    let clues = part.clues
    if clues.tag != part.lane, !clues.hasNoNumber { part.turn(to: clues.tag) }
    if part.tag != clues.run {
      part.tag = clues.run
      if part.tags.insert(clues.run).inserted { begin(clues, &notices) }
      part.run = runs[clues.run] ?? nil
    }
    guard part.run != nil else { return clues.sequenceNumber }
    if clues.lineNumber == nil {
      let why = "a line has no oresp.n, though the first line has it"
      report(why, about: part, at: part.inputPlace, &notices)
    }
    return clues.lineNumber
  }

  private mutating func begin(_ clues: MergeClues, _ notices: inout [Notice]) {
    let known = runs[clues.run]
    if known == nil {
      runs.updateValue(clues.lineNumber == nil ? nil : tracks.makeRun(clues.run), forKey: clues.run)
    } else if clues.lineNumber == nil, let run = known ?? nil {
      leaveAside(run, "not every file has oresp.n in its first line", &notices)
    }
  }

  /// Orders what `run` numbered by the numbers of the server from now on.
  private mutating func leaveAside(_ run: Int, _ why: String, _ notices: inout [Notice]) {
    let hasBegun = tracks.number(of: run) >= 0
    let kind = hasBegun ? Notice.Kind.error : .warning
    notices.append(
      Notice(kind, why + "; it is ignored", status: hasBegun ? .badInput : .completed))
    runs.updateValue(nil, forKey: tracks[run].tag)
    if last == run { last = nil }
    for part in parts where part.run == run { part.run = nil }
    let moved = numbered.filter { $0.track == run }
    numbered.removeAll { $0.track == run }
    for key in moved { stand(parts[key.part], &notices) }
  }

  private func tracks(of part: MergePart) -> MergeTracks.Place? {
    if let run = part.run { return (run, true) }
    return tracks.place(of: part.clues, behind: part.number, of: part.track)
  }

  private func firstIndex(notBefore key: Key) -> Int {
    var (low, high) = (0, numbered.count)
    while low < high {
      let middle = (low + high) / 2
      if numbered[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func head(_ index: Int) -> MergePart { parts[numbered[index].part] }

  // MARK: What comes next

  /// The part whose event is next, and what becomes of that; or what is to be waited for. Without
  /// patience no FILE is waited for where a response begins.
  mutating func next(isPatient: Bool, _ notices: inout [Notice]) -> Next {
    if let index = others.first { return next(without: parts[index], &notices) }
    if let last, let index = following(last) { return give(index, in: (last, true), &notices) }
    guard !numbered.isEmpty else { return starved > 0 ? .wait(isBeginning: false) : .end }
    let (best, place) = lowest()
    if starved > 0 {
      let (key, clues) = (numbered[best], head(best).clues)
      let goesOn = place.map { key.number <= tracks.number(of: $0.track) + 1 } ?? false
      let isBeginning = place == nil && (clues.isBeginning || key.number == 0)
      if !goesOn, isPatient || !isBeginning { return .wait(isBeginning: isBeginning) }
    }
    return give(best, in: place, &notices)
  }

  /// An event without a number comes out at once, unless it reports the end of its FILE.
  private mutating func next(without part: MergePart, _ notices: inout [Notice]) -> Next {
    let mayBeMended = part.isCut || part.clues.isOwnError
    if mayBeMended, starved > 0 { return .wait(isBeginning: false) }
    // What another FILE repeats is passed first, so that it stands where it goes on.
    if mayBeMended,
      let index = numbered.indices.first(where: {
        isRepeat(head($0), numbered[$0].number, in: tracks(of: head($0)))
      })
    {
      return give(index, in: tracks(of: head(index)), &notices)
    }
    others.removeFirst()
    if place > 0, part.hasEvent, part.clues.content == content, part.place == place - 1 {
      if part.number != nil { tracks[part.track].unnumbered.append(part.index) }
      return repeats(part)
    }
    if mayBeMended, isMended(part) { return .event(part, .isMended) }
    if part.hasEvent { noteUnnumbered(part, &notices) }
    comesOut(part)
    return .event(part, .print)
  }

  private mutating func noteUnnumbered(_ part: MergePart, _ notices: inout [Notice]) {
    if part.clues.isBeginning {
      part.hasBegun = true
      if responses.count == Self.mostResponses { responses = [:] }
      let other = responses.updateValue(part.index, forKey: part.clues.response)
      if let other, other != part.index, part.clues.response != 0 { reportGuess(part, &notices) }
    }
    if part.number != nil {
      if !part.isCut { tracks[part.track].unnumbered = [part.index] }
      if part.isUnparsed { tracks[part.track].unparsed += 1 }
    } else if !part.hasBegun, parts.count > 1 {
      if let document = part.clues.document {
        part.hasBegun = true
        return report(MergeClues.fault(of: document), about: part, at: part.inputPlace, &notices)
      }
      part.leading += 1
    }
  }

  private mutating func repeats(_ part: MergePart) -> Next {
    (part.place, copies) = (place, copies + 1)
    return .event(part, .isRepeat)
  }

  private mutating func comesOut(_ part: MergePart) {
    place += 1
    (content, copies, part.place) = (part.clues.content, 1, place)
  }

  /// The event that stands next in `track`, or should have come before; `nil` at a hole.
  private func following(_ track: Int) -> Int? {
    let next = tracks.number(of: track) + 1
    let first = firstIndex(notBefore: Key(track: track, number: .min))
    let isNamed = first < numbered.count && numbered[first].track == track
    if isNamed, numbered[first].number < next { return first }
    let named = isNamed && numbered[first].number == next ? first : nil
    guard let unnamed = followingUnnamed(track, next) else { return named }
    guard let named, numbered[unnamed].number == next else { return unnamed }
    // What is named is sure; of two that are one, the first FILE's comes out.
    let isOne = head(named).clues.content == head(unnamed).clues.content
    return isOne && numbered[unnamed].part < numbered[named].part ? unnamed : named
  }

  private func followingUnnamed(_ track: Int, _ next: Int) -> Int? {
    guard numbered.last?.track == Key.unnamed else { return nil }
    var index = firstIndex(notBefore: Key(track: Key.unnamed, number: next - 1))
    var found: Int?
    while index < numbered.count, numbered[index].number <= next {
      let (part, number) = (head(index), numbered[index].number)
      let place = tracks(of: part)
      if number == next ? place?.track == track : isRepeat(part, number, in: place) {
        // An id may have become known since it came to stand there.
        if number < next || place?.isNamed == true { return index }
        found = found ?? index
      }
      index += 1
    }
    return found
  }

  /// The event that is next when all are looked at: one that goes on where its response stands, or
  /// is late, then one of the response that began first, of which the lowest number.
  private func lowest() -> (index: Int, place: MergeTracks.Place?) {
    var best: (index: Int, place: MergeTracks.Place?) = (0, tracks(of: head(0)))
    var index = after(0)
    while index < numbered.count {
      let place = tracks(of: head(index))
      if isBefore((index, place), best) { best = (index, place) }
      index = after(index)
    }
    return best
  }

  /// The event behind that at `index` that may come before it: of a track only the first.
  private func after(_ index: Int) -> Int {
    let track = numbered[index].track
    return track == Key.unnamed
      ? index + 1 : firstIndex(notBefore: Key(track: track + 1, number: .min))
  }

  private func isBefore(
    _ left: (index: Int, place: MergeTracks.Place?),
    _ right: (index: Int, place: MergeTracks.Place?)
  ) -> Bool {
    if left.place == nil, right.place == nil, let one = head(left.index).clues.createdAt,
      let other = head(right.index).clues.createdAt, one != other
    {
      return one < other
    }
    func key(_ event: (index: Int, place: MergeTracks.Place?)) -> (Int, Int, Int, Int, Int) {
      let (number, part) = (numbered[event.index].number, numbered[event.index].part)
      guard let place = event.place else {
        let clues = head(event.index).clues
        return (clues.isBeginning && clues.tag != 0 ? 1 : 2, .max, number, 0, part)
      }
      let goesOn = number - 1 <= tracks.number(of: place.track)
      return (goesOn ? 0 : 2, place.track, number, place.isNamed ? 0 : 1, part)
    }
    return key(left) < key(right)
  }

  /// Hands on the event at `index`, which belongs to `place`.
  private mutating func give(
    _ index: Int, in place: MergeTracks.Place?, _ notices: inout [Notice]
  ) -> Next {
    let (key, part) = (numbered[index], head(index))
    if let run = part.run, isOfOtherRun(index, run) {
      leaveAside(run, "two lines have the same oresp.n, so the files are of two runs", &notices)
      return next(isPatient: true, &notices)
    }
    var place = key.track == Key.unnamed ? tracks(of: part) : place
    if place == nil, let former = tracks.former(part.clues),
      tracks.content(at: key.number, of: former) == part.clues.content
    {
      place = (former, true)
    }
    if isRepeat(part, key.number, in: place) {
      numbered.remove(at: index)
      let track = place?.isNamed == true ? place?.track ?? 0 : last ?? 0
      if place?.isNamed != true, part.number == nil, doubtful.count < Self.mostDoubtful {
        doubtful.insert(key.number)
      }
      stand(part, in: track, at: key.number, &notices)
      noteFile(part, of: track)
      return repeats(part)
    }
    let isSure = !reportDoubt(about: index, place, &notices)
    numbered.remove(at: index)
    let before = place.map { tracks.number(of: $0.track) }
    let track = tracks.note(part.clues, numbered: key.number, in: place?.track)
    if place == nil { tracks[track].name = part.responseID }
    if place == nil, part.clues.isBeginning { beginnings += 1 }
    if reportsHoles, isSure || before != nil {
      reportHole(before: key.number, of: part, track, after: before, &notices)
    }
    stand(part, in: track, at: key.number, &notices)
    noteFile(part, of: track)
    comesOut(part)
    last = track
    return .event(part, .print)
  }

  private mutating func noteFile(_ part: MergePart, of track: Int) {
    guard tracks[track].part != part.index, !hasShared else { return }
    hasShared = tracks[track].part != nil
    tracks[track].part = part.index
  }

  /// Whether the FILEs hold different responses, each of which came out as it stands there.
  var cameOneByOne: Bool {
    !hasShared && parts.count > 1 && tracks.count > 1 && tracks.hasEnded
      && beginnings == tracks.count
  }

  /// The last event of `part` that had a number has the number `number` of `track`.
  private mutating func stand(
    _ part: MergePart, in track: Int, at number: Int, _ notices: inout [Notice]
  ) {
    if part.number == nil, part.leading > 0, number > 0, !part.clues.isBeginning {
      reportGuess(part, &notices)
    }
    (part.track, part.number) = (track, number)
  }

  /// Whether the event at which `part` stands came out before.
  private func isRepeat(_ part: MergePart, _ number: Int, in place: MergeTracks.Place?) -> Bool {
    let content = part.clues.content
    if let place, place.isNamed {
      return number <= tracks.number(of: place.track)
        && tracks.content(at: number, of: place.track) == content
    }
    let rises = number > part.number ?? -1
    if part.number != nil, rises, number <= tracks.number(of: part.track) {
      return tracks.content(at: number, of: part.track) == content
    }
    guard let last, number == tracks.number(of: last), content == self.content else { return false }
    return part.track + (number < part.number ?? 0 ? 1 : 0) <= last
  }

  /// Whether another line of `run` has the number of the line at `index`.
  private func isOfOtherRun(_ index: Int, _ run: Int) -> Bool {
    let (number, content) = (numbered[index].number, head(index).clues.content)
    if let known = tracks.content(at: number, of: run) { return known != content }
    return index + 1 < numbered.count && numbered[index + 1].track == run
      && numbered[index + 1].number == number && head(index + 1).clues.content != content
  }

  /// Whether another FILE goes on where `part` was cut off.
  private func isMended(_ part: MergePart) -> Bool {
    let open = numbered.indices.lazy.map { ($0, numbered[$0].number, head($0)) }
    guard let number = part.number else {
      return open.contains { _, number, part in
        // A recording that was begun late begins with what names its response, too.
        number == 0 || part.clues.isBeginning
          || place == 0 && part.clues.response != 0 && !part.clues.isEnd
      }
    }
    let hasEnded = tracks[part.track].hasEnded
    if hasEnded, copies > 1, part.place == place { return true }
    let places = part.isCut ? part.places : [(part.track, number)]
    return open.contains { _, next, other in
      let place = tracks(of: other)
      return hasEnded
        ? place == nil : places.contains { $0.0 == place?.track && next - 1 == $0.1 }
    }
  }

  // MARK: What is reported

  static let guess =
    "lines without a number have no sure place among the others; "
    + "number the stream with oresp-sse --number before it is split"

  /// Reports `why` once.
  private mutating func report(
    _ why: String, about part: MergePart, at place: Notice.Place? = nil,
    _ notices: inout [Notice]
  ) {
    guard reported.insert(why).inserted else { return }
    var notice = Notice(.error, why, status: .badInput, at: place)
    notice.input = parts.count > 1 ? part.name : nil
    notices.append(notice)
  }

  /// Reports that a line of `part` has no number, so that its place is a guess.
  mutating func reportGuess(_ part: MergePart, _ notices: inout [Notice]) {
    report("its " + Self.guess, about: part, &notices)
  }

  /// Reports what is missing before `number` of `track`, whose highest number was `before`.
  private mutating func reportHole(
    before number: Int, of part: MergePart, _ track: Int, after before: Int?,
    _ notices: inout [Notice]
  ) {
    let missing = number - 1 - (before ?? -1)
    let isFilled = missing > 0 && !tracks[track].isRun && tracks[track].unparsed >= missing
    if isFilled { tracks[track].unparsed -= missing }
    let unnumbered = tracks[track].unnumbered
    if !unnumbered.isEmpty, missing >= 0 {
      tracks[track].unnumbered = []
      let goesOn = unnumbered.contains {
        $0 == part.index || parts[$0].clues.sequenceNumber == number
      }
      if !goesOn, !isFilled { reportGuess(parts[unnumbered[0]], &notices) }
    }
    guard missing > 0, !isFilled else { return }
    let isRun = tracks[track].isRun
    let numbers = missing == 1 ? "\(number - 1)" : "\(number - missing) to \(number - 1)"
    let names = (isRun ? "oresp.n " : "sequence number ") + numbers
    guard before ?? -1 >= 0 else {
      guard !part.clues.isBeginning else { return }
      let why = "no file has \(names): the beginning is missing"
      return notices.append(Notice(.warning, why))
    }
    let name = tracks[track].name.isEmpty ? "" : " of \(tracks[track].name)"
    notices.append(Notice(.error, "no file has \(names)\(name)", status: .badInput))
  }

  /// Reports an error if it is not sure that the event at `best` is next, and returns whether it
  /// did.
  private mutating func reportDoubt(
    about best: Int, _ place: MergeTracks.Place?, _ notices: inout [Notice]
  ) -> Bool {
    let (number, part) = (numbered[best].number, head(best))
    func report(_ why: String) -> Bool {
      notices.append(Notice(.error, why, status: .badInput, at: part.inputPlace))
      if parts.count > 1 { notices[notices.count - 1].input = part.name }
      return true
    }
    let help = "oresp-sse --tag or --number tells them apart before the split"
    let unknown = "sequence number \(number) may belong to one response or another; \(help)"
    guard let (track, isNamed) = place else {
      let isSure =
        number <= part.number ?? -1 || part.clues.response != 0 || !tracks.hasOpen(part.clues.tag)
      return (!isSure || tracks.former(part.clues) != nil) && report(unknown)
    }
    let before = tracks.number(of: track)
    if number <= before {
      guard !part.isKnownDisordered else { return false }
      part.isKnownDisordered = true
      return report(
        "sequence number \(number) comes after \(before); --merge=sort puts a file in order")
    }
    if !isNamed, hasRival(best, in: track) { return report(unknown) }
    guard number > before + 1, doubtful.contains(where: { before < $0 && $0 < number }) else {
      return false
    }
    return report(
      "sequence numbers \(before + 1) to \(number - 1) were left out as copies of another response's; "
        + help)
  }

  /// Whether another event that no id names could come next in `track` just as well.
  private func hasRival(_ best: Int, in track: Int) -> Bool {
    let number = numbered[best].number
    let goesOn = number == tracks.number(of: track) + 1
    let first = goesOn ? firstIndex(notBefore: Key(track: Key.unnamed, number: number)) : 0
    for other in numbered.indices[first...] where other != best {
      if goesOn, numbered[other].number != number { break }
      guard let rival = tracks(of: head(other)) else {
        if goesOn { continue }
        return true
      }
      if rival.track == track, !rival.isNamed, numbered[other].number == number,
        head(other).clues.content != head(best).clues.content
      {
        return true
      }
    }
    return false
  }
}

extension MergePart {
  /// The id of the response that its event holds.
  fileprivate var responseID: String {
    let (bytes, place) = line
    return JSONChildren.text(of: "response", "id", in: bytes.span.extracting(place))
  }

  fileprivate var inputPlace: Notice.Place? { hasEvent ? event.inputPlace : nil }

  /// Whether its event stands for what is no JSON.
  fileprivate var isUnparsed: Bool {
    let (bytes, place) = line
    return hasEvent && event.isUnparsed(bytes.span.extracting(place))
  }
}
