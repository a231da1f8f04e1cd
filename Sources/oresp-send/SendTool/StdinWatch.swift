import Core

/// Watches standard input for bytes that nothing reads, and for a long wait. Such bytes come from
/// a pipe into a command that lacks its `-`, or from a script, a loop or `ssh` around it.
struct StdinWatch {
  /// The environment variable that turns the search for unread bytes off.
  static let variable = "ORESP_NO_STDIN"

  private let notifier: Notifier

  init(_ notifier: Notifier) { self.notifier = notifier }

  /// Reports, on a terminal, that the tool waits for standard input, once nothing has come within a
  /// second.
  func tellWait() {
    let time = Clock.steadyMilliseconds() + 1000
    guard notifier.showsProgress, notifier.stdin.isIdle(until: time) else { return }
    let advice = notifier.stdin.isTerminal ? "Control-D ends it" : "</dev/null goes on without it"
    notifier.report(Notice(.status, "waiting for standard input; \(advice)"))
  }

  /// Refuses unread bytes before anything is sent. Waits 250 ms for a writer that has not begun.
  func refuse() throws(Failure) {
    guard notifier.stdin.hasUnreadBytes(until: Clock.steadyMilliseconds() + 250) else { return }
    throw .usage(
      "standard input would be lost: add - to send it in the prompt, or </dev/null to ignore it")
  }

  /// Warns of unread bytes that came during the run, with `-q` too.
  func warn() {
    guard notifier.stdin.hasUnreadBytes(until: 0) else { return }
    var notifier = notifier
    notifier.settings.isQuiet = false
    notifier.report(
      Notice(
        .warning,
        "bytes came on standard input too late, and were not sent: name it with -"))
  }
}
