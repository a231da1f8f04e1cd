import Core

/// Makes the requests about an existing response.
struct ResponseRequests: Sendable {
  let server: Server
  /// Query items of each request, for optional members of the response: `include%5B%5D=…`
  private let includes: [String]
  /// Further query items of a request for events.
  private let streamItems: [String]

  /// Takes the `include` and the padding of events from `body`.
  init(_ server: Server, like body: RequestBody) {
    self.server = server
    let list = body.root.value(at: BodyPath(members: "include"))?.opened.elements ?? []
    includes = list.compactMap(\.text).map { "include%5B%5D=" + $0.percentEncoded }
    let padding = body.root.value(at: BodyPath(members: "stream_options.include_obfuscation"))
    streamItems =
      ["stream=true"]
      + (padding.map { ["include_obfuscation=" + String(decoding: $0.line, as: UTF8.self)] } ?? [])
  }

  /// Asks for the response `id`.
  func response(_ id: String) -> HTTPRequest {
    server.request("GET", Self.path(id), query: includes)
  }

  /// Asks for the events of the response `id` after number `last`; for all when it is `nil`.
  func events(_ id: String, after last: Int?) -> HTTPRequest {
    let place = last.map { ["starting_after=\($0)"] } ?? []
    return server.request("GET", Self.path(id), query: streamItems + place + includes)
  }

  func cancel(_ id: String) -> HTTPRequest {
    server.request("POST", Self.path(id) + "/cancel")
  }

  func delete(_ id: String) -> HTTPRequest {
    server.request("DELETE", Self.path(id))
  }

  static func path(_ id: String) -> String { "/responses/" + id.percentEncoded }
}
