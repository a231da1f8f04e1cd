/// Where else an answer, and what is known of it, goes.
package struct AnswerSettings: Sendable {
  /// The file that gets what standard output gets.
  package var teePath: String?
  /// The file that gets the headers.
  package var headersPath: String?
  /// The file that gets a line about the run.
  package var logPath: String?

  package init() {}
}
