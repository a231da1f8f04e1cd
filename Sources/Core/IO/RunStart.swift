/// How far a run came before it failed, and why it did.
package final class RunStart {
  /// Whether any of the output may have gone out.
  package var hasOutput = false
  /// Whether the output is one of events, where the command line alone does not say it; `nil` where
  /// it does.
  package var givesEvents: Bool?
  /// The first fault on the side of the user: of the command line, or a file.
  private(set) var fault: String?

  package init() {}

  func note(_ notice: Notice) {
    if notice.status == .usage { fault = fault ?? notice.message }
  }
}
