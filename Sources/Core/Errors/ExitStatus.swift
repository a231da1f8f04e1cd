/// The exit status of a tool: the end of the response, or the kind of fault. The manuals and the
/// README have a table of them.
package enum ExitStatus: Int32, CaseIterable, Comparable, Sendable {
  case completed = 0
  /// The result is "no": nothing selected, a check failed, a schema not met.
  case negative = 1
  /// Wrong usage, or a local file that cannot be read or written.
  case usage = 2
  case badInput = 3
  case refusedForGood = 4
  case temporary = 5
  case incomplete = 6
  case refusal = 7
  case cancelled = 8

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
