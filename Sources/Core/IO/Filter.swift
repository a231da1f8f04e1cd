/// Bytes in, bytes out: what a tool does, without any descriptor. `pump` drives it.
package protocol Filter: ~Copyable {
  /// Takes all it can from the unused bytes of `input`.
  mutating func take(_ input: inout InputBuffer, into output: inout Output)

  /// Takes the rest of `input`, which has ended; another input may follow.
  mutating func endInput(_ input: inout InputBuffer, into output: inout Output)

  /// Takes the end of the last input. Returns the status for what no notice tells of.
  mutating func finish(into output: inout Output) -> ExitStatus

  /// What is to be told if all of the input could be read and this filter missed something in it;
  /// asked for at the end.
  var complaint: Notice? { get }

  /// Does what was put off until `Output.wakeAt`, no input having come before.
  mutating func wake(into output: inout Output)
}

extension Filter where Self: ~Copyable {
  package mutating func wake(into output: inout Output) {}
}
