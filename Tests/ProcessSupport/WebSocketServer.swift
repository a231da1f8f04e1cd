import Foundation

/// A WebSocket server on 127.0.0.1 (RFC 6455), at a port that the system chose, with a thread for
/// each connection. To each message of text it gives the next answer, a message for each of its
/// elements.
package final class WebSocketServer: Sendable {
  /// The programs that it needs.
  package static let isAvailable = Tools.path(of: "openssl") != nil

  package let port: Int
  private let listener: Int32
  private let state = Shared(State())

  private struct State {
    var requests: [LoopbackServer.Request] = []
    var messages: [String] = []
    var hasClosed = false
    var isStopped = false
  }

  package init(_ answers: [[String]]) throws {
    _ = SystemCall.ignoresSIGPIPE
    (listener, port) = try Socket.bindLoopback()
    guard listen(listener, 8) == 0 else { throw SystemError("listen") }
    let (listener, state) = (listener, state)
    Thread.detachNewThread {
      while !state.value.isStopped {
        guard let socket = Socket.accept(from: listener, milliseconds: 20) else { continue }
        Thread.detachNewThread { Self.serve(socket, state, answers) }
      }
      close(listener)
    }
  }

  deinit { state.update { $0.isStopped = true } }

  package var url: String { "ws://127.0.0.1:\(port)/v1/responses" }

  /// The requests that opened connections.
  package var requests: [LoopbackServer.Request] { state.value.requests }

  /// The messages that came.
  package var messages: [String] { state.value.messages }

  /// Waits until a client has closed its connection in the way of the protocol.
  package func waitForClose() -> Bool { state.wait { $0.hasClosed } }

  private static func serve(_ socket: Int32, _ state: Shared<State>, _ answers: [[String]]) {
    defer { close(socket) }
    var connection = HTTPConnection(socket)
    guard let request = connection.readRequest(), let key = request["Sec-WebSocket-Key"],
      let accept = try? Self.accept(key)
    else { return }
    state.update { $0.requests.append(request) }
    let head =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(accept)\r\n\r\n"
    guard SystemCall.write(Array(head.utf8), to: socket) else { return }
    while let (kind, payload) = readFrame(&connection) {
      switch kind {
      case 1:
        let number = state.update { state in
          state.messages.append(String(decoding: payload, as: UTF8.self))
          return state.messages.count - 1
        }
        for message in answers[min(number, answers.count - 1)] {
          guard SystemCall.write(frame(1, Array(message.utf8)), to: socket) else { return }
        }
      case 8:
        state.update { $0.hasClosed = true }
        _ = SystemCall.write(frame(8, payload), to: socket)
        return
      default: break
      }
    }
  }

  /// The answer to `key` (section 4.2.2): SHA-1 of it and a fixed text.
  private static func accept(_ key: String) throws -> String {
    let script = #"printf %s "$1" | openssl dgst -sha1 -binary | openssl base64"#
    let run = try ToolProcess.bash(script, [key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"])
    return run.text.trimmingCharacters(in: .newlines)
  }

  /// The next whole message, of one frame (section 5.2), and its opcode; `nil` at the end.
  private static func readFrame(_ connection: inout HTTPConnection) -> (UInt8, [UInt8])? {
    guard let head = connection.read(exactly: 2), head[0] & 0x80 != 0, head[1] & 0x80 != 0 else {
      return nil
    }
    var count = Int(head[1] & 0x7F)
    if count >= 126 {
      guard let longer = connection.read(exactly: count == 126 ? 2 : 8) else { return nil }
      count = longer.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let mask = connection.read(exactly: 4), let masked = connection.read(exactly: count)
    else { return nil }
    return (head[0] & 0x0F, masked.indices.map { masked[$0] ^ mask[$0 % 4] })
  }

  private static func frame(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    var head = [0x80 | kind]
    if count < 126 {
      head.append(UInt8(count))
    } else {
      let size = count < 65536 ? 2 : 8
      head.append(size == 2 ? 126 : 127)
      head += (0..<size).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }
    return head + payload
  }
}
