import Core

/// A filter whose output has the characters made visible that do something to a terminal.
struct SanitizedFilter<Inner: Filter & ~Copyable>: Filter, ~Copyable {
  private var inner: Inner
  /// `nil` where the bytes go out as they are.
  private var stdout: TerminalSanitizer?
  private var stderr: TerminalSanitizer?

  init(_ inner: consuming Inner, stdout: Bool, stderr: Bool) {
    self.inner = inner
    self.stdout = stdout ? TerminalSanitizer() : nil
    self.stderr = stderr ? TerminalSanitizer() : nil
  }

  mutating func take(_ input: inout InputBuffer, into output: inout Output) {
    inner.take(&input, into: &output)
    sanitize(&output)
  }

  mutating func endInput(_ input: inout InputBuffer, into output: inout Output) {
    inner.endInput(&input, into: &output)
    sanitize(&output)
  }

  mutating func finish(into output: inout Output) -> ExitStatus {
    let status = inner.finish(into: &output)
    sanitize(&output)
    stdout?.finish(into: &output.bytes)
    stderr?.finish(into: &output.aside)
    return status
  }

  var complaint: Notice? { inner.complaint }

  mutating func wake(into output: inout Output) {
    inner.wake(into: &output)
    sanitize(&output)
  }

  /// What is in `output` was made by the call before, for it is written after each.
  private mutating func sanitize(_ output: inout Output) {
    Self.sanitize(&output.bytes, by: &stdout)
    Self.sanitize(&output.aside, by: &stderr)
  }

  private static func sanitize(_ bytes: inout [UInt8], by sanitizer: inout TerminalSanitizer?) {
    guard sanitizer != nil, !bytes.isEmpty else { return }
    let made = bytes
    bytes = []
    sanitizer?.take(made.span, into: &bytes)
  }
}
