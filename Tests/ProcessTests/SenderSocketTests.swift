import Foundation
import ProcessSupport
import Testing

/// Other ways from `oresp-send` to a server than straight over TCP.
@Suite(.needs(Tools.path(of: "socat") != nil, "socat is not installed"))
struct SenderSocketTests {
  @Test(arguments: ["http://localhost/v1", "http://api.example.invalid/v1"])
  func `a socket of this machine is connected to, whatever the host`(base: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/socket"
    var sender = try Sender(.stream(SampleStream.bytes))
    let front = try ToolProcess(
      "socat", ["-d", "-d", "UNIX-LISTEN:\(path),fork", "TCP:127.0.0.1:\(sender.server.port)"])
    _ = front.errors { $0.contains("listening") }
    sender.environment["OPENAI_BASE_URL"] = base
    sender.environment["OPENAI_API_KEY"] = nil
    sender.arguments = ["--unix-socket", path] + sender.arguments
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream)
    let request = try #require(sender.server.requests.first)
    #expect(request["Host"] == String(base.split(separator: "/")[1]))
    #expect(request["Authorization"] == nil)
  }

  @Test func `a socket without a path is status 2, and nothing leaves the machine`() throws {
    var sender = try Sender(.stream(SampleStream.bytes))
    sender.environment["OPENAI_BASE_URL"] = "http://0.0.0.0:\(sender.server.port)/v1"
    sender.arguments = ["--unix-socket="] + sender.arguments
    #expect(try sender.run().outcome == .exited(2))
    #expect(sender.server.requests.isEmpty)
  }

  @Test func `a socket that is not there is status 5`() throws {
    var sender = try Sender(.stream(SampleStream.bytes))
    sender.arguments = ["--unix-socket", "/nonexistent"] + sender.arguments
    #expect(try sender.pipeline().statuses == [5, 5, 5, 5])
    let why = "error: connection_failed: /nonexistent: No such file or directory; "
    #expect(try sender.run().errors.hasPrefix("oresp-send: " + why))
  }

  @Test func `plain HTTP to another host is said out loud`() throws {
    var sender = try Sender(.stream(SampleStream.bytes))
    // An address of this machine that does not count as such.
    sender.environment["OPENAI_BASE_URL"] = "http://0.0.0.0:\(sender.server.port)/v1"
    let refused = try sender.run()
    #expect(refused.outcome == .exited(2) && sender.server.requests.isEmpty)
    sender.arguments = ["--insecure-http"] + sender.arguments
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    let warning = "over plain HTTP: everybody on the way can read it\n"
    #expect(run.errors == "oresp-send: the key and the request go " + warning)
    sender.environment["OPENAI_API_KEY"] = nil
    for asked in [
      sender.arguments, ["--insecure-http", "--path=/x"], ["--insecure-http", "--get=r"],
    ] {
      sender.arguments = asked
      #expect(try sender.run().errors.hasPrefix("oresp-send: the request goes " + warning))
    }
    #expect(
      sender.server.requests.map { $0["Authorization"] != nil } == [true, false, false, false])
  }
}
