import Foundation

/// One connection of a loopback server: requests in, answers out.
struct HTTPConnection {
  private let descriptor: Int32
  /// What was read and belongs to no request yet.
  private var rest: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The next request; `nil` when the client sends no more.
  mutating func readRequest() -> LoopbackServer.Request? {
    guard let head = readLines() else { return nil }
    let first = head[0].split(separator: " ").map(String.init)
    guard first.count == 3 else { return nil }
    var request = LoopbackServer.Request()
    (request.method, request.target) = (first[0], first[1])
    request.headers = head.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? String(parts[1]) : ""
      return (String(parts[0]), value.trimmingCharacters(in: .whitespaces))
    }
    if request["Expect"]?.lowercased() == "100-continue" {
      _ = write("HTTP/1.1 100 Continue\r\n\r\n")
    }
    let size = request["Content-Length"].flatMap { Int($0) } ?? 0
    guard let body = size > Self.keptSize ? skip(size) : readBody(of: request) else { return nil }
    request.body = body
    request.bodySize = max(size, body.count)
    return request
  }

  /// Sends `answer`; false when the connection is at its end.
  func send(_ answer: Answer, to request: LoopbackServer.Request) -> Bool {
    let closes =
      [.untilClose, .raw].contains(answer.framing) || request["Connection"]?.lowercased() == "close"
    var head = "HTTP/1.1 \(answer.status) \(Self.reason(answer.status))\r\n"
    for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
    switch answer.framing {
    case .contentLength: head += "Content-Length: \(answer.length)\r\n"
    case .chunked: head += "Transfer-Encoding: chunked\r\n"
    case .untilClose, .raw: break
    }
    if closes { head += "Connection: close\r\n" }
    guard answer.framing == .raw || write(head + "\r\n") else { return false }
    guard request.method != "HEAD" else { return !closes }
    guard perform(answer.steps, answer.framing) else { return false }
    if answer.framing == .chunked { guard write("0\r\n\r\n") else { return false } }
    return !closes
  }

  /// Does `steps`; false when the connection is at its end.
  func perform(_ steps: [Answer.Step], _ framing: Answer.Framing) -> Bool {
    steps.allSatisfy { perform($0, framing) }
  }

  private func perform(_ step: Answer.Step, _ framing: Answer.Framing) -> Bool {
    switch step {
    case .send(let bytes): return send(bytes, framing)
    case .sendForever(let bytes):
      while send(bytes, framing) {}
      return false
    case .pause(let milliseconds): usleep(milliseconds * 1000)
    case .wait(let gate): return gate.wait()
    case .awaitClose(let gate):
      if SystemCall.read(descriptor).isEmpty { gate.open() }
      return false
    case .cut: return false
    case .reset:
      Socket.resetAtClose(descriptor)
      return false
    case .read: return !SystemCall.read(descriptor).isEmpty
    }
    return true
  }

  private func send(_ bytes: [UInt8], _ framing: Answer.Framing) -> Bool {
    if bytes.isEmpty { return true }
    guard framing == .chunked else { return SystemCall.write(bytes, to: descriptor) }
    let size = Array((String(bytes.count, radix: 16) + "\r\n").utf8)
    return SystemCall.write(size + bytes + [13, 10], to: descriptor)
  }

  private func write(_ text: String) -> Bool {
    SystemCall.write(Array(text.utf8), to: descriptor)
  }

  /// The largest body that is kept.
  private static let keptSize = 64 << 20

  /// Reads so many bytes, and keeps none of them.
  private mutating func skip(_ size: Int) -> [UInt8]? {
    var missing = size - rest.count
    rest = []
    while missing > 0 {
      let count = SystemCall.read(descriptor).count
      guard count > 0 else { return nil }
      missing -= count
    }
    return []
  }

  private mutating func readBody(of request: LoopbackServer.Request) -> [UInt8]? {
    if request["Transfer-Encoding"]?.lowercased() == "chunked" { return readChunks() }
    return read(exactly: request["Content-Length"].flatMap { Int($0) } ?? 0)
  }

  private mutating func readChunks() -> [UInt8]? {
    var body: [UInt8] = []
    while let line = readLine() {
      guard let size = Int(line.prefix { $0 != ";" }, radix: 16) else { return nil }
      guard size > 0 else {
        while let trailer = readLine(), !trailer.isEmpty {}
        return body
      }
      guard let chunk = read(exactly: size), readLine() != nil else { return nil }
      body += chunk
    }
    return nil
  }

  /// The lines up to a blank one, of which there is at least one.
  private mutating func readLines() -> [String]? {
    var lines: [String] = []
    while let line = readLine() {
      if !line.isEmpty { lines.append(line) } else if !lines.isEmpty { return lines }
    }
    return nil
  }

  private mutating func readLine() -> String? {
    while true {
      if let end = rest.firstIndex(of: 10) {
        let line = rest[..<end].filter { $0 != 13 }
        rest.removeSubrange(...end)
        return String(decoding: line, as: UTF8.self)
      }
      guard readMore() else { return nil }
    }
  }

  mutating func read(exactly count: Int) -> [UInt8]? {
    while rest.count < count { guard readMore() else { return nil } }
    defer { rest.removeFirst(count) }
    return Array(rest.prefix(count))
  }

  private mutating func readMore() -> Bool {
    let bytes = SystemCall.read(descriptor)
    rest += bytes
    return !bytes.isEmpty
  }

  private static func reason(_ status: Int) -> String {
    let reasons = [
      200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found",
      307: "Temporary Redirect", 308: "Permanent Redirect", 429: "Too Many Requests",
      500: "Internal Server Error", 503: "Service Unavailable",
    ]
    return reasons[status] ?? "Status"
  }
}
