import Core

/// The API that an answer is asked for.
enum API: String, CaseIterable, Sendable {
  case responses, chat
}

/// What the command line says of the request, without its input. Presets are the base; `-b`, the
/// options and `edits` override them, in that order.
struct RequestSettings: Sendable {
  var api = API.responses
  var use = BodyUse.answer
  var model: String?
  /// The model if nothing else names one.
  var fallbackModel: String?
  var needsInput = true
  /// The value of `-b`: the path of a file, or JSON itself.
  var bodyPath: String?
  /// What `--[no-]stream` says, if it is given.
  var streamChoice: Bool?
  /// Members that options set, in the order of the command line.
  var parameters: [BodyEdit<ValueSource>] = []
  /// The values of `--include`.
  var includes: [String] = []
  var tools: [ToolArgument] = []
  var schema = SchemaSettings()
  /// The names or paths of the presets; a later one overrides an earlier one.
  var presets: [String] = []
  /// The changes by `--set`, `--set-str` and `--unset`, in their order.
  var edits: [BodyEdit<ValueSource>] = []
  /// Warnings of values that the API does not document.
  var hints: [String] = []

  /// Whether `option`, which sets a parameter, is given.
  func uses(_ option: String) -> Bool { parameters.contains { $0.option == option } }

  /// The names of the members that options set.
  var setMembers: [String] {
    let listed = [
      ("model", model != nil), ("include", !includes.isEmpty), ("tools", !tools.isEmpty),
      ("text", schema.path != nil),
    ]
    let edited = (parameters + edits.filter { $0.option != "--unset" }).compactMap { edit in
      if case .member(let name)? = edit.path.steps.first { name } else { nil }
    }
    return listed.filter(\.1).map(\.0) + edited
  }

  /// The members that options set, with the values in their files, in the order in which they are
  /// set.
  func changes(_ reader: inout ValueReader) throws(Failure) -> [BodyEdit<JSONValue>] {
    var changes: [BodyEdit<JSONValue>] = []
    if let model { changes.append(BodyEdit("-m", "model", .text(model))) }
    for edit in parameters { changes.append(try edit.read(&reader)) }
    if !includes.isEmpty {
      changes.append(BodyEdit("--include", "include", .array(includes.map(JSONValue.text))))
    }
    if !tools.isEmpty {
      var made: [JSONValue] = []
      for argument in tools { made += try within("--tool", argument.tools(&reader)) }
      changes.append(BodyEdit("--tool", "tools", .array(made)))
    }
    if let format = try schema.format(reader.sources) {
      changes.append(BodyEdit("--schema", "text.format", format))
    }
    if let streamChoice { changes.append(BodyEdit("--stream", "stream", .bool(streamChoice))) }
    return changes
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
