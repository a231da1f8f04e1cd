import Core

/// Watches standard input: for bytes that nothing on the command line reads, as of a pipe into a
/// command that lacks its `-`, or of a script, a loop or `ssh` around it; and for a long wait.
struct StdinWatch {
  /// The variable by which they are not looked for.
  static let variable = "ORESP_NO_STDIN"

  private let notifier: Notifier

  init(_ notifier: Notifier) { self.notifier = notifier }

  /// Says to a person at a terminal that standard input is waited for, if nothing of it has come
  /// within a second.
  func tellWait() {
    let time = Clock.steadyMilliseconds() + 1000
    guard notifier.showsProgress, notifier.stdin.isIdle(until: time) else { return }
    let advice = notifier.stdin.isTerminal ? "Control-D ends it" : "</dev/null goes on without it"
    notifier.report(Notice(.status, "waiting for standard input; \(advice)"))
  }

  /// Refuses them, before anything is sent. What writes to a pipe may not have begun yet.
  func refuse() throws(Failure) {
    guard notifier.stdin.hasUnreadBytes(until: Clock.steadyMilliseconds() + 250) else { return }
    throw .usage(
      "standard input would be lost: add - to send it in the prompt, or </dev/null to ignore it")
  }

  /// Warns when they came later, with `-q` too: the answer may be about nothing.
  func warn() {
    guard notifier.stdin.hasUnreadBytes(until: 0) else { return }
    var notifier = notifier
    notifier.settings.isQuiet = false
    notifier.report(
      Notice(
        .warning,
        "bytes came on standard input during the run, and nothing read them: the answer may be "
          + "about nothing"))
  }
}
