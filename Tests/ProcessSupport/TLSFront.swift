import Foundation

/// TLS in front of a loopback server: socat, with a certificate of its own making.
package final class TLSFront {
  /// The programs that it needs.
  package static let isAvailable = ["socat", "openssl"].allSatisfy { Tools.path(of: $0) != nil }

  package let port: Int
  /// The certificate, which is its own authority.
  package var certificate: String { made.path }
  private let made: Certificate
  private let process: ToolProcess

  /// Brings what comes to it over TLS to `server`; its certificate is for `names` only, such as
  /// `IP:127.0.0.1`, and out of date if `isExpired`. It asks for a client's certificate, which must
  /// be `client`, if there is one.
  package init(
    to server: LoopbackServer, names: [String], isExpired: Bool = false,
    trusting client: Certificate? = nil
  ) throws {
    made = try Certificate(names: names, isExpired: isExpired)
    let asked = client.map { "verify=1,cafile=\($0.path)" } ?? "verify=0"
    let listen =
      "OPENSSL-LISTEN:0,bind=127.0.0.1,reuseaddr,fork,\(asked),cert=\(made.path),key=\(made.keyPath)"
    process = try ToolProcess("socat", ["-d", "-d", listen, "TCP:127.0.0.1:\(server.port)"])
    let mark = "listening on AF=2 127.0.0.1:"
    let told = process.errors { $0.contains(mark) && $0.hasSuffix("\n") }
    let digits = told.components(separatedBy: mark).dropFirst().first?.prefix { $0.isNumber }
    guard let port = digits.flatMap({ Int($0) }) else { throw Failed(reason: told) }
    self.port = port
  }

  private struct Failed: Error {
    let reason: String
  }
}
