import Core

/// Where the texts of the answers meet: the end of standard output.
struct Page {
  private let style: TextStyle
  /// The number of the response whose text came last, as long as more of it may follow there; 0 for
  /// none.
  private(set) var owner = 0
  /// Whether the last byte ends neither a line nor a text.
  private var isLineOpen = false
  /// The number of the response whose label was printed last.
  private var label = 0
  /// The place of the last event.
  var place = Notice.Place(line: 0, byte: 0)
  private var hasReportedRest = false

  init(_ style: TextStyle) { self.style = style }

  /// Prints what `answer` has so far: behind a line end, if a line of another one is open, and under
  /// its label, also without text if `withLabel`. The first text in two pieces is reported.
  mutating func print(_ answer: inout Answer, withLabel: Bool, into output: inout Output) {
    let number = answer.response.number
    if owner != number, withLabel || !answer[0].sink.bytes.isEmpty {
      if answer.isPrinted, !style.isWhole, !hasReportedRest {
        hasReportedRest = true
        let why = "a response goes on after others ended: the rest of its text has its own line"
        answer.warn(Notice(.warning, why, at: place))
      }
      endLine(in: &output.bytes)
      if style.hasLabels, label != number {
        output.bytes.append("== \(answer.name.harmless) ==\n")
        label = number
      }
      answer.isPrinted = true
      owner = number
    }
    answer[0].sink.moveText(into: &output.bytes)
    noteLine(of: answer)
    if answer.hasAside { answer[1].sink.moveText(into: &output.stderrBytes) }
    answer.report(into: &output)
  }

  /// Ends the lines of `answer`, if they are open: what comes next stands on lines of its own. With
  /// `-n` that waits until something comes.
  mutating func part(_ answer: borrowing Answer, into output: inout Output) {
    noteLine(of: answer)
    if style.ending != .bare { endLine(in: &output.bytes) }
    if answer.hasAside, answer[1].sink.isLineOpen { output.stderrBytes.append(ASCII.lf) }
    owner = 0
  }

  /// Notes whether the line is open, as the texts of `answer` left it.
  private mutating func noteLine(of answer: borrowing Answer) {
    if owner == answer.response.number { isLineOpen = answer[0].sink.isLineOpen }
  }

  /// Ends the line, if it is open.
  private mutating func endLine(in output: inout [UInt8]) {
    if isLineOpen { output.append(style.ending == .nul ? 0 : ASCII.lf) }
    isLineOpen = false
  }
}
