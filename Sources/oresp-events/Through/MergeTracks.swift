import Core

/// The tracks of a join: sequences of numbers, one for the events of each response or, if `oresp.n`
/// numbers them, for the lines of each run. Tracks are numbered from 0 as they begin.
///
/// An event belongs to the track of its response's or item's id, within the stream of its tag;
/// without either, to the response whose numbers it continues. The last `mostTracks` are
/// remembered, and the last contents of each.
struct MergeTracks {
  struct Track {
    /// The highest number that came; -1 before the first.
    fileprivate(set) var number = -1
    fileprivate(set) var hasEnded = false
    let isRun: Bool
    let tag: UInt64
    fileprivate var hasID = false
    fileprivate var createdAt: Int?
    fileprivate var items: [UInt64] = []
    /// The contents of its last events, from number `first` on; 0 for a number that did not come.
    fileprivate var contents: [UInt64] = []
    fileprivate var first = 0
    /// The id of the response, if its first event has one; else empty.
    var name = ""
    /// The number of its lines that are no JSON; each may have a missing number.
    var unparsed = 0
    /// The FILEs that had an event without a number behind its last one.
    var unnumbered: [Int] = []
    /// The one FILE that its events came from; `nil` once there were several.
    var part: Int?
  }

  /// The track of an event, and whether an id in the event names it.
  typealias Owner = (track: Int, isNamed: Bool)

  private static let mostTracks = 1 << 16
  private static let mostContents = 1 << 16
  private static let mostContentsOfAll = 1 << 18

  /// The number of tracks that have begun, and of tracks that were forgotten.
  private(set) var count = 0
  private var forgotten = 0
  private var tracks: [Track] = []
  /// The responses that have not ended, in order.
  private var open: [Int] = []
  private var ids: [UInt64: Int] = [:]
  private var items: [UInt64: Int] = [:]
  /// The response that ended last, whose items are still known.
  private var lastEnded: Int?
  /// The number of contents that are remembered, and the first track that may have some.
  private var contentCount = 0
  private var firstWithContents = 0

  /// The track numbered `track`; a forgotten one has ended.
  subscript(track: Int) -> Track {
    get {
      track >= forgotten
        ? tracks[track - forgotten] : Track(hasEnded: true, isRun: false, tag: 0)
    }
    _modify {
      var none = Track(hasEnded: true, isRun: false, tag: 0)
      if track >= forgotten { yield &tracks[track - forgotten] } else { yield &none }
    }
  }

  /// The highest number of `track`; the subscript would copy all of it.
  func number(of track: Int) -> Int {
    track >= forgotten ? tracks[track - forgotten].number : Self.behindAll
  }

  /// A number that no event has, since an event has at most `JSONNumber.largest`.
  private static let behindAll = JSONNumber.largest + 1

  /// Whether every response that began has ended.
  var hasEnded: Bool { open.isEmpty }

  /// Whether a response that has `tag` has not ended.
  func hasOpen(_ tag: UInt64) -> Bool { open.contains { tracks[$0 - forgotten].tag == tag } }

  /// The owner of an event behind one numbered `number` of `track`; `nil` when its response has not
  /// begun or is not known.
  func owner(of clues: MergeClues, behind number: Int?, of track: Int) -> Owner? {
    if clues.response != 0, let known = ids[clues.response] { return (known, true) }
    if clues.item != 0, let known = items[clues.item], !hasEnded(known) { return (known, true) }
    guard !clues.isBeginning, let next = clues.sequenceNumber else { return nil }
    let rises = number.map { next > $0 } ?? true
    let first = track + (rises ? 0 : 1)
    let found = open.first {
      $0 >= first && next > self.number(of: $0) && tracks[$0 - forgotten].tag == clues.tag
    }
    guard let found, clues.response == 0 || isOne(clues, tracks[found - forgotten]) else {
      return nil
    }
    return (found, false)
  }

  /// The ended response that the item of an event belonged to; else `nil`.
  func former(_ clues: MergeClues) -> Int? {
    clues.item == 0 ? nil : items[clues.item].flatMap { hasEnded($0) ? $0 : nil }
  }

