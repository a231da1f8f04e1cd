import Core

/// Where the texts of the answers meet: the ends of the two streams.
struct Page {
  private let style: TextStyle
  /// The number of the response whose text came last on standard output, as long as more of it may
  /// follow there; 0 for none.
  private(set) var owner = 0
  /// Whether the last byte ends neither a line nor a text.
  private var isLineOpen = false
  /// The number of the response whose label was printed last.
  private var label = 0
  /// The owner and the open line of standard error.
  private var asideOwner = 0
  private var isAsideLineOpen = false
  /// The place of the last event.
  var place = Notice.Place(line: 0, byte: 0)
  private var hasReportedRest = false
  private var hasReportedBound = false

  init(_ style: TextStyle) { self.style = style }

  /// Prints what `answer` has so far: behind a line end, if a line of another one is open, and under
  /// its label, also without text if `withLabel`.
  mutating func print(_ answer: inout Answer, withLabel: Bool, into output: inout Output) {
    let number = answer.response.number
    if owner != number {
      if answer.takeRest() { reportRest(of: &answer) }
      if withLabel || !answer[0].sink.bytes.isEmpty {
        endLine(in: &output.bytes)
        if style.hasLabels, label != number {
          output.bytes.append("== \(answer.name.harmless) ==\n")
          answer.isLabelled = true
          label = number
        }
        owner = number
      }
    }
    answer[0].sink.moveText(into: &output.bytes)
    if answer.hasAside, !answer[1].sink.bytes.isEmpty {
      if asideOwner != number { endAsideLine(in: &output.stderrBytes) }
      asideOwner = number
      answer[1].sink.moveText(into: &output.stderrBytes)
    }
    noteLines(of: answer)
    answer.report(into: &output)
  }

  /// Reports, once, that a text comes in two pieces.
  private mutating func reportRest(of answer: inout Answer) {
    guard !hasReportedRest, !style.isWhole else { return }
    hasReportedRest = true
    let why = "a response goes on after others ended: the rest of its text has its own line"
    answer.warn(Notice(.warning, why, at: place))
  }

  /// Reports, once, that so much text waited that the longest, that of `answer`, is printed.
  mutating func reportBound(of answer: inout Answer) {
    guard !hasReportedBound else { return }
    hasReportedBound = true
    let why = "64 MiB of text wait for other responses: the longest is printed as far as it came"
    answer.warn(Notice(.warning, why, at: place))
  }

  /// Ends the lines of `answer`, if they are open: what comes next stands on lines of its own. With
  /// `-n` that waits until something comes.
  mutating func part(_ answer: borrowing Answer, into output: inout Output) {
    noteLines(of: answer)
    if style.ending != .bare { endLine(in: &output.bytes) }
    endAsideLine(in: &output.stderrBytes)
    owner = 0
    asideOwner = 0
  }

  /// Notes whether the lines are open, as the texts of `answer` left them.
  private mutating func noteLines(of answer: borrowing Answer) {
    let number = answer.response.number
    if owner == number { isLineOpen = answer[0].sink.isLineOpen }
    if asideOwner == number { isAsideLineOpen = answer[1].sink.isLineOpen }
  }

  /// Ends the line of standard output, if it is open.
  private mutating func endLine(in output: inout [UInt8]) {
    if isLineOpen { output.append(style.ending == .nul ? 0 : ASCII.lf) }
    isLineOpen = false
  }

  private mutating func endAsideLine(in output: inout [UInt8]) {
    if isAsideLineOpen { output.append(ASCII.lf) }
    isAsideLineOpen = false
  }
}
