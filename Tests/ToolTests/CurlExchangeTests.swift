import Testing

@testable import Core
@testable import oresp_send

/// When a transfer does not go on, by a clock of the test's own. A stream may be silent for a second.
@Suite struct CurlExchangeTests {
  /// What happens, each for so many milliseconds.
  private enum Step {
    case wait(Int)
    /// The server sends a part of the reply, which the reader takes that long to take.
    case reply(Int)
    /// What came is handed on to a reader that takes that long.
    case flush(Int)
    /// No byte of an event stream has come.
    case noStream
    /// The response has ended, or goes on after all.
    case end(Bool)
  }

  private final class Reader: ReplyReceiver {
    var now = 0
    var hasEnd = false
    var isStreaming = true
    /// The time that the next bytes take.
    var delay = 0

    func begin(_ head: ReplyHead) {}

    func receive(_ bytes: Span<UInt8>) -> Bool {
      takeTime()
      return true
    }

    func flush() { takeTime() }

    private func takeTime() {
      now += delay
      delay = 0
    }
  }

  /// How the transfer stands after `steps`, with a look after each of them.
  private static func end(of steps: [Step]) -> String {
    let reader = Reader()
    var settings = TransportSettings()
    settings.idleMilliseconds = 1000
    let exchange = CurlExchange(reader, watchers: [], settings) { reader.now }
    send(["HTTP/1.1 200 OK", ""], to: exchange)
    for (number, step) in steps.enumerated() {
      switch step {
      case .wait(let time): reader.now += time
      case .reply(let time):
        reader.delay = time
        _ = unsafe [ASCII.space].withUnsafeBytes { unsafe exchange.takeBody($0) }
      case .flush(let time): reader.delay = time
      case .noStream: reader.isStreaming = false
      case .end(let hasEnd): reader.hasEnd = hasEnd
      }
      guard !exchange.goesOn(at: reader.now) else { continue }
      let left = steps.count - 1 - number
      let why =
        exchange.isIdle ? "silent" : exchange.isStopped ? "lingered" : ""
      return left == 0 ? why : "\(why), \(left) too early"
    }
    return "goes on"
  }

  private static func send(_ head: [String], to exchange: CurlExchange) {
    for line in head {
      _ = unsafe Array((line + "\r\n").utf8).withUnsafeBytes { unsafe exchange.takeHeader($0) }
    }
  }

  @Test(
    arguments: [
      ([.wait(999)], "goes on"), ([.wait(999), .wait(1)], "silent"),
      ([.wait(999), .reply(0), .wait(999)], "goes on"),
      ([.wait(999), .reply(0), .wait(1000)], "silent"),
      // An answer may take hours, before its first byte and, where it is a document, behind it.
      ([.noStream, .wait(9_000_000)], "goes on"),
      ([.noStream, .reply(0), .wait(9_000_000)], "goes on"),
      // The time of a slow reader is not the server's.
      ([.reply(5000), .wait(999)], "goes on"), ([.reply(5000), .wait(1000)], "silent"),
      ([.wait(500), .flush(5000), .wait(499)], "goes on"),
      ([.wait(500), .flush(5000), .wait(500)], "silent"),
      // Behind the end of the response the connection stays open for two seconds of signs.
      ([.end(true), .wait(900), .reply(0), .wait(900), .reply(0), .wait(199)], "goes on"),
      ([.end(true), .wait(900), .reply(0), .wait(900), .reply(0), .wait(200)], "lingered"),
      (
        [
          .end(true), .wait(900), .reply(0), .wait(900), .end(false), .reply(0), .end(true),
          .wait(900),
        ], "goes on"
      ),
    ] as [([Step], String)])
  private func `a transfer goes on until a silence or an end`(
    steps: [Step], outcome: String
  ) {
    #expect(Self.end(of: steps) == outcome)
  }
}
