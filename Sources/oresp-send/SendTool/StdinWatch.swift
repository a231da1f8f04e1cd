import Core

/// Looks for bytes on standard input that nothing on the command line reads: a pipe into a command
/// that was to have a `-`, or what a script, a loop or `ssh` hands down without a meaning.
struct StdinWatch {
  /// The variable by which they are not looked for.
  static let variable = "ORESP_NO_STDIN"

  private let notifier: Notifier

  init(_ notifier: Notifier) { self.notifier = notifier }

  /// Refuses them, before anything is sent. What writes to a pipe may not have begun yet.
  func refuse() throws(Failure) {
    guard notifier.stdin.hasUnreadBytes(until: Clock.steadyMilliseconds() + 250) else { return }
    throw .usage(
      "standard input has bytes that nothing reads: - sends them in the prompt, "
        + "</dev/null says that they are not meant")
  }

  /// Warns when they came later, with `-q` too: the answer may be about nothing.
  func warn() {
    guard notifier.stdin.hasUnreadBytes(until: 0) else { return }
    notifier.withWarnings.tell(
      Notice(
        .warning,
        "bytes came on standard input during the run, and nothing read them: the answer may be "
          + "about nothing"))
  }
}
