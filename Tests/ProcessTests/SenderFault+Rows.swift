import ProcessSupport

/// The faults that a server on loopback can bring about.
extension SenderFault {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
  private static let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"
  private static let document = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
  /// Where the second event ends, and the third has begun.
  private static let (middle, inside) = (end(of: 2), end(of: 2) + 30)
  /// How long the server waits; the tool waits no such time.
  private static let stall = Answer.Step.pause(milliseconds: 5000)
  private static let resumable = "; only a --background response can be resumed; try again"
  private static let dropped = " (HTTP 200)" + resumable

  static let losses: [SenderFault] = [
    SenderFault(
      "closed before the answer", .raw("", .cut), twice: "the connection was lost"
    ),
    SenderFault(
      "reset before the answer", .raw("", .reset),
      twice: "the connection was lost"
    ),
    SenderFault(
      "closed behind the status", .raw("HTTP/1.1 200 OK\r\n", .cut),
      twice: "the connection was lost"),
    SenderFault(
      "closed inside the headers", .raw(head + "X-A: ", .cut),
      twice: "the connection was lost"),
    SenderFault(
      "reset inside the headers", .raw(head, .pause(milliseconds: 20), .reset),
      twice: "the connection was lost"),
    SenderFault(
      "closed behind the headers", .part(0, .cut),
      twice: "the connection was lost", " (HTTP 200); try again"),
    SenderFault(
      "reset behind the headers", .part(0, .pause(milliseconds: 20), .reset),
      twice: "the connection was lost", " (HTTP 200); try again"),
    SenderFault(
      "closed between events", .part(middle, .cut),
      told: [
        "error: connection_lost: the connection was lost (HTTP 200)\(resumable)"
      ],
      events: 2),
    SenderFault(
      "reset between events", .part(middle, .pause(milliseconds: 20), .reset),
      told: [
        "error: connection_lost: the connection was lost (HTTP 200)\(resumable)"
      ],
      events: 2),
    SenderFault(
      "closed inside an event", .part(inside, .cut),
      told: ["error: connection_lost: the connection was lost\(dropped)"],
      events: 2),
    SenderFault(
      "reset inside an event", .part(inside, .pause(milliseconds: 20), .reset),
      told: ["error: connection_lost: the connection was lost\(dropped)"],
      events: 2),
    SenderFault(
      "closed before the length that was told",
      .stream(SampleStream.bytes, .cutShortOfLength(after: inside)),
      told: ["error: connection_lost: the connection was lost\(dropped)"],
      events: 2),
    SenderFault(
      "ended inside an event", .raw(head + "\r\n", .send(Array(SampleStream.bytes.prefix(inside)))),
      told: ["error: truncated_stream: the stream ended before the response did\(dropped)"],
      events: 2),
    SenderFault(
      "ended inside a document without a length",
      .raw(document + "\r\n{\"id\":\"r\",\"output\":[{"),
      ["--no-stream"],
      told: ["error: broken_answer: the answer is JSON that breaks off (HTTP 200); try again"]),
    SenderFault(
      "closed inside a document", .raw(document + "Content-Length: 9\r\n\r\n{", .cut),
      ["--no-stream"],
      told: [
        "error: connection_lost: the connection was lost (HTTP 200); try again"
      ]),
    SenderFault(
      "closed behind the end of the response", .part(SampleStream.bytes.count, .cut), status: 0,
      told: ["after the end of the response: the connection was lost"],
      events: SampleStream.events.count),
    SenderFault(
      "reset in the TLS handshake", onConnection: [.read, .reset],
      twice: "the connection was lost"),
    SenderFault(
      "closed in the TLS handshake", onConnection: [.read, .cut],
      twice: "the connection was lost"),
    SenderFault(
      "closed inside the hello of TLS",
      onConnection: [.read, .send([22, 3, 3, 0, 122, 2, 0]), .pause(milliseconds: 20), .reset],
      twice: "the connection was lost"),
  ]

  private static let limit = "the time limit of 0.3 seconds is over"
  private static let idle = "nothing came from the server for 0.3 seconds"

