package import Core

/// What the events of a reply tell of its response. Of several responses the last counts.
package struct ResponseFacts {
  package private(set) var id = ""
  package private(set) var model = ""
  package private(set) var status = ""
  package private(set) var usage: JSONValue?

  /// Reads `line`, an event on the state of a response.
  mutating func read(_ line: Span<UInt8>) {
    id = JSONChildren.text(of: "response", "id", in: line)
    model = JSONChildren.text(of: "response", "model", in: line)
    status = JSONChildren.text(of: "response", "status", in: line)
    usage = nil
    guard let value = JSONChildren.value(of: "response", "usage", in: line) else { return }
    let text = line.extracting(value)
    // Line breaks can stand between tokens only; what is no JSON is not an object here.
    guard !text.isEmpty, text[0] == ASCII.openBrace else { return }
    usage = .raw([UInt8](copying: text).filter { $0 != ASCII.lf && $0 != ASCII.cr })
  }
}

/// Reads a reply while it is passed on, and judges it.
struct ReplyJudge: ~Copyable {
  private var judge = Judge()
  private var reader = EventReader(EventReader.Settings())
  private let triage = EventTriage(unknown: .drop) { _ in .drop }
  /// Where events stand that tell of an error, in bytes from the start of the reply, as far as
  /// `takeErrors` did not give them.
  private var errors: [Range<Int>] = []

  private(set) var facts = ResponseFacts()

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

  /// Where events stand that tell of an error, since it was asked last.
  mutating func takeErrors() -> [Range<Int>] {
    guard !errors.isEmpty else { return [] }
    defer { errors = [] }
    return errors
  }

  private mutating func handle(
    _ event: Event, _ input: borrowing InputBuffer, into output: inout Output
  ) {
    let isError: Bool
    if let place = event.place {
      isError = read(event, input.bytes.span.extracting(place), into: &output)
    } else {
      let line = reader.made
      isError = read(event, line.span, into: &output)
    }
    if isError { errors.append(event.inputOffset..<input.offset(of: input.start)) }
  }

  /// Returns whether the event tells of an error: one of the server, of a response, or a text that
  /// is no event at all.
  private mutating func read(
    _ event: Event, _ line: Span<UInt8>, into output: inout Output
  ) -> Bool {
    judge.handle(event, line, into: &output)
    switch event.type?.family {
    case .lifecycle:
      facts.read(line)
      return JSONChildren.value(of: "response", "error", in: line).map {
        !line.extracting($0).equals("null")
      } ?? false
    case .error: return true
    case nil: return line.starts(with: "{\"type\":\"oresp.unparsed\"", at: 0)
    default: return false
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
