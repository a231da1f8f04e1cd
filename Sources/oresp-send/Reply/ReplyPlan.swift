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
  /// Whether it is one of Chat Completions.
  var isChat = false
  /// Whether a document may be any text, as a transcript is, and not JSON alone.
  var takesText = false
  /// Whether what is cut or broken may be asked again where nothing of it was passed on.
  var isAskedAnew = false
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
  /// The number of the event behind which its stream is to go on.
  let last: Int?
  /// Whether its stream is to come from the start.
  var isWhole = false
  /// Whether events are asked for, and not the response itself.
  var asksForEvents: Bool { last != nil || isWhole }

  /// What happened, in one line.
  var text: String {
    last.map { "the stream was cut after event \($0)" } ?? "the answer was cut"
  }

  /// What happened, for programs.
  var facts: JSONValue.Members {
    JSONValue.present([
      ("response_id", .text(id)), ("last_sequence_number", last.map(JSONValue.integer)),
    ])
  }
}
