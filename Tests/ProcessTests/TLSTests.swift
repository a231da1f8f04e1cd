import Foundation
import ProcessSupport
import Testing

/// `oresp-send` over TLS, against a certificate of the tests' own making.
@Suite(.waiting, .needs(TLSFront.isAvailable, "socat or openssl is not installed"))
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

  @Test func `a certificate that nobody vouches for is status 4`() throws {
    let front = try TLSFront(to: server, names: ["IP:127.0.0.1", "DNS:localhost"])
    let run = try run(front, [])
    try expectDistrust(run)
    #expect(run.errors.hasSuffix("; --cacert names other authorities to trust\n"))
  }

  @Test func `the certificate of another host is status 4`() throws {
    let front = try TLSFront(to: server, names: ["IP:127.0.0.2", "DNS:other.example"])
    let run = try run(front, ["--cacert", front.certificate])
    try expectDistrust(run)
    #expect(run.errors.hasSuffix("; --cacert names other authorities to trust\n"))
  }

  @Test func `every stage knows of a certificate that is not trusted`() throws {
    let front = try TLSFront(to: server, names: ["IP:127.0.0.1"])
    var sender = sender
    sender.environment["OPENAI_BASE_URL"] = "https://127.0.0.1:\(front.port)/v1"
    #expect(try sender.pipeline().statuses == [4, 4, 4, 4])
  }

  @Test func `a server that asks for a client's certificate gets it`() throws {
    let ours = try Certificate(names: ["DNS:client.example"])
    let front = try TLSFront(to: server, names: ["IP:127.0.0.1"], trusting: ours)
    let trust = ["--cacert", front.certificate]
    let run = try run(front, trust + ["--cert", ours.path, "--key", ours.keyPath])
    #expect(run.outcome == .exited(0), "\(run.errors)")
    #expect(run.text == SampleStream.stream)
    let folder = try TemporaryFolder()
    let both = try folder.file(
      "both.pem",
      String(contentsOfFile: ours.keyPath, encoding: .utf8)
        + String(contentsOfFile: ours.path, encoding: .utf8))
    #expect(try self.run(front, trust + ["--cert", both]).outcome == .exited(0))
    #expect(server.requests.count == 2)
    let refused = try self.run(front, trust)
    // With TLS 1.3 the connection may be gone before the server's alert is read.
    let isReported = refused.errors.contains("alert")
    #expect(refused.outcome == .exited(isReported ? 4 : 5), "\(refused.errors)")
    #expect(server.requests.count == 2)
  }

  @Test func `a client's certificate that cannot be used is status 2`() throws {
    let ours = try Certificate(names: ["DNS:client.example"])
    let other = try Certificate(names: ["DNS:client.example"])
    let front = try TLSFront(to: server, names: ["IP:127.0.0.1"])
    let folder = try TemporaryFolder()
    let locked = folder.path + "/locked.pem"
    let script = "openssl pkey -in \"$1\" -aes256 -passout pass:word -out \"$2\""
    #expect(try ToolProcess.bash(script, [ours.keyPath, locked]).outcome == .exited(0))
    let none = folder.path + "/none"
    for (options, told) in [
      (["--cert", none], "\(none): No such file"),
      (["--cert", ours.path, "--key", none], "\(none): No such file"),
      (["--cert", ours.path], "--cert"), (["--cert", ours.keyPath], "--cert"),
      (["--cert", ours.path, "--key", other.keyPath], "--key"),
      (["--cert", ours.path, "--key", locked], "--key"),
      (["--key", ours.keyPath], "--key goes with --cert only"),
    ] {
      let run = try run(front, ["--cacert", front.certificate] + options)
      #expect(run.outcome == .exited(2), "\(options) \(run.errors)")
      #expect(run.errors.contains(told) && run.text == "")
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `a file of certificates that is not there is status 2`() throws {
    let front = try TLSFront(to: server, names: ["IP:127.0.0.1"])
    let run = try run(front, ["--cacert", front.certificate + ".none"])
    #expect(run.outcome == .exited(2))
    #expect(run.errors.contains(front.certificate + ".none"))
  }

  @Test func `a certificate that is out of date is status 4`() throws {
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
    #expect(run.outcome == .exited(4))
    #expect(run.errors.hasPrefix("oresp-send: "))
    #expect(run.errors.lowercased().contains("certificate"))
    let event = try #require(events(of: run.output).first)
    #expect(event["type"] as? String == "error")
    #expect((event["error"] as? [String: Any])?["code"] as? String == "certificate_not_trusted")
    #expect(server.requests.isEmpty)
  }
}
