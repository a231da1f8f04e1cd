import Core

/// What a status is about: the tag of the response, and the input where there are several.
struct StatusLabel {
  var tag: String?
  var input: String?

  /// The words in front of the status: the tag, or else the input.
  var words: String { (tag ?? input).map { $0 + ": " } ?? "" }
}

/// Shows the status on standard error.
package struct StatusScreen {
  package enum Form: Equatable, Sendable {
    /// One line that is overwritten, with signs or without.
    case moving(hasSigns: Bool)
    /// A line for each state.
    case lines
    /// A notice for each state.
    case json
  }

  private let form: Form
  /// Whether the status leaves off where text is handed on, as another program may print the text
  /// on the same terminal.
  let givesWay: Bool
  /// The columns of the terminal.
  private let width: () -> Int
  /// Waits until another program is likely to have printed the text.
  var waitForText: () -> Void = {}

  package init(
    _ form: Form, givesWay: Bool = false, width: @escaping () -> Int = { 80 }
  ) {
    self.form = form
    self.givesWay = givesWay
    self.width = width
  }

  var isMoving: Bool { if case .moving = form { true } else { false } }

  /// The time until counts alone are shown anew, in milliseconds.
  var countInterval: Int { isMoving ? 0 : 5000 }

  /// A silence of fewer seconds is not shown.
  private static let longSilence = 5

  /// The text of `state`, which has lasted for `seconds`, the last `silence` of them without an
  /// event, behind its `label`.
  func text(
    of state: StatusState, _ facts: StatusFacts, _ label: StatusLabel, seconds: Int = 0,
    silence: Int = 0
  ) -> String {
    let sign = form == .moving(hasSigns: true) ? state.sign + " " : ""
    var text = sign + (form == .json ? "" : label.words) + state.text(with: facts)
    if isMoving, !state.isEnd {
      if seconds > 0 { text += ", \(seconds) s" }
      if silence >= Self.longSilence, state != .connecting {
        text += ", nothing for \(silence) s"
      }
    }
    return switch form {
    case .moving: text.harmless.cut(toColumns: width() - 1)
    case .lines: text.harmless
    case .json: text
    }
  }

  /// Writes `text`, the text of `state`, for standard error.
  func show(
    _ text: String, of state: StatusState, _ facts: StatusFacts, _ label: StatusLabel,
    into output: inout Output
  ) {
    switch form {
    case .moving:
      output.show(line: text)
      guard state.isEnd else { break }
      output.terminalBytes.append(ASCII.lf)
      output.hasOpenLine = false
    case .lines: output.stderrBytes.append("oresp-events: \(text)\n")
    case .json:
      var notice = Notice(.status, text)
      notice.facts = [("state", .text(state.name))] + facts.members
      if let tag = label.tag { notice.facts.append(("request", .text(tag))) }
      notice.input = label.input
      output.stderrBytes += notice.json(tool: "oresp-events", input: nil)
      output.stderrBytes.append(ASCII.lf)
    }
  }

  /// Writes `text`, the end of a response whose text another program has printed on this terminal.
  func show(end text: String, into output: inout Output) {
    waitForText()
    output.stderrBytes.append((isMoving ? "" : "oresp-events: ") + text + "\n")
  }

  /// Takes a moving line away.
  func wipe(_ output: inout Output) {
    if output.hasOpenLine { output.show(line: "") }
  }
}
