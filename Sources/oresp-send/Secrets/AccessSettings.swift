/// What a server is shown of who asks.
package struct AccessSettings: Sendable {
  package var keySource = KeySource.environment
  /// Further header lines, checked.
  package var headers: [String] = []
  /// Whether a key may go over plain HTTP to another machine.
  package var allowsPlainHTTP = false

  package init() {}
}
