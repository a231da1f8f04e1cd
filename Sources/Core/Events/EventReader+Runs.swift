/// Deltas that follow one another and are alike come out as one event.
extension EventReader {
  /// The deltas at the front of the input that are like one before, as one event; `nil` when none is.
  mutating func nextRun(_ input: inout InputBuffer) -> Event? {
    guard let template, (template.before == 0) == (format == .json), takesShortWay,
      let start = format == .json ? texts.nextLine(&input) : input.start
    else { return nil }
    let (before, behind) = (template.before, template.behind)
    let checksUTF8 = settings.validates || format == .eventStream
    let first = start + before
    var members: [DeltaRun.Member] = []
    var (end, number, isInSequence) = (start, Int?.none, true)
    while let match = template.match(
      input.bytes.span.extracting(0..<input.end), at: end, checksUTF8: checksUTF8)
    {
      let line = end + before - first..<match.end - behind - first
      guard settings.limit == 0 || line.count <= settings.limit else { break }
      if !members.isEmpty {
        isInSequence = isInSequence && match.number == number.map { $0 &+ 1 }
      }
      let delta = match.delta.lowerBound - first..<match.delta.upperBound - first
      members.append(DeltaRun.Member(line: line, delta: delta))
      (end, number) = (match.end, match.number)
    }
    guard let last = members.last else { return nil }
    var event = Event(at: take(members[0].line, first, &input))
    if members.count > 1 { pass(members, first, &input) }
    event.inputEnd = input.offset(of: input.start)
    event.place = first..<first + last.line.upperBound
    event.type = template.type
    event.typeName = DeltaRun.place(of: template.name, in: members[0].line)
    if members.count > 1 {
      event.run = DeltaRun(members, named: template.name, isInSequence, lines: template.lines)
    }
    return event
  }

  /// Takes the members of a run but for the first.
  private mutating func pass(
    _ members: [DeltaRun.Member], _ first: Int, _ input: inout InputBuffer
  ) {
    guard let template, let last = members.last?.line else { return }
    input.start = first + last.lowerBound - template.before
    let lines = (members.count - 2) * template.lines
    if format == .json { texts.passLines(lines + 1) } else { stream.passLines(lines) }
    _ = take(last, first, &input)
  }

  /// Takes a member of a run, whose line stands at `line` from `first` on; tells where it starts.
  private mutating func take(
    _ line: Range<Int>, _ first: Int, _ input: inout InputBuffer
  ) -> Notice.Place {
    let place = first + line.lowerBound..<first + line.upperBound
    guard format == .json else {
      stream.takeBlock(place, of: &input)
      hasSeenBlock = true
      return stream.blockPlace
    }
    _ = texts.nextLine(&input)
    texts.takeLine(place, of: &input)
    return texts.place
  }
}
