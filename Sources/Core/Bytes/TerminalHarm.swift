/// The characters that do something to a terminal, or to how its text reads, instead of showing
/// themselves.
package enum TerminalHarm {
  /// Whether the code point `value` is one: the controls (C0, DEL, C1), the marks that change the
  /// direction of writing, line and paragraph separators, and tags, which nobody sees. Tabs and line
  /// ends are for the caller to judge.
  package static func isHarmful(_ value: UInt32) -> Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
      0xE0000...0xE007F:
      true
    default: false
    }
  }
}
