import Core

/// The API that an answer is asked for.
enum API: String, CaseIterable, Sendable {
  case responses, chat
}

/// What the command line says of the request, without its input.
struct RequestSettings: Sendable {
  var api = API.responses
  var use = BodyUse.answer
  /// The model if nothing else names one.
  var fallbackModel: String?
  var needsInput = true
  /// The changes of the body, in the order of the command line.
  private(set) var edits: [Edit] = []

  /// Adds a change. Refuses a secret that the command line itself gives.
  mutating func add(_ edit: Edit) throws(Failure) {
    try edit.refuseSecrets()
    edits.append(edit)
  }

  /// Adds a change in place of those before it by the same option.
  mutating func replace(by edit: Edit) throws(Failure) {
    edits.removeAll { $0.option == edit.option }
    try add(edit)
  }

  /// Whether `option`, which changes the body, is given.
  func uses(_ option: String) -> Bool { edits.contains { $0.option == option } }

  /// The model that `-m` names.
  var model: String? { edits.last { $0.option == "-m" }?.source?.given?.text }

  /// What `--[no-]stream` says, if it is given.
  var streamChoice: Bool? {
    guard case .bool(let streams)? = edits.last(where: { $0.option == "--stream" })?.source?.given
    else { return nil }
    return streams
  }
}

/// The purpose of a request's body.
enum BodyUse: Sendable {
  case answer, compact, count

  var path: String {
    switch self {
    case .answer: "/responses"
    case .compact: "/responses/compact"
    case .count: "/responses/input_tokens"
    }
  }

  /// The members that the endpoint takes; `nil` for all.
  var members: Set<String>? {
    switch self {
    case .answer: nil
    case .compact:
      [
        "model", "input", "previous_response_id", "instructions", "prompt_cache_key",
        "prompt_cache_retention", "prompt_cache_options", "service_tier",
      ]
    case .count:
      [
        "model", "input", "previous_response_id", "conversation", "tools", "tool_choice", "text",
        "reasoning", "truncation", "instructions", "parallel_tool_calls", "personality",
      ]
    }
  }
}
