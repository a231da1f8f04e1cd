/// What a tool exits with: how the response ended, or what went wrong (the manuals' EXIT STATUS).
package enum ExitStatus: Int32, Comparable, Sendable {
  /// The response completed, and the tool did its work.
  case completed = 0
  /// The answer is "no".
  case negative = 1
  /// Wrong usage, or a local file that cannot be read or written.
  case usage = 2
  /// The input is not what it must be.
  case badInput = 3
  /// Refused for good: trying again does not help.
  case refusedForGood = 4
  /// Temporary: trying again may help.
  case temporary = 5
  /// The response is incomplete.
  case incomplete = 6
  /// The model refused.
  case refusal = 7
  /// Cancelled.
  case cancelled = 8

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
