import Core

/// The expected form of the replies to a request, and how the request is followed up.
struct ReplyPlan: Sendable {
  /// The form of a success that is no event stream.
  enum Form: Sendable {
    /// A response.
    case response
    /// Any document.
    case document
    /// A page of a list, printed as its items.
    case page
    /// Bytes of any kind.
    case bytes
  }

  var form = Form.response
  /// The model that an option names, by which its failures are told from those of other runs.
  var model: String?
  /// Whether the replies are of Chat Completions.
  var isChat = false
  /// Whether a document may be any text, such as a transcript, not only JSON.
  var takesText = false
  /// Whether it is for a line of a batch, of which a reply is all: one that is cut or broken is
  /// requested again if nothing of it was passed on. What a reply to any other request leaves open is
  /// asked for: the rest of a stream, a response that goes on.
  var isOfBatch = false
  /// Whether the response goes on after its reply.
  var isBackground = false
  /// Whether the document is polled until the response has ended.
  var waits = false
  /// The id of the response that the request is about; empty for a new one.
  var id = ""
  /// Whether the replies go on with a stream: even a document is passed on as an event.
  var resumes = false
  /// The number of the last known event; `nil` when there is none.
  var last: Int?
}

/// The rest to ask for after a reply, and the reason.
struct ResponseRest: Sendable {
  enum Reason: Sendable {
    /// The reply was cut.
    case cut
    /// The server offers no events of the response, or no more.
    case noStream
    /// The response has not ended; the value is the wait that the server asks for, if it does.
    case running(milliseconds: Int?)
    /// A list goes on; the value is the query item for its next page.
    case page(String)

    /// Whether it is asked for once the server had more time.
    var isWait: Bool { if case .running = self { true } else { false } }
  }

  let reason: Reason
  let id: String
  /// The number of the event after which the stream is to go on; `nil` when none is known.
  let last: Int?
  /// Whether the stream is requested from its start.
  var isWhole = false
  /// Whether events are requested, not the response itself.
  var asksForEvents: Bool { last != nil || isWhole }

  /// The cut in one line, for people.
  var text: String {
    last.map { "the stream was cut after event \($0)" } ?? "the answer was cut"
  }

  /// The cut for programs.
  var facts: JSONValue.Members {
    JSONValue.present([
      ("response_id", .text(id)), ("last_sequence_number", last.map(JSONValue.integer)),
    ])
  }
}
