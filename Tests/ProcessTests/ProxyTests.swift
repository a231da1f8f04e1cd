import Foundation
import ProcessSupport
import Testing

/// `oresp-send` with an HTTP proxy between it and the server.
@Suite(
  .needs(HTTPProxy.isAvailable && TLSFront.isAvailable, "tinyproxy or socat is not installed")
)
struct ProxyTests {
  /// An address of this machine that does not count as such, so that proxies are asked.
  private static let elsewhere = "0.0.0.0"
  private let server: LoopbackServer

  init() throws { server = try LoopbackServer(.stream(SampleStream.bytes)) }

  private func sender(_ base: String, _ options: [String], _ environment: [String: String])
    -> Sender
  {
    var sender = Sender(server)
    sender.environment["OPENAI_BASE_URL"] = base
    sender.environment.merge(environment) { $1 }
    sender.arguments = options + sender.arguments
    return sender
  }

  private func plain(
    host: String = elsewhere, _ options: [String], _ environment: [String: String]
  ) throws -> Finished {
    let options = host == Self.elsewhere ? ["--insecure-http"] + options : options
    return try sender("http://\(host):\(server.port)/v1", options, environment).run()
  }

  /// Whether each request came by a proxy, which adds a header.
  private var ways: [Bool] { server.requests.map { $0["Via"] != nil } }

  @Test func `the environment names a proxy`() throws {
    let proxy = try HTTPProxy()
    let url = "http://127.0.0.1:\(proxy.port)"
    for environment in [["http_proxy": url], ["all_proxy": url]] {
      let run = try plain([], environment)
      #expect(run.outcome == .exited(0))
      #expect(run.text == SampleStream.stream)
    }
    _ = try plain([], ["http_proxy": url, "no_proxy": Self.elsewhere])
    _ = try plain([], ["http_proxy": url, "no_proxy": "*"])
    _ = try plain([], ["https_proxy": url])
    #expect(ways == [true, true, false, false, false])
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `a server on this machine is asked without one`(host: String) throws {
    let proxy = try HTTPProxy()
    let url = "http://127.0.0.1:\(proxy.port)"
    _ = try plain(host: host, [], ["http_proxy": url, "all_proxy": url, "no_proxy": ""])
    #expect(ways == [false])
    let run = try plain(host: host, ["--proxy", url], [:])
    #expect(run.outcome == .exited(0))
    #expect(ways == [false, true])
    let refused = try plain(host: host, ["--proxy", "http://192.0.2.1:1"], [:])
    #expect(refused.outcome == .exited(2))
    #expect(refused.errors.contains("by a proxy on this machine only"))
  }

  @Test func `the option comes before the environment`() throws {
    let proxy = try HTTPProxy()
    let port = try RefusingPort()
    let broken = "http://127.0.0.1:\(port.number)"
    _ = try plain(["--proxy", "127.0.0.1:\(proxy.port)"], ["http_proxy": broken])
    #expect(ways == [true])
    let run = try plain([], ["http_proxy": broken])
    #expect(run.outcome == .exited(5))
    #expect(ways == [true])
    withExtendedLifetime(port) {}
  }

  @Test func `TLS goes through a tunnel`() throws {
    let proxy = try HTTPProxy()
    let front = try TLSFront(to: server, names: ["IP:\(Self.elsewhere)"])
    let sender = sender(
      "https://\(Self.elsewhere):\(front.port)/v1", ["-v", "--cacert", front.certificate],
      ["https_proxy": "http://127.0.0.1:\(proxy.port)"])
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream)
    let tunnel = "CONNECT \(Self.elsewhere):\(front.port) HTTP/1.1"
    #expect(proxy.told { $0.contains(tunnel) }.contains(tunnel))
    #expect(ways == [false])
    #expect(!run.errors.contains(Sender.key))
    #expect(server.requests.first?["Authorization"] == "Bearer " + Sender.key)
    // The answer of the proxy is none of the server's.
    #expect(run.errors.components(separatedBy: "oresp-send: < HTTP/").count == 2)
  }

  @Test func `a proxy that asks for a password gets it from the environment, and nobody else`()
    throws
  {
    let proxy = try HTTPProxy(["BasicAuth someone hidden-word"])
    let address = "127.0.0.1:\(proxy.port)"
    let without = try plain(["-v"], ["http_proxy": "http://\(address)"])
    #expect(without.outcome == .exited(4))
    #expect(without.errors.contains("HTTP 407"))
    let with = try plain(["-v"], ["http_proxy": "http://someone:hidden-word@\(address)"])
    #expect(with.outcome == .exited(0))
    #expect(with.errors.contains("> Proxy-Authorization: [secret]"))
    #expect(!with.errors.contains("hidden-word"))
    #expect(server.requests.map { $0["Proxy-Authorization"] } == [nil])
    let tunnelled = try sender(
      "https://\(Self.elsewhere):\(server.port)/v1", ["--retry=1"],
      ["https_proxy": "http://someone:wrong-word@\(address)"]
    ).run()
    #expect(tunnelled.outcome == .exited(4))
    let why = "the proxy refused the connection with HTTP 401; check the proxy"
    #expect(tunnelled.errors.contains(why) && Finished.lines(tunnelled.errors).count == 1)
    #expect(!tunnelled.errors.contains("wrong-word"))
    let refused = try plain(["--proxy", "http://someone:hidden-word@\(address)"], [:])
    #expect(refused.outcome == .exited(2))
    #expect(!refused.errors.contains("hidden-word"))
  }

  @Test(arguments: ["http://someone:hidden-word@127.0.0.1:x", "foo://someone:hidden-word@host"])
  func `a proxy of the environment that is none does not show its password`(url: String) throws {
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    let run = try plain(["-v", "--log", log], ["http_proxy": url])
    #expect(run.outcome == .exited(5))
    #expect(!(run.text + run.errors).contains("hidden-word"))
    #expect(try !String(contentsOfFile: log, encoding: .utf8).contains("hidden-word"))
    #expect(ways.isEmpty)
  }
}
