import Core

/// What the replies to a request are to bring, by what was asked for.
struct ReplyPlan: Sendable {
  /// What a success is, where it is no event stream.
  enum Form: Sendable {
    /// A response.
    case response
    /// Any document.
    case document
    /// A page of a list, of which the items are wanted.
    case page
    /// A document of something that is waited for, by its `status`.
    case object
    /// Bytes of any kind.
    case bytes
  }

  var form = Form.response
  /// Whether the response goes on behind its reply.
  var isBackground = false
  /// Whether a document of a response that has not ended is not wanted, but the one of its end.
  var waits = false
  /// The response that is asked for, if there was one before.
  var id = ""
  /// Whether events of it are known: what comes is passed on as events, whatever it is.
  var resumes = false
  /// The number of the last event that is known.
  var last: Int?
}

/// What is still to come of a response that goes on behind its reply.
struct ResponseRest: Sendable {
  enum Reason: Sendable {
    /// The reply was cut.
    case cut
    /// The server gives no events of it, or no more.
    case unoffered
    /// It has not ended. The server may say when to ask again.
    case running(milliseconds: Int?)
    /// A list goes on; the item of the query that asks for its next page.
    case page(String)
    /// A thing has not got ready; its id.
    case unready(String, milliseconds: Int?)
  }

  let reason: Reason
  let id: String
  /// The number of the event behind which its stream is to go on; `nil` where the response itself is
  /// asked for.
  let last: Int?

  /// What happened, in one line.
  var text: String {
    last.map { "the stream was cut behind event \($0)" } ?? "the answer was cut"
  }

  /// What happened, for programs.
  var facts: JSONValue.Members {
    JSONValue.present([
      ("response_id", .text(id)), ("last_sequence_number", last.map(JSONValue.integer)),
    ])
  }
}

/// Makes the requests about a response that the server has.
struct ResponseRequests: Sendable {
  let server: Server
  /// Items of the query that each has: what else is wanted in the response.
  private let includes: [String]
  /// Items that a request for events has besides.
  private let streamItems: [String]

  /// Asks for the same as `body` does.
  init(_ server: Server, like body: BodyContent) {
    self.server = server
    let text = body.text.span
    let list = JSONChildren.value(of: "include", in: text)
    includes = JSONChildren.elements(at: list, in: text).compactMap { place in
      JSONValue.raw([UInt8](copying: text.extracting(place))).string.map {
        "include%5B%5D=" + Endpoint.encoded(String(decoding: $0, as: UTF8.self))
      }
    }
    let padding = JSONChildren.value(of: "stream_options", "include_obfuscation", in: text)
    streamItems =
      ["stream=true"]
      + (padding.map { ["include_obfuscation=" + String(decoding: text.extracting($0))] } ?? [])
  }

  /// Asks for the response `id`.
  func response(_ id: String) throws(Failure) -> HTTPRequest {
    try server.request("GET", Self.path(id), query: includes)
  }

  /// Asks for the events of the response `id`, those behind number `last` if that is known.
  func events(_ id: String, after last: Int?) throws(Failure) -> HTTPRequest {
    let place = last.map { ["starting_after=\($0)"] } ?? []
    return try server.request("GET", Self.path(id), query: streamItems + place + includes)
  }

  /// Asks for the thing `id` that `request` made.
  func made(_ id: String, by request: HTTPRequest) throws(Failure) -> HTTPRequest {
    var next = request
    (next.method, next.body) = ("GET", BodyContent())
    next.headers.removeAll { RequestHeader.name(of: $0) == "content-type" }
    next.url = try Endpoint(base: request.url, path: "/" + Endpoint.encoded(id)).url
    return next
  }

  func rest(_ rest: ResponseRest) throws(Failure) -> HTTPRequest {
    rest.last == nil ? try response(rest.id) : try events(rest.id, after: rest.last)
  }

  /// Asks for the input of the response `id`, in its order.
  func inputItems(_ id: String) throws(Failure) -> HTTPRequest {
    try server.request(
      "GET", Self.path(id) + "/input_items", query: ["limit=100", "order=asc"] + includes)
  }

  func cancel(_ id: String) throws(Failure) -> HTTPRequest {
    try server.request("POST", Self.path(id) + "/cancel")
  }

  static func path(_ id: String) -> String { "/responses/" + Endpoint.encoded(id) }
}
