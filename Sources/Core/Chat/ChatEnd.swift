/// The end of an answer of Chat Completions.
struct ChatEnd {
  /// `completed`, `incomplete` or `failed`.
  let status: String
  /// The status of the items of an answer that ends so.
  var itemStatus: String { status == "completed" ? status : "incomplete" }
  private(set) var details = JSONValue.null
  private(set) var error = JSONValue.null

  /// The end of a complete answer.
  init() { status = "completed" }

  init(incomplete reason: String) {
    status = "incomplete"
    details = ["reason": "\(reason)"]
  }

  init(failure message: String, code: String) {
    status = "failed"
    error = ["code": "\(code)", "message": "\(message)"]
  }

  /// The end by an error of the server.
  init(_ error: APIError) {
    self.init(
      failure: error.words.isEmpty ? error.summary : error.words,
      code: error.name.isEmpty ? error.httpStatus.map(String.init) ?? "" : error.name)
  }

  /// The end for `reason`, a server's `finish_reason`; `nil` when that is not known.
  init?(reason: String) {
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
}