  /// The content of the event numbered `number` of `track`; `nil` when it is not remembered.
  func content(at number: Int, of track: Int) -> UInt64? {
    guard track >= forgotten else { return nil }
    let index = number - tracks[track - forgotten].first
    guard tracks[track - forgotten].contents.indices.contains(index) else { return nil }
    let content = tracks[track - forgotten].contents[index]
    return content == 0 ? nil : content
  }

  /// Begins the run that has `tag`, and returns its track.
  mutating func makeRun(_ tag: UInt64) -> Int { append(Track(isRun: true, tag: tag)) }

  /// Notes that an event was printed, with `number` in `known`, or in a response that begins if
  /// that is `nil`. Returns the track.
  mutating func note(_ clues: MergeClues, numbered number: Int, in known: Int?) -> Int {
    let track = known ?? append(Track(isRun: false, tag: clues.tag))
    guard track >= forgotten else { return track }
    let index = track - forgotten
    tracks[index].number = max(tracks[index].number, number)
    remember(clues.content, at: number, of: index)
    guard !tracks[index].isRun else { return track }
    if clues.response != 0 {
      (ids[clues.response], tracks[index].hasID) = (track, true)
      if let time = clues.createdAt { tracks[index].createdAt = time }
    }
    if clues.item != 0, items.updateValue(track, forKey: clues.item) != track {
      tracks[index].items.append(clues.item)
    }
    if clues.isEnd, !tracks[index].hasEnded { end(track) }
    return track
  }

  private mutating func end(_ track: Int) {
    tracks[track - forgotten].hasEnded = true
    open.removeAll { $0 == track }
    if let lastEnded, lastEnded >= forgotten {
      for item in tracks[lastEnded - forgotten].items where items[item] == lastEnded {
        items[item] = nil
      }
      tracks[lastEnded - forgotten].items = []
    }
    lastEnded = track
  }

  private mutating func remember(_ content: UInt64, at number: Int, of index: Int) {
    let gap = number - (tracks[index].first + tracks[index].contents.count)
    if tracks[index].contents.isEmpty || gap > Self.mostContents {
      contentCount -= tracks[index].contents.count
      (tracks[index].contents, tracks[index].first) = ([], number)
    } else if gap < 0 {
      if number >= tracks[index].first {
        tracks[index].contents[number - tracks[index].first] = content
      }
      return
    }
    let count = tracks[index].contents.count
    while tracks[index].first + tracks[index].contents.count < number {
      tracks[index].contents.append(0)
    }
    tracks[index].contents.append(content)
    if tracks[index].contents.count > Self.mostContents * 2 {
      tracks[index].contents.removeFirst(Self.mostContents)
      tracks[index].first += Self.mostContents
    }
    contentCount += tracks[index].contents.count - count
    if contentCount > Self.mostContentsOfAll { forgetContents() }
  }

  /// Forgets the contents of the oldest tracks that have some.
  private mutating func forgetContents() {
    var index = max(0, firstWithContents - forgotten)
    while index < tracks.count - 1, contentCount > Self.mostContentsOfAll / 2 {
      contentCount -= tracks[index].contents.count
      tracks[index].contents = []
      index += 1
    }
    firstWithContents = forgotten + index
  }

  /// Begins `track`. Returns its number.
  private mutating func append(_ track: Track) -> Int {
    if !track.isRun { open.append(count) }
    tracks.append(track)
    count += 1
    if tracks.count > Self.mostTracks * 2 { forget() }
    return count - 1
  }

  private mutating func forget() {
    forgotten += Self.mostTracks
    tracks.removeFirst(Self.mostTracks)
    contentCount = tracks.reduce(0) { $0 + $1.contents.count }
    let first = forgotten
    open.removeAll { $0 < first }
    ids = ids.filter { $0.value >= first }
    items = items.filter { $0.value >= first }
  }

  private func hasEnded(_ track: Int) -> Bool {
    track < forgotten || tracks[track - forgotten].hasEnded
  }

  /// Whether an event with another id is still of `response`: some servers give each event of a
  /// response another id.
  private func isOne(_ clues: MergeClues, _ response: Track) -> Bool {
    guard response.hasID else { return true }
    if let time = clues.createdAt, let known = response.createdAt { return time == known }
    return clues.sequenceNumber == response.number + 1
  }
}
