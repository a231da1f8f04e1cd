extension String {
  /// The text as one line that does nothing to a terminal: line ends become spaces, and control
  /// characters and those that change the direction of writing become visible escapes.
  package var harmless: String {
    var shown = ""
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: shown.append(" ")
      case let value where TerminalHarm.isHarmful(value):
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
