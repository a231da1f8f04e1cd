import Foundation
import ProcessSupport
import TestSupport
import Testing

/// `oresp-send` with nginx between it and the server, as most deployments have it.
@Suite(
  .waiting,
  .needs(Nginx.isAvailable && Certificate.isAvailable, "nginx or openssl is not installed"))
struct NginxTests {
  private func sender(
    _ nginx: Nginx, _ server: LoopbackServer, base: String = "http://localhost/v1",
    _ options: String...
  ) -> Sender {
    var sender = Sender(server)
    sender.environment["OPENAI_BASE_URL"] = base
    sender.arguments = ["--unix-socket", nginx.socket] + options + sender.arguments
    return sender
  }

  @Test(
    arguments: ["proxy_buffering off", "proxy_buffering on"],
    [Sending.chunked, .slowly, .untilClose])
  func `a stream comes through unchanged`(buffering: String, sending: Sending) throws {
    let server = try LoopbackServer(.stream(SampleStream.bytes, sending))
    let nginx = try Nginx(to: server.port, [buffering])
    let sender = sender(nginx, server)
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream)
    #expect(try sender.pipeline().statuses == [0, 0, 0, 0])
    #expect(server.requests.first?["Authorization"] == "Bearer " + Sender.key)
  }

  @Test(arguments: [false, true])
  func `without its buffers an event comes out while the stream is open`(isTLS: Bool) throws {
    let gate = Gate()
    let place = SampleStream.stream(Array(SampleStream.events.prefix(4))).utf8.count
    let server = try LoopbackServer(.stream(SampleStream.bytes, .held(after: place, gate)))
    let certificate = isTLS ? try Certificate(names: ["DNS:localhost"]) : nil
    let nginx = try Nginx(to: server.port, ["proxy_buffering off"], certificate: certificate)
    var sender = sender(nginx, server)
    if let certificate {
      sender.environment["OPENAI_BASE_URL"] = "https://localhost/v1"
      sender.arguments += ["--cacert", certificate.path]
    }
    let process = try sender.start()
    #expect(process.output { $0.utf8.count >= place }.utf8.count == place)
    gate.open()
    let run = process.finish()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream)
  }

  @Test(arguments: ["proxy_buffering off", "proxy_buffering on"])
  func `a stream that is cut behind nginx is status 5`(buffering: String) throws {
    let server = try LoopbackServer(.stream(SampleStream.bytes, .cut(after: 700)))
    let nginx = try Nginx(to: server.port, [buffering])
    #expect(try sender(nginx, server).pipeline().statuses == [5, 5, 5, 5])
  }

  @Test func `a server that is not there is a gateway's error, and tried again`() throws {
    let (server, nobody) = (try LoopbackServer(.body("")), try RefusingPort())
    let nginx = try Nginx(to: nobody.number, [])
    let sender = sender(nginx, server, "--retry=1")
    var again = sender
    again.arguments = sender.arguments.filter { $0 != "--retry=0" }
    let run = try again.run()
    #expect(run.outcome == .exited(5))
    let told = Finished.lines(run.errors)
    #expect(
      told.count == 2 && told.allSatisfy { $0.contains("HTTP 502") || $0.contains("HTTP 504") })
    #expect(events(of: run.output).count == 1)
    withExtendedLifetime(nobody) {}
  }

  @Test func `a request that is too large for nginx is status 4`() throws {
    let server = try LoopbackServer(.stream(SampleStream.bytes))
    let nginx = try Nginx(to: server.port, ["client_max_body_size 10"])
    let run = try sender(nginx, server).run()
    #expect(run.outcome == .exited(4))
    #expect(run.errors.contains("HTTP 413"))
    #expect(server.requests.isEmpty)
  }

  @Test func `HTTP 2 is spoken over TLS, and shows no key`() throws {
    let server = try LoopbackServer(.stream(SampleStream.bytes))
    let certificate = try Certificate(names: ["DNS:localhost"])
    let nginx = try Nginx(to: server.port, ["proxy_buffering off"], certificate: certificate)
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    let sender = sender(
      nginx, server, base: "https://localhost/v1", "-v", "--cacert", certificate.path, "--log", log)
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream)
    let told = Finished.lines(run.errors)
    #expect(told.contains { $0.hasPrefix("oresp-send: < HTTP/2 200") })
    #expect(told.contains { $0.hasPrefix("oresp-send: > POST /v1/responses HTTP/2") })
    #expect(!run.errors.contains(Sender.key))
    #expect(
      json(try String(contentsOfFile: log, encoding: .utf8))["http_version"] as? String == "2")
    #expect(server.requests.first?["Authorization"] == "Bearer " + Sender.key)
    var older = sender
    older.arguments.append("--http1.1")
    #expect(try older.run().errors.contains("oresp-send: < HTTP/1.1 200"))
  }
}
