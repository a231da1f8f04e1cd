import Foundation
import ProcessSupport
import Testing

/// `oresp-send` over TLS, against a certificate of the tests' own making.
@Suite(.enabled(if: TLSFront.isAvailable, "socat or openssl is not installed"))
struct TLSTests {
  private let server: LoopbackServer
  private var sender: Sender

  init() throws {
    server = try LoopbackServer(.stream(SampleStream.bytes))
    sender = Sender(server)
  }

  private func run(
    _ front: TLSFront, host: String = "127.0.0.1", _ arguments: [String]
  ) throws -> Finished {
    var sender = sender
    sender.environment["OPENAI_BASE_URL"] = "https://\(host):\(front.port)/v1"
    sender.arguments = arguments + sender.arguments
    return try sender.run()
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `a server whose certificate is trusted answers`(host: String) throws {
    let front = try TLSFront(to: server, names: ["IP:127.0.0.1", "DNS:localhost"])
    let run = try run(front, host: host, ["--cacert", front.certificate])
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream)
    #expect(server.requests.first?["Authorization"] == "Bearer " + Sender.key)
  }

  @Test func `a certificate that nobody vouches for is status 5`() throws {
    let front = try TLSFront(to: server, names: ["IP:127.0.0.1", "DNS:localhost"])
    try expectDistrust(run(front, []))
  }

  @Test func `the certificate of another host is status 5`() throws {
    let front = try TLSFront(to: server, names: ["IP:127.0.0.2", "DNS:other.example"])
    try expectDistrust(run(front, ["--cacert", front.certificate]))
  }

  @Test func `a file of certificates that is not there is status 2`() throws {
    let front = try TLSFront(to: server, names: ["IP:127.0.0.1"])
    let run = try run(front, ["--cacert", front.certificate + ".none"])
    #expect(run.outcome == .exited(2))
    #expect(run.errors.contains(front.certificate + ".none"))
  }

  @Test func `a certificate that is out of date is status 5`() throws {
    let front = try TLSFront(to: server, names: ["IP:127.0.0.1"], isExpired: true)
    try expectDistrust(run(front, ["--cacert", front.certificate]))
  }

  @Test(arguments: ["CURL_CA_BUNDLE", "SSL_CERT_FILE"])
  func `the environment names authorities`(variable: String) throws {
    let front = try TLSFront(to: server, names: ["IP:127.0.0.1"])
    var sender = sender
    sender.environment["OPENAI_BASE_URL"] = "https://127.0.0.1:\(front.port)/v1"
    sender.environment[variable] = front.certificate
    #expect(try sender.run().outcome == .exited(0))
    sender.arguments = ["--cacert", "/nonexistent"] + sender.arguments
    #expect(try sender.run().outcome == .exited(2))
    #expect(server.requests.count == 1)
  }

  @Test func `the environment names a folder of authorities`() throws {
    let front = try TLSFront(to: server, names: ["IP:127.0.0.1"])
    let folder = try TemporaryFolder()
    let script = "cp \"$1\" \"$2/a.pem\" && openssl rehash \"$2\""
    let made = try ToolProcess.bash(script, [front.certificate, folder.path])
    try #require(made.outcome == .exited(0), "\(made.errors)")
    var sender = sender
    sender.environment["OPENAI_BASE_URL"] = "https://127.0.0.1:\(front.port)/v1"
    sender.environment["SSL_CERT_DIR"] = folder.path
    #expect(try sender.run().outcome == .exited(0))
  }

  @Test func `a certificate that is not trusted is not asked again`() throws {
    let front = try TLSFront(to: server, names: ["IP:127.0.0.1"])
    let run = try run(front, ["--retry=2"])
    #expect(Finished.lines(run.errors).count == 1)
    try expectDistrust(run)
  }

  @Test func `the log has the time of the handshake`() throws {
    let front = try TLSFront(to: server, names: ["IP:127.0.0.1"])
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    #expect(try run(front, ["--cacert", front.certificate, "--log", log]).outcome == .exited(0))
    let entry = json(try String(contentsOfFile: log, encoding: .utf8))
    let seconds = try #require(entry["seconds"] as? [String: Double])
    let inOrder = ["name_lookup", "connect", "tls", "first_byte", "total"].map { seconds[$0] ?? -1 }
    #expect(inOrder == inOrder.sorted() && inOrder[2] > 0)
  }

  private func expectDistrust(_ run: Finished) throws {
    #expect(run.outcome == .exited(5))
    #expect(run.errors.hasPrefix("oresp-send: "))
    #expect(run.errors.lowercased().contains("certificate"))
    let event = try #require(events(of: run.output).first)
    #expect(event["type"] as? String == "error")
    #expect(server.requests.isEmpty)
  }
}
