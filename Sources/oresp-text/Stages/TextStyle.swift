import Core

/// What is printed of the text of a message.
package struct TextForm: Sendable {
  /// Whether the content of fenced code blocks is printed in place of all of the text.
  package var takesBlocks = false
  /// Of which language; `nil` for any.
  package var language: String?
  /// Whether it is JSON, and is printed on one line.
  package var parses = false
  /// The array of which each element is printed as it closes; `nil` where all of the JSON is
  /// printed.
  package var elements: Elements?
  /// What the JSON must meet.
  package var schema: JSONSchema?

  /// An array in the JSON: the first, or the one at a pointer.
  package enum Elements: Sendable {
    case ofFirst
    case at(JSONPointer)
  }

  package init() {}
}

/// How the texts of an answer are printed.
package struct TextStyle: Sendable {
  /// What stands behind each text.
  package enum Ending: Sendable {
    /// A newline, if the text has none.
    case newline
    /// The same, but nothing behind the last text.
    case bare
    /// A NUL character.
    case nul
  }

  /// Which messages are printed.
  package enum Messages: Equatable, Sendable {
    case all, none, last
    /// The one with this number, from 1.
    case number(Int)
  }

  /// Which messages are the answer, by the phase that the server marks them with.
  package enum Phase: String, CaseIterable, Sendable {
    case answer, commentary, all

    /// Whether a message marked `mark` is not the answer.
    func leavesOut(_ mark: String) -> Bool {
      self != .all && (mark == "commentary") == (self == .answer)
    }
  }

  package var ending = Ending.newline
  package var messages = Messages.all
  package var phase = Phase.answer
  package var form = TextForm()
  package var citations = CitationStyle.none
  /// Whether what was consulted and not cited is listed, too.
  package var listsSources = false
  /// Whether files of the answer are written.
  package var hasFiles = false
  /// Whether a line stands above each answer that says whose it is.
  package var hasLabels = false
  /// Whether each text has a heading.
  var hasHeadings = false

  package init() {}

  /// Whether a NUL in a text is printed as U+FFFD: one that ends texts is in none, and Markdown has
  /// none (CommonMark 0.31, section 2.3).
  var forbidsNUL: Bool { ending == .nul || form.takesBlocks }

  /// Whether what reads the texts needs each whole: text that comes when one was left waits for its
  /// end.
  var isWhole: Bool {
    ending == .nul || citations != .none || form.takesBlocks || form.parses || hasLabels
  }
}
