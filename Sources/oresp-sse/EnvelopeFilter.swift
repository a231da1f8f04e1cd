package import Core

/// Prints each event of any event stream as an object of its fields, as the standard dispatches it.
/// Of the lines `id: 7` and `data: Hi` and a blank one it makes
///
///     {"event":"message","id":"7","data":"Hi"}
package struct EnvelopeFilter: Filter, ~Copyable {
  private let settings: SSETool.Settings
  private let now: () -> Int
  private var stream: EventStreamDecoder
  private var judge = Judge()
  /// The last reconnection time that was printed.
  private var retry: Int?
  private var count = 0
  private var hasBytes = false

  /// `now` is the time in microseconds since the epoch.
  package init(_ settings: SSETool.Settings, now: @escaping () -> Int = Clock.microseconds) {
    self.settings = settings
    self.now = now
    stream = EventStreamDecoder(limit: settings.reading.limit)
  }

  package mutating func handle(_ input: inout InputBuffer, into output: inout Output) {
    hasBytes = hasBytes || input.count > 0
    while let found = stream.next(&input) {
      switch found {
      case .event: appendEvent(to: &output)
      case .comment, .fault: break
      case .oversized:
        let why = "an event is longer than \(settings.reading.limit) bytes, and dropped"
        output.notices.append(Notice(.error, why, status: .badInput, at: stream.blockPlace))
      }
      // Every line repeats the last id, so a short input can make a long output.
      if output.bytes.count >= Output.flushThreshold { return output.pauseToFlush() }
    }
  }

  package mutating func endInput(_ input: inout InputBuffer, into output: inout Output) {
    if stream.hasRest(input) {
      let why = "the input ends inside an event, which is dropped"
      var notice = Notice(.warning, why, at: stream.restPlace(input))
      notice.cutEvent = ", inside an event, which is dropped"
      notice.input = output.inputName
      judge.hold(cutEvent: notice)
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

  package var complaint: Notice? {
    count > 0 ? nil : .withoutEvents(hasBytes ? "no event stream" : nil)
  }

  private mutating func appendEvent(to output: inout Output) {
    count += 1
    let data = stream.data
    output.bytes.append(#"{"event":"#)
    var isUTF8 = JSONString.encode(name.span, into: &output.bytes)
    output.bytes.append(#","id":"#)
    isUTF8 = JSONString.encode(stream.lastID.span, into: &output.bytes) && isUTF8
    if let time = stream.retry, time != retry {
      output.bytes.append(#","retry":\#(time)"#)
      retry = time
    }
    output.bytes.append(#","data":"#)
    isUTF8 = JSONString.encode(data.span, into: &output.bytes) && isUTF8
    if settings.stamps {
      output.bytes.append(#","at":"#)
      Stamp.append(microseconds: now(), to: &output.bytes)
    }
    output.bytes.append("}\n")
    if !isUTF8 {
      let why = "not UTF-8; U+FFFD put in its place"
      output.notices.append(Notice(.warning, why, at: stream.blockPlace))
    }
    if data.first == ASCII.openBrace {
      var event = Event(of: data.span)
      judge.handle(&event, data.span, into: &output)
    }
  }

  /// The type of the event, by the standard's default.
  private var name: [UInt8] { stream.name.isEmpty ? Self.message : stream.name }

  private static let message = Array("message".utf8)
}
