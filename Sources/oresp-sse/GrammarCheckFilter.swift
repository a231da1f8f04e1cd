package import Core

/// Reports whatever in an event stream a parser ignores, drops or replaces. Prints no events.
package struct GrammarCheckFilter: Filter, ~Copyable {
  private var stream: EventStreamDecoder
  private let settings: SSETool.Settings
  private var count = 0
  /// The line of `[DONE]`, once it came.
  private var markLine: Int?
  private var hasBytes = false

  package init(_ settings: SSETool.Settings) {
    stream = EventStreamDecoder(limit: settings.reading.limit)
    self.settings = settings
  }

  package mutating func handle(_ input: inout InputBuffer, into output: inout Output) {
    hasBytes = hasBytes || input.count > 0
    while let found = stream.next(&input) {
      switch found {
      case .event: checkEvent(into: &output)
      case .comment(let text):
        let isText = UTF8Repair.isValid(input.bytes.span.extracting(text))
        if !isText { report("the comment is not UTF-8", at: stream.linePlace, into: &output) }
      case .fault(let fault): report(Self.text(of: fault), at: stream.linePlace, into: &output)
      case .oversized:
        report("longer than \(settings.reading.limit) bytes", at: stream.blockPlace, into: &output)
      }
    }
  }

  package mutating func endInput(_ input: inout InputBuffer, into output: inout Output) {
    if stream.hasRest(input) {
      report(
        "the input ends inside an event: a blank line is missing", at: stream.restPlace(input),
        into: &output)
    }
    input.start = input.end
    stream = EventStreamDecoder(limit: settings.reading.limit)
    markLine = nil
  }

  package mutating func finish(into output: inout Output) -> ExitStatus {
    output.notices.append(Notice(.summary, "\(count) events"))
    return .completed
  }

  package var complaint: Notice? { hasBytes ? nil : .withoutEvents(nil) }

  private mutating func checkEvent(into output: inout Output) {
    count += 1
    let data = stream.data
    if ![data, stream.name, stream.lastID].allSatisfy({ UTF8Repair.isValid($0.span) }) {
      report("the event is not UTF-8", at: stream.blockPlace, into: &output)
    }
    guard !settings.isEnvelope else { return }
    if let markLine {
      report("an event after the [DONE] of line \(markLine)", at: stream.blockPlace, into: &output)
    }
    if EventStreamDecoder.isEndMark(data.span) {
      count -= 1
      markLine = markLine ?? stream.blockPlace.line
    } else if let fault = JSONScan.fault(in: data.span) {
      report("the data is not JSON: \(fault)", at: stream.blockPlace, into: &output)
    } else if !LineShape.isObject(data.span) {
      report("the data is a JSON value, not an object", at: stream.blockPlace, into: &output)
    }
  }

  private func report(_ what: String, at place: Notice.Place, into output: inout Output) {
    var notice = Notice(.error, what, status: .badInput, at: place)
    notice.isFinding = true
    output.notices.append(notice)
  }

  private static func text(of fault: EventStreamDecoder.Fault) -> String {
    switch fault {
    case .unknownField: "the line is not a field of an event stream, and is ignored"
    case .nulInID: "the id has a NUL in it, and is ignored"
    case .badRetry: "the retry is not digits, and is ignored"
    case .blockWithoutData: "the event has no data, and is dropped"
    }
  }
}
