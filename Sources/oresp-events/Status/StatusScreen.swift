import Core

/// How the status is shown on standard error.
package struct StatusScreen {
  /// The form of it.
  package enum Form: Equatable, Sendable {
    /// One line that is written over again, with signs or without.
    case moving(hasSigns: Bool)
    /// A line for each state.
    case lines
    /// A notice for each state.
    case json
  }

  package var form: Form
  /// Whether the status leaves off where text is handed on, as another program may print that on
  /// the same terminal.
  package var givesWay: Bool
  /// How many columns the terminal has.
  package var width: () -> Int
  /// Waits until another program that prints the text is likely to have done so.
  package var waitForText: () -> Void = {}
  package var wording: StatusWording

  package init(
    _ form: Form, wording: StatusWording = StatusWording(), givesWay: Bool = false,
    width: @escaping () -> Int = { 80 }
  ) {
    (self.form, self.wording, self.givesWay, self.width) = (form, wording, givesWay, width)
  }

  var isMoving: Bool { if case .moving = form { true } else { false } }

  /// How often counts alone are told anew, in milliseconds.
  var countInterval: Int { isMoving ? 0 : 5000 }

  /// A silence of fewer seconds is not shown.
  private static let longSilence = 5

  /// What is told of `state`, which has lasted for `seconds`, the last `silence` of them without an
  /// event.
  func text(
    of state: StatusState, _ facts: StatusFacts, seconds: Int = 0, silence: Int = 0
  ) -> String {
    let hasSigns = form == .moving(hasSigns: true)
    var text = wording.text(of: state, facts, hasSigns: hasSigns)
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

  /// Writes `text`, what is told of `state`, for standard error.
  func show(
    _ text: String, of state: StatusState, _ facts: StatusFacts, into output: inout Output
  ) {
    switch form {
    case .moving:
      output.show(line: text)
      guard state.isEnd else { break }
      output.screen.append(ASCII.lf)
      output.hasOpenLine = false
    case .lines: output.aside.append("oresp-events: \(text)\n")
    case .json:
      var notice = Notice(.status, text)
      notice.facts = [("state", .text(state.name))] + facts.members
      output.aside += notice.json(tool: "oresp-events", input: nil)
      output.aside.append(ASCII.lf)
    }
  }

  /// Writes `text`, how a response ended whose text another program has printed on this terminal.
  func show(end text: String, into output: inout Output) {
    waitForText()
    output.aside.append((isMoving ? "" : "oresp-events: ") + text + "\n")
  }

  /// Takes a moving line away.
  func wipe(_ output: inout Output) {
    if output.hasOpenLine { output.show(line: "") }
  }
}
