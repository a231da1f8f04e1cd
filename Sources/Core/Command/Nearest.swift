/// Options of other programs for something that a tool can do.
package struct NameElsewhere: Sendable {
  /// Their names, with the dashes.
  package var names: [Substring] { spelled.split(separator: " ") }
  private let spelled: String
  /// The option of ours that does it, or another way.
  package let advice: String

  /// `names` are words with spaces between: `--data -d`.
  package init(_ names: String, _ advice: String) {
    spelled = names
    self.advice = advice
  }

  /// Names for options of every tool.
  static let common = [
    Self("--no-warnings", "--quiet prints errors only"),
    Self("--debug --trace -vv --log-level", "--verbose says what was done"),
    Self("--json-errors --error-format --log-format", "--notices=json is for programs"),
    Self("-? --man --options", "--help=all lists all options"),
  ]
}

extension CommandPage {
  /// The advice on `option` of another program; `nil` when it is in no list.
  func advice(on option: some StringProtocol) -> String? {
    elsewhere.first { $0.names.contains { $0 == option } }?.advice
  }

  /// The failure for the unknown `option`, dashes included, with advice or the option that may be
  /// meant.
  func unknown(_ option: some StringProtocol) -> Failure {
    let near = nearest(String(option.dropFirst(2)), among: rows.flatMap(\.spellings))
    let meant = advice(on: option) ?? near.map { "did you mean --\($0)?" } ?? "--help=all lists all"
    return .usage("unknown option \(option); \(meant)")
  }
}

/// A question for the name of `names` that may be meant by `word`; empty when none is near.
package func hint(for word: String, among names: [String]) -> String {
  nearest(word, among: names).map { "; did you mean \($0)?" } ?? ""
}

/// The name of `names` that is nearest to `word`, if it is near enough for a slip of the fingers:
/// one letter in four.
package func nearest(_ word: String, among names: [String]) -> String? {
  guard word.count > 2 else { return nil }
  let ranked = names.map { (name: $0, distance: editDistance(word, $0)) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance <= max(1, word.count / 4) ? best.name : nil
}

/// The least number of letters to insert, remove, change or swap with the next that makes `left`
/// into `right`.
private func editDistance(_ left: String, _ right: String) -> Int {
  let source = Array(left)
  let target = Array(right)
  // The distance of each beginning of one from each of the other.
  var rows = [Array(0...target.count)]
  for index in source.indices {
    var row = [index + 1]
    for column in target.indices {
      let changed = rows[index][column] + (source[index] == target[column] ? 0 : 1)
      row.append(min(changed, rows[index][column + 1] + 1, row[column] + 1))
      if index > 0, column > 0, source[index] == target[column - 1],
        source[index - 1] == target[column]
      {
        row[column + 1] = min(row[column + 1], rows[index - 1][column - 1] + 1)
      }
    }
    rows.append(row)
  }
  return rows[source.count][target.count]
}
