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

  package var ending = Ending.newline
  package var messages = Messages.all
  package var citations = CitationStyle.none
  /// Whether what was consulted and not cited is listed, too.
  package var listsSources = false
  /// Whether parameters that only follow readers are taken out of URLs.
  package var stripsTracking = false
  /// Whether each text has a heading.
  var hasHeadings = false

  package init() {}

  func with(headings: Bool) -> TextStyle {
    var style = self
    style.hasHeadings = headings
    return style
  }
}
