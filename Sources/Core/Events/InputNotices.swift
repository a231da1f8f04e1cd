/// Notices on one input, of which each message comes once, but for those that too many others
/// follow.
struct InputNotices {
  /// The notices that the reader's owner has not taken yet.
  var untaken: [Notice] = []
  private var messages: Set<String> = []
  private static let mostMessages = 1024

  /// Reports `what`, once; an error has the status for bad input. If another tool reported it, that
  /// hides none that this one has to report.
  mutating func report(
    _ kind: Notice.Kind, _ what: String, at place: Notice.Place, isReported: Bool = false
  ) {
    if messages.count >= Self.mostMessages { messages = [] }
    guard messages.insert(isReported ? "reported: " + what : what).inserted else { return }
    var notice = Notice(kind, what, status: kind == .error ? .badInput : nil, at: place)
    notice.isReported = isReported
    untaken.append(notice)
  }

  /// Reports the error `why`, whether it was reported before or not.
  mutating func reportError(_ why: String, at place: Notice.Place) {
    untaken.append(Notice(.error, why, status: .badInput, at: place))
  }

  /// Reports the error `why`: the input ends inside an event. `cutEvent` is what the report on its
  /// response adds for that.
  mutating func reportCut(
    _ why: String, status: ExitStatus, _ cutEvent: String, at place: Notice.Place
  ) {
    var notice = Notice(.error, why, status: status, at: place)
    notice.cutEvent = cutEvent
    untaken.append(notice)
  }

  /// Reports that a value at `place` was no UTF-8.
  mutating func reportRepair(at place: Notice.Place) {
    untaken.append(Notice(.warning, "not UTF-8; U+FFFD put in its place", at: place))
  }
}
