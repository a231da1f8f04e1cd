import Core

/// The part of a message's text that is printed, and its form.
package struct TextForm: Sendable {
  /// Whether the content of fenced code blocks is printed in place of all of the text.
  package var takesBlocks = false
  /// The language of these blocks; `nil` for any.
  package var language: String?
  /// Whether the text must be JSON, which is printed on one line.
  package var parses = false
  /// The array whose elements are printed, each as it closes; `nil` for all of the JSON.
  package var elements: Elements?
  /// The schema that the JSON must meet.
  package var schema: JSONSchema?

  /// An array in the JSON: the first, or the one at a pointer.
  package enum Elements: Sendable {
    case ofFirst
    case at(JSONPointer)
  }

  package init() {}
}

/// The way to print the texts of an answer.
package struct TextStyle: Sendable {
  /// The end of each text.
  package enum Ending: Sendable {
    /// A newline, if the text has none.
    case newline
    /// The same, but nothing after the last text.
    case bare
    /// A NUL character.
    case nul
  }

  /// The messages that are printed.
  package enum Messages: Equatable, Sendable {
    case all, none, last
    /// The one with this number, from 1.
    case number(Int)
  }

  package var ending = Ending.newline
  package var messages = Messages.all
  package var form = TextForm()
  package var citations = CitationStyle.none
  /// Whether sources that were consulted, but not cited, are listed, too.
  package var listsSources = false
  /// Whether files of the answer are written.
  package var hasFiles = false
  /// Whether a line above each answer names its response.
  package var hasLabels = false
  /// Whether nobody reads the text before its end: it goes to a file that stands in its place then.
  package var isOfFile = false
  /// Whether each text has a heading.
  var hasHeadings = false

  package init() {}

  /// Whether a NUL in a text is printed as U+FFFD: no text may contain the NUL that ends texts, and
  /// Markdown has none (CommonMark 0.31, section 2.3).
  var forbidsNUL: Bool { ending == .nul || form.takesBlocks }

  /// Whether a text of which only the end came waits for its whole.
  var takesWhole: Bool { isOfFile || isWhole || messages != .all }

  /// Whether a reader needs each text whole: one that began is printed to its end before that of
  /// another response begins.
  var isWhole: Bool {
    ending == .nul || form.takesBlocks || form.parses && form.elements == nil
  }
}
