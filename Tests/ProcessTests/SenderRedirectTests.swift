import Foundation
import ProcessSupport
import Testing

/// That neither request nor key goes where a server points to.
struct SenderRedirectTests {
  @Test(arguments: [
    (300, "/other"), (301, "http://127.0.0.1:PORT/v1"), (302, "http://localhost:PORT/"),
    (303, "http://"), (304, ""), (307, "http://127.0.0.1:PORT/v1"), (308, "/other"), (308, ""),
  ])
  func `a redirect is reported with its target, and not followed`(
    status: Int, place: String
  ) throws {
    let other = try LoopbackServer(.stream(SampleStream.bytes))
    let place = place.replacingOccurrences(of: "PORT", with: String(other.port))
    let sender = try Sender(
      .body("<html>", status: status, type: "text/html", headers: [("Location", place)]))
    let (finished, statuses) = try sender.pipeline()
    #expect(statuses == [4, 4, 4, 4])
    let target = place.isEmpty ? "nowhere" : place
    #expect(finished.errors.contains("the server points to \(target), which is not followed"))
    #expect(other.requests.isEmpty && sender.server.requests.count == 1)
  }
}
