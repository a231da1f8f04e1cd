package import Core

/// Gives each event of any event stream as an object of its fields, exactly as the standard has it
/// dispatched.
package struct EnvelopeFilter: Filter, ~Copyable {
  private let settings: SSETool.Settings
  private let now: () -> Int
  private var stream: EventStreamDecoder
  private var judge = Judge()
  /// The reconnection time that was given out last.
  private var retry: Int?
  private var count = 0
  private var hasBytes = false

  /// `now` tells the time in microseconds since the epoch.
  package init(_ settings: SSETool.Settings, now: @escaping () -> Int = Clock.microseconds) {
    self.settings = settings
    self.now = now
    stream = EventStreamDecoder(limit: settings.reading.limit)
  }

  package mutating func take(_ input: inout InputBuffer, into output: inout Output) {
    hasBytes = hasBytes || input.count > 0
    while let found = stream.next(&input) {
      switch found {
      case .event: appendEvent(to: &output)
      case .comment(let text):
        if settings.reading.keepsComments { append(comment: text, of: input, to: &output) }
      case .fault: break
      case .oversized:
        let why = "an event is longer than \(settings.reading.limit) bytes, and dropped"
        output.notices.append(Notice(.error, why, status: .badInput, at: stream.blockPlace))
      }
      // An id that was sent once stands in every line from then on.
      if output.bytes.count >= Output.enough { return output.leaveOff() }
    }
  }

  package mutating func endInput(_ input: inout InputBuffer, into output: inout Output) {
    if stream.hasRest(input) {
      let place = Notice.Place(line: stream.linePlace.line + 1, byte: input.offset(of: input.start))
      output.notices.append(
        Notice(.warning, "the input ends inside an event, which is dropped", at: place))
    }
    input.start = input.end
    stream = EventStreamDecoder(limit: settings.reading.limit)
    retry = nil
  }

  package mutating func finish(into output: inout Output) -> ExitStatus {
    judge.finish(into: &output)
    output.notices.append(Notice(.summary, "\(count) events"))
    return .completed
  }

  package var complaint: Notice? { count > 0 ? nil : .withoutEvents(hasBytes: hasBytes) }

  private mutating func appendEvent(to output: inout Output) {
    count += 1
    let (name, data) = (stream.name, stream.data)
    var members: [(name: String, value: JSONValue)] = [
      ("event", name.isEmpty ? .text("message") : .string(name)), ("id", .string(stream.lastID)),
    ]
    if let time = stream.retry, time != retry {
      members.append(("retry", .integer(time)))
      retry = time
    }
    members.append(("data", .string(data)))
    if settings.stamps { members.append(("at", Stamp.json(microseconds: now()))) }
    append(members, to: &output)
    noteRepairs(of: [data, name, stream.lastID], in: &output)
    if data.first == ASCII.openBrace {
      var event = Event()
      (event.typeName, event.type) = Event.type(of: data.span)
      judge.handle(event, data.span, into: &output)
    }
  }

  private mutating func append(
    comment text: Range<Int>, of input: borrowing InputBuffer, to output: inout Output
  ) {
    var comment = input.bytes.span.extracting(text)
    if comment.count > 0, comment[0] == ASCII.space { comment = comment.extracting(1...) }
    append([("comment", .string([UInt8](copying: comment)))], to: &output)
  }

  private func append(
    _ members: [(name: String, value: JSONValue)], to output: inout Output
  ) {
    JSONValue.object(members).write(into: &output.bytes)
    output.bytes.append(ASCII.lf)
  }

  private func noteRepairs(of texts: [[UInt8]], in output: inout Output) {
    guard texts.contains(where: { !UTF8Repair.isValid($0.span) }) else { return }
    let why = "not UTF-8; U+FFFD put in its place"
    output.notices.append(Notice(.warning, why, at: stream.blockPlace))
  }
}
