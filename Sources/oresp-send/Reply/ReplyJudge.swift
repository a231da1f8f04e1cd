import Core

/// Reads a reply while it is passed on, and judges it.
struct ReplyJudge: ~Copyable {
  private var judge = Judge()
  private var reader = EventReader(EventReader.Settings())
  private let triage = EventTriage(unknown: .drop) { _ in .drop }

  /// Where the last block ended in the reply; `nil` when it is no event stream.
  var blockEnd: Int? { reader.blockEnd }

  /// Whether a response began that has neither ended nor been told to have failed.
  var isOpen: Bool { judge.isOpen }

  /// Whether the last response ended, or was told to have failed.
  var hasEnd: Bool { judge.hasEnd }

  /// Whether there was any event.
  var hasEvents: Bool { judge.meets(.objects) }

  /// Whether any of them had a type.
  var hasTypes: Bool { judge.meets(.typed) }

  /// Takes all it can from `input`, which is at its end or goes on. Tells in `output` how a
  /// response ended.
  mutating func take(_ input: inout InputBuffer, isEnd: Bool, into output: inout Output) {
    var last: Event?
    while let event = isEnd
      ? reader.finish(&input) : reader.next(&input, triage, passingTo: &output.bytes)
    {
      handle(event, input, into: &output)
      last = event
    }
    let skimmed = reader.takeSkimmed()
    judge.note(skimmed)
    if let place = skimmed.last {
      judge.noteSequence(input.bytes.span.extracting(place))
    } else if let last {
      noteSequence(of: last, input)
    }
  }

  /// Takes an event that is added to the reply.
  mutating func take(added line: [UInt8], into output: inout Output) {
    var event = Event()
    (event.typeName, event.type) = Event.type(of: line.span)
    judge.handle(event, line.span, into: &output)
  }

  mutating func finish(into output: inout Output) { judge.finish(into: &output) }

  /// What the reader found wrong since it was asked last.
  mutating func takeFindings() -> [Notice] {
    defer { reader.notices = [] }
    return reader.notices
  }

  private mutating func handle(
    _ event: Event, _ input: borrowing InputBuffer, into output: inout Output
  ) {
    if let place = event.place {
      judge.handle(event, input.bytes.span.extracting(place), into: &output)
    } else {
      let line = reader.made
      judge.handle(event, line.span, into: &output)
    }
  }

  private mutating func noteSequence(of event: Event, _ input: borrowing InputBuffer) {
    if let place = event.place {
      judge.noteSequence(input.bytes.span.extracting(place))
    } else {
      let line = reader.made
      judge.noteSequence(line.span)
    }
  }
}
