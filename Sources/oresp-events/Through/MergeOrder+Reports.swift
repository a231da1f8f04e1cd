import Core

/// Reports events whose position is not sure, and holes.
extension MergeOrder {
  static let guess =
    "lines without a number have no sure place among the others; "
    + "number the stream with oresp-sse --number before it is split"

  /// Reports `why` once.
  mutating func report(
    _ why: String, about part: MergePart, at place: Notice.Place? = nil,
    _ notices: inout [Notice]
  ) {
    guard reported.insert(why).inserted else { return }
    append(why, about: part, at: place, &notices)
  }

  private func append(
    _ why: String, about part: MergePart, at place: Notice.Place?, _ notices: inout [Notice]
  ) {
    var notice = Notice(.error, why, status: .badInput, at: place)
    notice.input = parts.count > 1 ? part.name : nil
    notices.append(notice)
  }

  /// Reports that a line of `part` has no number, so that its position is a guess.
  mutating func reportGuess(_ part: MergePart, _ notices: inout [Notice]) {
    report("its " + Self.guess, about: part, &notices)
  }

  /// Reports the numbers missing in `track` between `before`, its highest so far, and `number`.
  mutating func reportHole(
    before number: Int, of part: MergePart, _ track: Int, after before: Int?,
    _ notices: inout [Notice]
  ) {
    let missing = number - 1 - (before ?? -1)
    let isRun = tracks[track].isRun
    let isFilled = missing > 0 && !isRun && tracks[track].unparsed >= missing
    if isFilled { tracks[track].unparsed -= missing }
    let unnumbered = tracks[track].unnumbered
    if let first = unnumbered.first, missing >= 0 {
      tracks[track].unnumbered = []
      let goesOn = unnumbered.contains {
        $0 == part.index || parts[$0].clues.sequenceNumber == number
      }
      if !goesOn, !isFilled { reportGuess(parts[first], &notices) }
    }
    guard missing > 0, !isFilled else { return }
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

  /// Reports an error if the event at `best` may not be the next one; returns whether it did.
  mutating func reportDoubt(
    about best: Int, _ owner: MergeTracks.Owner?, _ notices: inout [Notice]
  ) -> Bool {
    let part = part(at: best)
    guard let why = doubt(about: part, numbered[best].number, owner, best) else { return false }
    append(why, about: part, at: part.inputPlace, &notices)
    return true
  }

  private func doubt(
    about part: MergePart, _ number: Int, _ owner: MergeTracks.Owner?, _ best: Int
  ) -> String? {
    let help = "oresp-sse --tag or --number tells them apart before the split"
    var unknown: String {
      "sequence number \(number) may belong to one response or another; \(help)"
    }
    guard let (track, isNamed) = owner else {
      let isSure =
        number <= part.number ?? -1 || part.clues.response != 0 || !tracks.hasOpen(part.clues.tag)
      return !isSure || tracks.former(part.clues) != nil ? unknown : nil
    }
    let before = tracks.number(of: track)
    if number <= before {
      guard !part.isKnownDisordered else { return nil }
      part.isKnownDisordered = true
      let help = "jq -sc 'sort_by(.sequence_number)[]' puts a file in order"
      return "sequence number \(number) comes after \(before); \(help)"
    }
    if !isNamed, hasRival(best, in: track) { return unknown }
    guard number > before + 1, doubtful.contains(where: { before < $0 && $0 < number }) else {
      return nil
    }
    return
      "sequence numbers \(before + 1) to \(number - 1) were left out as copies of another response's; "
      + help
  }

  /// Whether another event without an id could come next in `track` just as well.
  private func hasRival(_ best: Int, in track: Int) -> Bool {
    let number = numbered[best].number
    let goesOn = number == tracks.number(of: track) + 1
    let first = goesOn ? firstIndex(notBefore: Key(track: Key.unnamed, number: number)) : 0
    for other in numbered.indices[first...] where other != best {
      if goesOn, numbered[other].number != number { break }
      guard let rival = owner(of: part(at: other)) else {
        if goesOn { continue }
        return true
      }
      if rival.track == track, !rival.isNamed, numbered[other].number == number,
        part(at: other).clues.content != part(at: best).clues.content
      {
        return true
      }
    }
    return false
  }
}

extension MergePart {
  /// The id of the response in its event; empty when there is none.
  var responseID: String {
    let (bytes, range) = line
    return event.text(of: "response", "id", in: bytes.span.extracting(range))
  }

  var inputPlace: Notice.Place? { hasEvent ? event.inputPlace : nil }

  /// Whether its event holds bytes that are no JSON, and may have been an event with a number.
  var isUnparsed: Bool {
    let (bytes, range) = line
    return hasEvent && !event.isHeartbeat && event.isUnparsed(bytes.span.extracting(range))
  }
}
