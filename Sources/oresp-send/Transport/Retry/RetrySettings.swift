/// How often and how long a request is made again.
package struct RetrySettings: Sendable {
  /// How often at most.
  package var count = 2
  /// The wait before each, where the server asks for none; `nil` is one that doubles.
  package var delayMilliseconds: Int?
  /// After how long no further one is made; 0 is no limit.
  package var longestMilliseconds = 0

  package init() {}
}