  static let stalls: [SenderFault] = [
    SenderFault(
      "silent inside the first event", .part(30, stall), ["--idle-timeout=0.3"],
      told: ["error: timeout: \(idle) (HTTP 200); --idle-timeout sets another limit"]),
    SenderFault(
      "silent between events", .part(middle, stall), ["--idle-timeout=0.3"],
      told: ["error: timeout: \(idle) (HTTP 200)\(resumable)"], events: 2),
    SenderFault(
      "silent inside an event", .part(inside, stall), ["--idle-timeout=0.3"],
      told: ["error: timeout: \(idle)\(dropped)"], events: 2),
    SenderFault(
      "out of time before the headers", .raw("", stall), ["--max-time=0.3"],
      told: ["error: timeout: \(limit); --max-time sets another limit"]),
    SenderFault(
      "out of time behind the headers", .part(0, stall), ["--max-time=0.3"],
      told: ["error: timeout: \(limit) (HTTP 200); --max-time sets another limit"]),
    SenderFault(
      "out of time inside an event", .part(inside, stall), ["--max-time=0.3"],
      told: ["error: timeout: \(limit)\(dropped)"], events: 2),
    SenderFault(
      "silent in the TLS handshake", onConnection: [.read, stall], ["--connect-timeout=0.3"],
      twice: "no connection within 0.3 seconds", code: "timeout",
      "; --connect-timeout sets another limit"),
    SenderFault(
      "out of time in the TLS handshake", onConnection: [.read, stall], ["--max-time=0.3"],
      told: ["error: timeout: \(limit); --max-time sets another limit"]),
  ]

  private static let empty =
    "error: empty_answer: the answer has no event in it (HTTP 200); check OPENAI_BASE_URL"
  private static let tooLarge = "error: transport_failed: …; try again"
  private static let noHTTP =
    "error: transport_failed: the server does not answer in HTTP; check OPENAI_BASE_URL"

  /// An answer in one chunk of so many bytes, and trailers without an end.
  private static func trailers(behind count: Int) -> Answer {
    let start = Array((chunked + String(count, radix: 16) + "\r\n").utf8)
    return .raw(
      "", .send(start + SampleStream.bytes.prefix(count) + Array("\r\n0\r\n".utf8)),
      .sendForever(Array("X-A: a\r\n".utf8)))
  }

  static let oddities: [SenderFault] = [
    SenderFault("empty, in chunks", .part(0), told: [empty]),
    SenderFault("empty, by its length", .body("", type: "text/event-stream"), told: [empty]),
    SenderFault("empty, up to the close", .raw(head + "\r\n"), told: [empty]),
    SenderFault(
      "a broken chunk first", .raw(chunked + "zz\r\n"),
      twice: "the connection was lost", " (HTTP 200); try again"),
    SenderFault(
      "a broken chunk later",
      .raw(
        chunked + String(middle, radix: 16) + "\r\n",
        .send(Array(SampleStream.bytes.prefix(middle)) + Array("\r\nzz\r\n".utf8))),
      told: [
        "error: connection_lost: the connection was lost (HTTP 200)\(resumable)"
      ], events: 2),
    SenderFault(
      "a header of 1 MB",
      .raw(head + "X-Large: " + String(repeating: "x", count: 1 << 20) + "\r\n"),
      told: [tooLarge]),
    SenderFault(
      "endless headers", .raw(head, .sendForever(Array("X-A: \(head)".utf8))), told: [tooLarge]),
    SenderFault("no HTTP", .raw("hello\n"), told: [noHTTP]),
    SenderFault(
      "another protocol",
      .raw("HTTP/1.1 101 Switching Protocols\r\n\r\n", .send(SampleStream.bytes)), told: [noHTTP]),
    SenderFault(
      "endless trailers behind a part", trailers(behind: middle),
      told: ["error: transport_failed: … (HTTP 200)\(resumable)"], events: 2),
    SenderFault(
      "endless trailers behind the end of the response",
      trailers(behind: SampleStream.bytes.count), status: 0,
      told: ["after the end of the response: …"],
      events: SampleStream.events.count),
    SenderFault(
      "a wait that is too long", .body("{}", status: 429, headers: [("Retry-After", "99999")]),
      told: [
        "error: http_error: HTTP 429: {}; "
          + "not retried: the server asks to wait 99999 seconds, more than 120"
      ]),
    SenderFault(
      "a wait beyond the time of the run",
      .body("", status: 503, headers: [("Retry-After", "100")]), ["--max-time=50"],
      told: [
        "error: http_error: HTTP 503 with an empty body;"
          + " not retried: --max-time would be over"
      ]),
  ]
}
