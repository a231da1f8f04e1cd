/// What a loopback server answers a request with, and how it sends that.
package struct Answer: Sendable {
  /// How the reader knows where the body ends.
  package enum Framing: Sendable {
    case contentLength, chunked, untilClose
    /// There is no head but what the steps send.
    case raw
  }

  /// What is done to send the body, one after another.
  package enum Step: Sendable {
    case send([UInt8])
    /// Sends the bytes again and again, until nobody takes them.
    case sendForever([UInt8])
    case pause(milliseconds: UInt32)
    case wait(Gate)
    /// Waits until the client has closed the connection, and opens the gate then.
    case awaitClose(Gate)
    /// Closes the connection, with the body at whatever it is.
    case cut
    /// Resets the connection, so that the client's next call fails.
    case reset
    /// Waits for bytes of the client, and forgets them.
    case read
  }

  package var status = 200
  package var headers: [(name: String, value: String)] = []
  package var framing = Framing.contentLength
  package var steps: [Step] = []
  /// The length that is promised, if it is not that of all steps.
  package var contentLength: Int?

  package init(
    status: Int = 200, headers: [(name: String, value: String)] = [],
    framing: Framing = .contentLength, steps: [Step] = []
  ) {
    (self.status, self.headers, self.framing, self.steps) = (status, headers, framing, steps)
  }

  /// A body in one piece.
  package static func body(
    _ text: String, status: Int = 200, type: String = "application/json",
    headers: [(name: String, value: String)] = []
  ) -> Self {
    Self(
      status: status, headers: [("Content-Type", type)] + headers,
      steps: [.send(Array(text.utf8))])
  }

  /// An event stream, sent as `sending` says.
  package static func stream(_ bytes: [UInt8], _ sending: Sending = .chunked) -> Self {
    var answer = Self(headers: [("Content-Type", "text/event-stream; charset=utf-8")])
    (answer.framing, answer.steps) = sending.plan(for: bytes)
    if case .cutShortOfLength = sending { answer.contentLength = bytes.count }
    return answer
  }

  var length: Int {
    contentLength
      ?? steps.reduce(0) { if case .send(let bytes) = $1 { $0 + bytes.count } else { $0 } }
  }
}

/// A way to send an event stream.
package enum Sending: Sendable {
  /// In one piece, its length told before.
  case inOnePiece
  /// In one piece, the connection closed behind it.
  case untilClose
  /// Each block a chunk.
  case chunked
  /// Cut into chunks of so many bytes, wherever that falls.
  case inChunks(of: Int)
  /// Each byte a chunk.
  case byteByByte
  /// Each block a chunk, a pause behind it.
  case slowly
  /// A block of comments behind each block.
  case withComments
  /// Chunked, the connection closed after so many bytes.
  case cut(after: Int)
  /// Its length told before, the connection closed after fewer bytes.
  case cutShortOfLength(after: Int)
  /// Held open after so many bytes, until the gate opens.
  case held(after: Int, Gate)

  /// What a block of comments looks like.
  package static let comment = ": keepalive\n\n"

  func plan(for bytes: [UInt8]) -> (Answer.Framing, [Answer.Step]) {
    switch self {
    case .inOnePiece: (.contentLength, [.send(bytes)])
    case .untilClose: (.untilClose, [.send(bytes)])
    case .chunked: (.chunked, blocks(of: bytes).map { .send($0) })
    case .inChunks(let size): (.chunked, pieces(of: bytes, size: size).map { .send($0) })
    case .byteByByte: (.chunked, bytes.map { .send([$0]) })
    case .slowly: (.chunked, blocks(of: bytes).flatMap { [.send($0), .pause(milliseconds: 5)] })
    case .withComments:
      (.chunked, blocks(of: bytes).flatMap { [.send($0), .send(Array(Self.comment.utf8))] })
    case .cut(let place): (.chunked, [.send(Array(bytes.prefix(place))), .cut])
    case .cutShortOfLength(let place):
      (.contentLength, [.send(Array(bytes.prefix(place))), .cut])
    case .held(let place, let gate):
      (
        .chunked,
        [.send(Array(bytes.prefix(place))), .wait(gate), .send(Array(bytes.dropFirst(place)))]
      )
    }
  }
}

/// The blocks of an event stream, each with its blank line; lines end with LF.
package func blocks(of bytes: [UInt8]) -> [[UInt8]] {
  var blocks: [[UInt8]] = []
  var start = 0
  for index in bytes.indices.dropFirst() where bytes[index] == 10 && bytes[index - 1] == 10 {
    blocks.append(Array(bytes[start...index]))
    start = index + 1
  }
  if start < bytes.count { blocks.append(Array(bytes[start...])) }
  return blocks
}

private func pieces(of bytes: [UInt8], size: Int) -> [[UInt8]] {
  stride(from: 0, to: bytes.count, by: size).map {
    Array(bytes[$0..<min($0 + size, bytes.count)])
  }
}
