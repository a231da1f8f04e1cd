/// The end of an answer of Chat Completions.
struct ChatEnd {
  /// `completed`, `incomplete` or `failed`.
  let status: String
  /// The status of the items of an answer that ends so.
  var itemStatus: String { status == "completed" ? status : "incomplete" }
  private(set) var details = JSONValue.null
  private(set) var error = JSONValue.null
  /// The warning about a guessed end; `nil` when the end is sure.
  private(set) var note: String?
  /// The `finish_reason` if it is not known; else `nil`.
  private var unknownReason: String?

  /// The end in `choice`; `nil` when it has none. While an answer goes on some servers send an
  /// empty reason, or the text `null`.
  init?(_ choice: Span<UInt8>) {
    let name = JSONChildren.text(of: "finish_reason", in: choice)
    guard !["", "null"].contains(name) else { return nil }
    if let known = ChatEnd(reason: name) {
      self = known
    } else {
      let way = "behind a text or a call it counts as stop"
      self.init(note: "finish_reason \(name) is not known; \(way)")
      unknownReason = name
    }
  }

  /// The end for `reason`, a server's `finish_reason`; `nil` when that is not known.
  private init?(reason: String) {
    switch reason.lowercased() {
    case "stop", "tool_calls", "function_call", "end_turn", "stop_sequence", "eos", "tool_use":
      self.init()
    case "length", "max_tokens", "model_length": self.init(incomplete: "max_output_tokens")
    case "model_context_window_exceeded", "repetition": self.init(incomplete: reason.lowercased())
    case "content_filter", "safety", "recitation", "prohibited_content", "blocklist", "sensitive":
      self.init(incomplete: "content_filter")
    case "error", "insufficient_system_resource", "abort", "network_error", "load":
      self.init(
        failure: "the server ended it with finish_reason \(reason)", code: "server_error")
    default: return nil
    }
  }

  /// The end of a complete answer.
  init(note: String? = nil) {
    status = "completed"
    self.note = note
  }

  private init(incomplete reason: String) {
    status = "incomplete"
    details = ["reason": "\(reason)"]
  }

  /// The end by an error of the server.
  init(_ error: APIError) {
    self.init(
      failure: error.words.isEmpty ? error.summary : error.words,
      code: error.name.isEmpty ? error.httpStatus.map(String.init) ?? "" : error.name)
  }

  /// The same end, behind `content`: for an unknown reason an answer without a text or a call is
  /// incomplete.
  func settled(behind content: ChatChunk.Content) -> ChatEnd {
    guard let unknownReason, content.isDisjoint(with: [.answer, .call]) else { return self }
    return ChatEnd(incomplete: unknownReason)
  }

  private init(failure message: String, code: String) {
    status = "failed"
    error = ["code": "\(code)", "message": "\(message)"]
  }

  /// The end of an answer whose `[DONE]` came without a reason: its text counts as whole, but a
  /// call may lack a part.
  init(atMarkBehind content: ChatChunk.Content) {
    if content.contains(.answer), !content.contains(.call) {
      self.init(note: "[DONE] came without a finish_reason, and counts as stop")
    } else {
      self.init(failure: "it has no finish_reason", code: "")
    }
  }
}
