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
  private var feed = EventFeed(sorting: .judging)
  /// What the reader found wrong, as far as `takeFindings` did not give it.
  private var findings: [Notice] = []
  /// Where events stand that tell of an error, in bytes from the start of the reply, as far as
  /// `takeErrors` did not give them.
  private var errors: [Range<Int>] = []

  private(set) var facts = ResponseFacts()

  /// Where the last block ended in the reply; `nil` when it is no event stream.
  var blockEnd: Int? { feed.blockEnd }

  /// Whether a response began that has neither ended nor been told to have failed.
  var isOpen: Bool { feed.judge.isOpen }

  /// Whether the last response ended, or was told to have failed.
  var hasEnd: Bool { feed.judge.hasEnd }

  /// Whether there was any event.
  var hasEvents: Bool { feed.judge.meets(.objects) }

  /// Whether any of them had a type.
  var hasTypes: Bool { feed.judge.meets(.typed) }

  /// Takes all it can from `input`, which is at its end or goes on. Tells in `output` how a
  /// response ended.
  mutating func take(_ input: inout InputBuffer, isEnd: Bool, into output: inout Output) {
    var (facts, errors) = (self.facts, self.errors)
    let told = output.notices.count
    feed.each(in: &input, isEnd: isEnd, into: &output) { event, line, _ in
      if event.type?.family == .lifecycle { facts.read(line) }
      if Self.tellsOfError(event, line) { errors.append(event.inputPlace.byte..<event.inputEnd) }
      return .counts
    }
    (self.facts, self.errors) = (facts, errors)
    // What the reader finds has a place in the input, and a verdict has none.
    let new = output.notices[told...]
    findings += new.filter { $0.place != nil }
    output.notices.replaceSubrange(told..., with: new.filter { $0.place == nil })
  }

  /// Handles an event that is added to the reply.
  mutating func take(added line: [UInt8], into output: inout Output) {
    var event = Event()
    (event.typeName, event.type) = Event.type(of: line.span)
    feed.judge(event, line.span, into: &output)
  }

  mutating func finish(into output: inout Output) { feed.finish(into: &output) }

  /// What the reader found wrong since it was asked last.
  mutating func takeFindings() -> [Notice] {
    defer { findings = [] }
    return findings
  }

  /// Where events stand that tell of an error, since it was asked last.
  mutating func takeErrors() -> [Range<Int>] {
    guard !errors.isEmpty else { return [] }
    defer { errors = [] }
    return errors
  }

  /// Whether the event tells of an error: one of the server, of a response, or a text that is no
  /// event at all.
  private static func tellsOfError(_ event: Event, _ line: Span<UInt8>) -> Bool {
    switch event.type?.family {
    case .lifecycle:
      JSONChildren.value(of: "response", "error", in: line).map {
        !line.extracting($0).equals("null")
      } ?? false
    case .error: true
    case nil: event.typeName.map { line.extracting($0).equals(EventLine.unparsed) } ?? false
    default: false
    }
  }
}
