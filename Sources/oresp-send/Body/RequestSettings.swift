import Core

/// What the command line says of the request, beside its input. What an option says counts over
/// presets and body; `edits` over all.
struct RequestSettings: Sendable {
  var api = API.responses
  var use = BodyUse.answer
  var model: String?
  /// The model where nothing else names one.
  var fallbackModel: String?
  /// Whether there must be something to be said.
  var needsInput = true
  /// The file with the body that it begins with.
  var bodyPath: String?
  /// What `--[no-]stream` said, if it was given.
  var streamChoice: Bool?
  /// Single members that options set, in their order on the command line.
  var parameters: [BodyEdit] = []
  /// The values of `include`.
  var includes: [String] = []
  var tools: [ToolArgument] = []
  var schema = SchemaSettings()
  var presets = PresetSettings()
  /// What `--set`, `--set-str` and `--unset` say, in their order.
  var edits: [BodyEdit] = []
  /// What is told before the request is sent: values that the API does not document.
  var hints: [String] = []

  /// Whether `option`, which sets a parameter, is given.
  func uses(_ option: String) -> Bool { parameters.contains { $0.option == option } }

  /// The options that set something in the body, and what each has set.
  var origins: [(name: String, path: String)] {
    let listed = [
      ("--include", "include", includes.isEmpty), ("-t", "tools", tools.isEmpty),
      ("-S", "text.format", schema.path == nil),
    ]
    return listed.filter { !$0.2 }.map { ($0.0, $0.1) }
      + (parameters + edits).map { ($0.option, $0.path.text) }
  }

  /// Whether `--set`, `--set-str` or `--unset` is about the member `name`.
  func edits(_ name: String) -> Bool {
    edits.contains { edit in
      if case .member(name)? = edit.path.steps.first { true } else { false }
    }
  }

  /// Has the options replace what the body says.
  func apply(to body: inout RequestBody, _ sources: Sources) throws(Failure) {
    var reader = ValueReader(sources)
    if let model { body.set("model", .text(model)) }
    // A template first, for `--var` adds to it wherever it stands.
    for isTemplate in [true, false] {
      for edit in parameters where (edit.option == "--prompt") == isTemplate {
        try edit.apply(to: &body, &reader)
      }
    }
    try include(in: &body)
    if !tools.isEmpty {
      var made: [JSONValue] = []
      for argument in tools {
        made += try telling(of: "--tool", argument.tools(&reader))
      }
      body.set("tools", .array(made))
    }
    try schema.apply(to: &body, &reader)
    if let streamChoice { body.set("stream", .bool(streamChoice)) }
    body.secrets = reader.secrets
  }

  /// Has the body include what `--include` says in place of its own, and what tools add to that.
  private func include(in body: inout RequestBody) throws(Failure) {
    let added = tools.flatMap(\.includes)
    guard !includes.isEmpty || !added.isEmpty else { return }
    var list: [JSONValue] = includes.map(JSONValue.text)
    if includes.isEmpty,
      case .array(let own)? = body.value(at: BodyPath(members: "include"))?.opened
    {
      list = own
    }
    for name in added where !list.contains(where: { $0.text == name }) { list.append(.text(name)) }
    body.set("include", .array(list))
  }

  /// Carries out `--set`, `--set-str` and `--unset`, and checks the body that all options have
  /// made.
  func edit(_ body: inout RequestBody, _ sources: Sources) throws(Failure) {
    var reader = ValueReader(sources)
    for edit in edits { try edit.apply(to: &body, &reader) }
    body.secrets += reader.secrets
    if uses("--conversation"), body.says("previous_response_id") {
      throw .usage("--conversation and a previous_response_id exclude each other")
    }
    if uses("--obfuscation"), !body.says("stream") || body.isFalse("stream") {
      throw .usage("--obfuscation goes with a stream only")
    }
    if uses("--var"), body.value(at: BodyPath(members: "prompt.id")) == nil {
      throw .usage("--var goes with a prompt template: give --prompt ID")
    }
  }
}

/// What the body of a request is sent for.
enum BodyUse: Sendable {
  case answer, compact, count

  var path: String {
    switch self {
    case .answer: "/responses"
    case .compact: "/responses/compact"
    case .count: "/responses/input_tokens"
    }
  }

  /// Whether it is `use`.
  subscript(is use: BodyUse) -> Bool {
    get { self == use }
    set { self = newValue ? use : .answer }
  }

  /// The members that are known there; `nil` for all.
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
