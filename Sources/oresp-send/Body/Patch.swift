import Core

/// What presets, `-b`, the options and the environment say of the body of a request, with the bytes
/// of their files in it. With the preset `{"instructions":"Be brief.","temperature":0.2}`,
///
///     ORESP_MODEL=m oresp-send -P brief --temperature 1 --set store=false Hi
///
/// is the patch whose `body` is
///
///     {"model":"m","instructions":"Be brief.","input":"Hi","temperature":1,"store":false,
///      "stream":true}
struct Patch {
  /// The presets and `-b`; `nil` without any.
  private let base: RequestBody?
  /// The members that options set.
  private let set: [BodyEdit<JSONValue>]
  /// Values of `include` that tools need.
  private let included: [String]
  /// The changes by `--set`, `--set-str` and `--unset`.
  private let edits: [BodyEdit<JSONValue>]
  /// The model if nothing else names one; `nil` is an error then.
  private let model: String?
  /// The translation to Chat Completions; `nil` where none is asked for.
  private let chat: ChatRequest?
  /// Whether it asks for a new response. Otherwise nothing is added to what the user says.
  private let isNew: Bool
  /// Whether the line of a batch asks for events; `nil` for a request of its own.
  private let batchEvents: Bool?
  /// The members that the endpoint takes; `nil` for all.
  private let taken: Set<String>?
  /// The values that must not be shown.
  private let secrets: [JSONValue]

  /// Whether it makes bodies for Chat Completions.
  var isChat: Bool { chat != nil }

  /// Reads the files and the variables that `settings` name. Refuses an option that is wrong
  /// whatever the body becomes.
  init(
    _ settings: RequestSettings, _ sources: Sources, _ provider: Provider, isNew: Bool,
    batchEvents: Bool?
  ) throws(Failure) {
    self.isNew = isNew
    self.batchEvents = batchEvents
    var reader = ValueReader(sources: sources)
    base = try Self.base(settings, sources, isNew: isNew)
    set = try settings.changes(&reader)
    edits = try settings.edits.map { edit throws(Failure) in try edit.read(&reader) }
    secrets = reader.secrets
    included = settings.tools.flatMap(\.includes)
    model =
      isNew
      ? provider.modelVariable.flatMap(sources.variable) ?? sources.variable("ORESP_MODEL")
        ?? settings.fallbackModel : nil
    taken = settings.use.members
    let isChat = settings.api == .chat && isNew
    chat = isChat ? ChatRequest(changes: set + edits, limitName: provider.chatLimit) : nil
    try chat?.check(set)
  }

  /// The presets and `-b`, each merged over the one before. Without `-P` a new response begins with
  /// the preset that `ORESP_PRESET` names.
  private static func base(
    _ settings: RequestSettings, _ sources: Sources, isNew: Bool
  ) throws(Failure) -> RequestBody? {
    var names = settings.presets
    if names.isEmpty, isNew, let name = sources.variable("ORESP_PRESET") {
      if !PresetFolder.isFile(name) { try within("ORESP_PRESET", PresetFolder.check(name)) }
      names = [name]
    }
    let folder = PresetFolder(sources)
    var bodies = try names.map { name throws(Failure) in try folder.preset(name) }
    if let argument = settings.bodyPath {
      let body = try RequestBody(try sources.json(argument, of: "-b"))
      if Sources.isInPlace(argument) { try within("-b", body.refuseSecrets()) }
      bodies.append(body)
    }
    guard var base = bodies.first else { return nil }
    for body in bodies.dropFirst() { try base.merge(body) }
    return base
  }

  /// The whole body. This is the one place that merges: the presets and `-b`, then `line`, the
  /// options, the input, and the edits, each over the one before. `input` gets whether the body has
  /// none yet, once all that comes before is known to be right.
  func body(
    over line: RequestBody? = nil, _ input: ((Bool) throws(Failure) -> RequestInput)? = nil
  ) throws(Failure) -> RequestBody {
    var body = base ?? line ?? RequestBody()
    if base != nil, let line { try body.merge(line) }
    if let chat, body.has("messages") { body.untouched = chat.untouched(of: body) }
    for change in set { try change.apply(to: &body) }
    include(in: &body)
    if isNew, !body.has("model"), !body.hasValue("prompt") {
      if let model {
        body.set("model", .text(model))
      } else if !changes("model") {
        throw .usage("no model: give one with -m, or set ORESP_MODEL")
      }
    }
    let given = try input?(lacksInput(body))
    if let previous = given?.previous { body.set("previous_response_id", previous) }
    if let items = given?.items { body.set("input", items) }
    setStream(of: &body)
    if let chat {
      try chat.change(&body)
      guard input == nil || body.has("messages") || changes("messages") else {
        throw .usage("nothing to send: give a PROMPT, -f or -b with messages")
      }
    }
    for edit in edits { try edit.apply(to: &body) }
    if set.contains(where: { $0.option == "--conversation" }), body.hasValue("previous_response_id")
    {
      throw .usage("--conversation and a previous_response_id exclude each other")
    }
    if given?.previous != nil, body.hasValue("conversation") {
      throw .usage("--previous and a conversation exclude each other")
    }
    body.secrets = secrets
    if let taken { body.keep(taken) }
    return body
  }

  /// Adds what tools need to `include`.
  private func include(in body: inout RequestBody) {
    guard !included.isEmpty else { return }
    var list = body.value(at: BodyPath(members: "include"))?.opened.elements ?? []
    for name in included where !list.contains(where: { $0.text == name }) {
      list.append(.text(name))
    }
    body.set("include", .array(list))
  }

  /// Asks for events, or for the document, where the user left that open or a batch decides.
  private func setStream(of body: inout RequestBody) {
    switch batchEvents {
    case true?: body.set("stream", .bool(true))
    case false?:
      for name in ["stream", "stream_options"] { body.remove(at: BodyPath(members: name)) }
    case nil:
      if isNew, !body.has("stream") { body.set("stream", .bool(true)) }
    }
  }

  private func lacksInput(_ body: RequestBody) -> Bool {
    !["input", "messages"].contains { body.has($0) || changes($0) } && !body.hasValue("prompt")
  }

  /// Whether an edit changes the member `name`.
  private func changes(_ name: String) -> Bool {
    edits.contains { edit in
      if case .member(name)? = edit.path.steps.first { true } else { false }
    }
  }
}
