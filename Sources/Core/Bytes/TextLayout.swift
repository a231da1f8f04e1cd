/// Texts in lines of at most `columns` columns.
package struct TextLayout {
  let columns: Int

  /// `head`, and from `column` on the lines of `text`. On a narrow terminal, or behind a long head,
  /// they stand below it.
  package func entry(_ head: String, _ text: String, column: Int = 29) -> String {
    let column = columns < 2 * column ? 8 : column
    let text = wrap(text, indent: column)
    guard head.count < column - 1 else { return head + "\n" + text }
    return head + text.dropFirst(head.count)
  }

  /// The lines of `text`, each behind `indent` spaces.
  func wrap(_ text: String, indent: Int = 0) -> String {
    var lines = [String(repeating: " ", count: indent)]
    for word in text.split(whereSeparator: \.isWhitespace) {
      let last = lines[lines.count - 1]
      if last.count + word.count >= columns, last.count > indent {
        lines.append(String(repeating: " ", count: indent) + word)
      } else {
        lines[lines.count - 1] += (last.count > indent ? " " : "") + word
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
