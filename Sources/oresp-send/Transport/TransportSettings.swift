/// How long a transport waits, and whom it trusts. A time of 0 is no limit.
package struct TransportSettings: Sendable {
  package var connectMilliseconds = 10_000
  /// The longest silence of the server.
  package var idleMilliseconds = 300_000
  package var totalMilliseconds = 0
  /// The file of certificate authorities, if not the system's.
  package var caFile: String?

  package init() {}
}
