/// Where a request goes.
package struct Endpoint: Sendable {
  package let url: String
  package let scheme: String
  /// The host as it stands in the URL, an IPv6 address in brackets.
  package let host: String

  package init(url: String, scheme: String, host: String) {
    (self.url, self.scheme, self.host) = (url, scheme, host)
  }

  package var isEncrypted: Bool { scheme == "https" }

  /// Whether the server is on this machine: `localhost`, `::1`, or a dotted address in 127.0.0.0/8.
  package var isLoopback: Bool {
    if ["localhost", "[::1]"].contains(host.lowercased()) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let isAddress =
      parts.count == 4
      && parts.allSatisfy { part in
        part.utf8.count <= 3 && part.utf8.allSatisfy { 48...57 ~= $0 } && UInt8(part) != nil
      }
    return isAddress && parts[0] == "127"
  }
}
