import Foundation

/// A row of the tables in `Tests/Rules`, which say whose each event is and what the modes make of
/// it: a few lines of text.
///
///     # what it shows
///     EVENT | SLOT STEP STATUS   an event (`RuleEvent`), the number of its response (from 1), with
///                                a * at the first event, what it is to the response, and the
///                                statuses of the verdicts that are reported at it
///     --                         ends an input, behind which another begins
///     . STATUS                   the verdicts that are reported at the end of the input
///     = STATUS                   the exit status, where it is not 0
///     ! NUMBER: TEXT             a notice, with the number of its event; several are divided by ;
///     OPTIONS  OUTCOME           what a mode of oresp-events or oresp-text gives out, and its exit
///                                status behind = where that is another: of responses their ids and
///                                statuses, of items the ids, of a selection the numbers of the
///                                events, and the text with / for each line end
///
/// A line that is missing says that nothing comes. `RECORD=1` puts what comes in the place of a
/// `?`, and a line that is a `?` alone asks for all lines that are missing. Where today's outcome
/// is not the one that is wanted, it stands behind ` ~ `, and holds.
package struct RuleRow {
  /// A line of the row: its name, what is wanted of it, and what comes of it today if that differs.
  package struct Line: Equatable {
    package let name: String
    package var wanted: String
    package var today: String?

    init(_ name: String, _ outcome: String) {
      self.name = name
      let parts = outcome.components(separatedBy: " ~ ").map { $0.trimmingSpaces }
      (wanted, today) = (parts[0] == "-" ? "" : parts[0], parts.count > 1 ? parts[1] : nil)
      if today == "-" { today = "" }
    }

    /// What holds.
    package var outcome: String { today ?? wanted }

    /// The line as it is written, its name in `width` columns; `nil` when it says nothing.
    func text(_ width: Int, _ mark: String = " ") -> String? {
      guard !wanted.isEmpty || today != nil else { return nil }
      let shown = [wanted, today].compactMap { $0 }.map { $0.isEmpty ? "-" : $0 }
      let padding = String(repeating: " ", count: max(0, width - name.count))
      return name + padding + mark + shown.joined(separator: " ~ ")
    }
  }

  package var comments: [String] = []
  /// The events of each input.
  package var inputs: [[Line]] = [[]]
  package var outcomes: [Line] = []

  package init(_ text: String) {
    for line in text.split(separator: "\n").map(String.init) {
      if line.hasPrefix("#") {
        comments.append(line)
      } else if line == "--" {
        inputs.append([])
      } else if let range = line.firstRange(of: " |") {
        let name = line[..<range.lowerBound].trimmingSpaces
        inputs[inputs.count - 1].append(Line(name, String(line[range.upperBound...])))
      } else if let mark = line.first, ".=!".contains(mark) {
        outcomes.append(Line(String(mark), String(line.dropFirst())))
      } else {
        let range = line.firstRange(of: "  ")
        let name = range.map { String(line[..<$0.lowerBound]) } ?? line
        outcomes.append(Line(name, range.map { String(line[$0.upperBound...]) } ?? ""))
      }
    }
  }

  /// The row as it is written.
  package var text: String {
    let events = inputs.map { $0.map { $0.text(36, " | ") ?? "\($0.name) |" } }
    let lines = outcomes.compactMap { line in
      ".=!".contains(line.name) ? line.text(1) : line.text(14, "  ")
    }
    return (comments + events.joined(separator: ["--"]) + lines).joined(separator: "\n")
  }

  /// The outcome that is named `name`.
  package subscript(name: String) -> Line {
    get { outcomes.first { $0.name == name } ?? Line(name, "") }
    set {
      if let index = outcomes.firstIndex(where: { $0.name == name }) {
        outcomes[index] = newValue
      } else {
        outcomes.append(newValue)
      }
    }
  }
}

extension RuleRow.Line {
  /// Keeps what came of it: as what is wanted where a `?` stands for that, else beside it.
  package mutating func record(_ outcome: String, isNew: Bool = false) {
    if isNew || wanted == "?" { wanted = outcome }
    today = wanted == outcome ? nil : outcome
  }
}

extension StringProtocol {
  fileprivate var trimmingSpaces: String {
    var rest = self[...]
    while rest.first == " " { rest = rest.dropFirst() }
    while rest.last == " " { rest = rest.dropLast() }
    return String(rest)
  }
}
