import Foundation

/// An HTTP/1.1 server on 127.0.0.1, at a port that the system chose, with a thread for each
/// connection. It answers as the test says, and keeps the requests that came.
package final class LoopbackServer: Sendable {
  /// A request that came, the first being number 0.
  package struct Request: Sendable {
    package var number = 0
    package var method = ""
    /// The path with its query, as it was sent.
    package var target = ""
    package var headers: [(name: String, value: String)] = []
    /// The body, unless it was too large to be kept.
    package var body: [UInt8] = []
    /// How many bytes the body had.
    package var bodySize = 0

    /// The value of the header `name`, in whatever case it was sent.
    package subscript(name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The body, if it is a JSON object.
    package var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }
  }

  package let port: Int
  private let listener: Int32
  private let state: Shared<State>

  private struct State {
    var requests: [Request] = []
    var connections: Set<Int32> = []
    var isStopped = false
  }

  /// Gives each request the answer that `answer` has for it.
  package init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
    _ = SystemCall.ignoresSIGPIPE
    (listener, port) = try Socket.bindLoopback()
    guard listen(listener, 64) == 0 else { throw SystemError("listen") }
    state = Shared(State())
    accept { Self.serve($0, $1, answer) }
  }

  /// Gives the first request the first answer, and so on; the last is given again and again.
  package convenience init(_ answers: Answer...) throws {
    try self.init { answers[min($0.number, answers.count - 1)] }
  }

  /// Does `steps` with each connection, without waiting for a request. Each connection counts as a
  /// request.
  package init(onConnection steps: [Answer.Step]) throws {
    _ = SystemCall.ignoresSIGPIPE
    (listener, port) = try Socket.bindLoopback()
    guard listen(listener, 64) == 0 else { throw SystemError("listen") }
    state = Shared(State())
    accept { connection, state in
      state.update { $0.requests.append(Request()) }
      _ = HTTPConnection(connection).perform(steps, .raw)
    }
  }

  deinit { stop() }

  /// The requests that came so far.
  package var requests: [Request] { state.value.requests }

  /// The last part of the base URL that a client is given, `/v1`, is in each request's target.
  package var baseURL: String { "http://127.0.0.1:\(port)/v1" }

  /// Ends all connections, and takes no further one.
  package func stop() {
    state.update { state in
      state.isStopped = true
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  private func accept(_ serve: @escaping @Sendable (Int32, Shared<State>) -> Void) {
    let (listener, state) = (listener, state)
    Thread.detachNewThread {
      while !state.value.isStopped {
        guard let connection = Socket.accept(from: listener, milliseconds: 20) else { continue }
        state.update { _ = $0.connections.insert(connection) }
        Thread.detachNewThread {
          serve(connection, state)
          state.update { _ = $0.connections.remove(connection) }
          close(connection)
        }
      }
      close(listener)
    }
  }

  private static func serve(
    _ descriptor: Int32, _ state: Shared<State>, _ answer: (Request) -> Answer
  ) {
    var connection = HTTPConnection(descriptor)
    while var request = connection.readRequest() {
      request = state.update { state in
        request.number = state.requests.count
        state.requests.append(request)
        return request
      }
      guard connection.send(answer(request), to: request) else { break }
    }
  }
}
