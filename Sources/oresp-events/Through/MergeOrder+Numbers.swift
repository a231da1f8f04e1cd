import Core

/// The number that orders an event: `oresp.n` if the first line of its tag in each FILE has it,
/// else its sequence number within its response.
extension MergeOrder {
  mutating func number(of part: MergePart, _ notices: inout [Notice]) -> Int? {
    guard part.hasEvent, !part.isCut else { return nil }
    let clues = part.clues
    if clues.tag != part.tag, !clues.hasNoNumber { part.turn(to: clues.tag) }
    if part.run != clues.run {
      part.run = clues.run
      if part.runs.insert(clues.run).inserted { begin(clues, &notices) }
      part.runTrack = runs[clues.run] ?? nil
    }
    guard part.runTrack != nil else { return clues.sequenceNumber }
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

  /// Orders the lines of `run` by their sequence numbers from now on.
  mutating func leaveAside(_ run: Int, _ why: String, _ notices: inout [Notice]) {
    let hasBegun = tracks.number(of: run) >= 0
    notices.append(
      Notice(
        hasBegun ? .error : .warning, why + ", so it is ignored",
        status: hasBegun ? .badInput : .completed))
    runs.updateValue(nil, forKey: tracks[run].tag)
    if last == run { last = nil }
    for part in parts where part.runTrack == run { part.runTrack = nil }
    let moved = numbered.filter { $0.track == run }
    numbered.removeAll { $0.track == run }
    for key in moved { append(parts[key.part], &notices) }
  }

  /// Whether another line of `run` has the number of the line at `index`.
  func isOfOtherRun(_ index: Int, _ run: Int) -> Bool {
    let (number, content) = (numbered[index].number, part(at: index).clues.content)
    if let known = tracks.content(at: number, of: run) { return known != content }
    return index + 1 < numbered.count && numbered[index + 1].track == run
      && numbered[index + 1].number == number && part(at: index + 1).clues.content != content
  }

  /// Notes an event that has no number.
  mutating func noteUnnumbered(_ part: MergePart, _ notices: inout [Notice]) {
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

  private static let mostResponses = 1 << 16
}

/// Finds events that another FILE has, too.
extension MergeOrder {
  func isRepeat(at index: Int) -> Bool {
    let part = part(at: index)
    return isRepeat(part, numbered[index].number, in: owner(of: part))
  }

  /// Whether the event at which `part` stands, with `number` in the track `owner`, was printed.
  func isRepeat(_ part: MergePart, _ number: Int, in owner: MergeTracks.Owner?) -> Bool {
    let content = part.clues.content
    if let owner, owner.isNamed {
      return number <= tracks.number(of: owner.track)
        && tracks.content(at: number, of: owner.track) == content
    }
    let rises = number > part.number ?? -1
    if part.number != nil, rises, number <= tracks.number(of: part.track) {
      return tracks.content(at: number, of: part.track) == content
    }
    guard let last, number == tracks.number(of: last), content == printed.content else {
      return false
    }
    return part.track + (number < part.number ?? 0 ? 1 : 0) <= last
  }

  /// Notes a repeat that is tied to a response by its number only.
  mutating func noteDoubtful(_ part: MergePart, _ number: Int) {
    if part.number == nil, doubtful.count < Self.mostDoubtful { doubtful.insert(number) }
  }

  private static let mostDoubtful = 1000

  /// Whether another FILE goes on where `part` was cut off.
  func isMended(_ part: MergePart) -> Bool {
    guard let number = part.number else {
      return numbered.contains { key in
        let clues = parts[key.part].clues
        // A recording begun late: its first event names a response, but does not begin it.
        return key.number == 0 || clues.isBeginning
          || printed.count == 0 && clues.response != 0 && !clues.isEnd
      }
    }
    let hasEnded = tracks[part.track].hasEnded
    if hasEnded, printed.copies > 1, part.printed == printed.count { return true }
    let positions = part.isCut ? part.positions : [(part.track, number)]
    return numbered.contains { key in
      let owner = owner(of: parts[key.part])
      return hasEnded
        ? owner == nil
        : positions.contains { $0.track == owner?.track && $0.number == key.number - 1 }
    }
  }
}
