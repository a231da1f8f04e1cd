import Core

/// Checks that a mark ends each event stream, and warns that lines of JSON do not show it.
struct StreamMarks {
  /// The last block, if no mark came behind it.
  private var unmarked: CheckReport.Subject?
  /// Whether a response came since the last mark.
  private var hasResponse = false
  private var hasWarned = false
  /// The number of the response that began last.
  private var last = 0

  /// Checks an event, the subject of the report. Returns whether it stands for the mark.
  mutating func isMark(
    _ event: borrowing Event, _ line: Span<UInt8>, _ report: inout CheckReport,
    into output: inout Output
  ) -> Bool {
    if let name = event.typeName, line.extracting(name).equals(EventLine.done) {
      if event.block?.id != nil { report.add(.noID, "an id field", expected: "none") }
      unmarked = nil
      hasResponse = false
      return true
    }
    // A document is no part of a stream.
    let isDocument = report.isDocument(event, line) && event.type != nil
    let number = event.response?.number ?? 0
    let begins = number > last && event.step != .ends
    last = max(last, number)
    if isDocument || begins && hasResponse { finish(&report) }
    if isDocument { return false }
    hasResponse = hasResponse || [.lifecycle, .error].contains(event.type?.family)
    if event.block != nil {
      unmarked = report.subject
    } else if !hasWarned {
      hasWarned = true
      output.notices.append(
        Notice(
          .warning,
          "lines of JSON do not show the rules done-mark, event-name and no-id; "
            + "check the event stream itself", at: event.place))
    }
    return false
  }

  /// Ends a stream.
  mutating func finish(_ report: inout CheckReport) {
    guard let end = unmarked else { return }
    unmarked = nil
    hasResponse = false
    let current = report.subject
    report.subject = end
    report.subject.clear()
    report.add(.doneMark, "the end of the stream", expected: "data: [DONE] before")
    report.subject = current
  }
}
