import ProcessSupport
import Testing

/// Where `oresp-send` goes on to when a server points elsewhere, and that its key does not.
struct SenderRedirectTests {
  private static func redirect(_ status: Int, to place: String) -> Answer {
    .body("<html>", status: status, type: "text/html", headers: [("Location", place)])
  }

  @Test(arguments: [307, 308], ["/other/path?x=1", "path"])
  func `the same request goes on to another place on the same server`(
    status: Int, place: String
  ) throws {
    let sender = try Sender(Self.redirect(status, to: place), .stream(SampleStream.bytes))
    let run = try sender.run()
    #expect(run.outcome == .exited(0))
    #expect(run.text == SampleStream.stream && run.errors == "")
    let requests = sender.server.requests
    #expect(requests.map(\.target) == ["/v1/responses", place == "path" ? "/v1/path" : place])
    #expect(requests[0].body == requests[1].body)
    #expect(requests.map(\.method) == ["POST", "POST"])
    #expect(requests.map { $0["Authorization"] == "Bearer " + Sender.key } == [true, true])
  }

  @Test(arguments: [301, 302, 303, 300, 304])
  func `a redirect that would lose the request is status 4`(status: Int) throws {
    let sender = try Sender(Self.redirect(status, to: "/other"))
    let run = try sender.run()
    #expect(run.outcome == .exited(4))
    #expect(run.errors.contains("the server points to /other, which is not followed"))
    #expect(sender.server.requests.count == 1)
  }

  @Test(arguments: [307, 308], ["127.0.0.1", "localhost", "0.0.0.0"])
  func `another host or port sees neither key nor request`(status: Int, host: String) throws {
    let other = try LoopbackServer(.stream(SampleStream.bytes))
    let place = "http://\(host):\(other.port)/v1/responses"
    let sender = try Sender(Self.redirect(status, to: place))
    let (finished, statuses) = try sender.pipeline()
    #expect(statuses == [4, 4, 4, 4])
    #expect(finished.errors.contains(place))
    #expect(other.requests.isEmpty)
    #expect(sender.server.requests.count == 1)
  }

  @Test(arguments: [nil, "", "http://", "ftp://127.0.0.1/", "http://me@127.0.0.1/"])
  func `a redirect to nowhere is status 4`(place: String?) throws {
    var answer = Self.redirect(307, to: place ?? "")
    if place == nil { answer.headers.removeLast() }
    let sender = try Sender(answer)
    #expect(try sender.run().outcome == .exited(4))
    #expect(sender.server.requests.count == 1)
  }

  @Test func `a server that points to itself for ever is given up`() throws {
    let sender = try Sender(Self.redirect(307, to: "/again"))
    let run = try sender.run()
    #expect(run.outcome == .exited(4))
    #expect(run.errors.contains("the server redirects to itself again and again"))
    #expect(sender.server.requests.count == 10)
  }
}
