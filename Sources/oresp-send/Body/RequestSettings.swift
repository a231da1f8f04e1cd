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
  var parameters: [BodyEdit] = []
  /// The values of `--include`.
  var includes: [String] = []
  var tools: [ToolArgument] = []
  var schema = SchemaSettings()
  /// The names or paths of the presets; a later one overrides an earlier one.
  var presets: [String] = []
  /// The changes by `--set`, `--set-str` and `--unset`, in their order.
  var edits: [BodyEdit] = []
  /// Warnings of values that the API does not document.
  var hints: [String] = []

  /// Whether `option`, which sets a parameter, is given.
  func uses(_ option: String) -> Bool { parameters.contains { $0.option == option } }

  /// The options that set members of the body, each with the path of its member.
  var origins: [(name: String, path: String)] {
    let listed = [
      ("--include", "include", includes.isEmpty), ("-t", "tools", tools.isEmpty),
      ("-S", "text.format", schema.path == nil),
    ]
    return listed.filter { !$0.2 }.map { ($0.0, $0.1) }
      + (parameters + edits).map { ($0.option, $0.path.text) }
  }

  /// Whether an edit changes the member `name`.
  func edits(_ name: String) -> Bool {
    edits.contains { edit in
      if case .member(name)? = edit.path.steps.first { true } else { false }
    }
  }

  /// Puts the values of options into `body`.
  func apply(to body: inout RequestBody, _ sources: Sources) throws(Failure) {
    var reader = ValueReader(sources: sources)
    if let model { body.set("model", .text(model)) }
    for edit in parameters { try edit.apply(to: &body, &reader) }
    include(in: &body)
    if !tools.isEmpty {
      var made: [JSONValue] = []
      for argument in tools { made += try within("--tool", argument.tools(&reader)) }
      body.set("tools", .array(made))
    }
    try schema.apply(to: &body, sources)
    if let streamChoice { body.set("stream", .bool(streamChoice)) }
    body.secrets = reader.secrets
  }

  /// Sets `include` to the values of `--include`, or else leaves what the body has, and adds what
  /// tools need.
  private func include(in body: inout RequestBody) {
    let added = tools.flatMap(\.includes)
    guard !includes.isEmpty || !added.isEmpty else { return }
    let own = body.value(at: BodyPath(members: "include"))?.opened.elements ?? []
    var list = includes.isEmpty ? own : includes.map(JSONValue.text)
    for name in added where !list.contains(where: { $0.text == name }) { list.append(.text(name)) }
    body.set("include", .array(list))
  }

  /// Makes the edits, and checks the whole body.
  func edit(_ body: inout RequestBody, _ sources: Sources) throws(Failure) {
    var reader = ValueReader(sources: sources)
    for edit in edits { try edit.apply(to: &body, &reader) }
    body.secrets += reader.secrets
    if uses("--conversation"), body.says("previous_response_id") {
      throw .usage("--conversation and a previous_response_id exclude each other")
    }
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
