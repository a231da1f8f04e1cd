import Core

/// What presets, `-b`, the options and the environment say of the body of a request, with the bytes
/// of their files in it. With the preset `{"instructions":"Be brief.","temperature":0.2}`,
///
///     ORESP_MODEL=m oresp-send -P brief --temperature 1 --set store=false Hi
///
/// is the patch whose `body` is
///
///     {"model":"m","instructions":"Be brief.","temperature":1,"input":"Hi","stream":true,
///      "store":false}
struct Patch {
  /// The changes of the body, in the order in which they are laid over each other.
  private let edits: [ReadEdit]
  /// The model if nothing else names one; `nil` is an error then.
  private let model: String?
  /// The variable that has it.
  private let modelVariable: String
  /// The translation to Chat Completions; `nil` where none is asked for.
  private let chat: ChatRequest?
  /// Whether it asks for a new response. Otherwise nothing is added to what the user says.
  private let isNew: Bool
  /// Whether the line of a batch asks for events; `nil` for a request of its own.
  private let batchEvents: Bool?
  /// The members that the endpoint takes; `nil` for all.
  private let taken: Set<String>?
  /// Whether secrets are in the body, and not `[key]`.
  private let showsSecrets: Bool

  /// Whether it makes bodies for Chat Completions.
  var isChat: Bool { chat != nil }

  /// The texts of the secrets that it puts into bodies.
  let secretTexts: [[UInt8]]

  /// Reads the files and the variables that `settings` name. Refuses an option that is wrong
  /// whatever the body becomes. Without `-P` a new response begins with the preset that
  /// `ORESP_PRESET` names.
  init(
    _ settings: RequestSettings, _ sources: Sources, _ provider: Provider, isNew: Bool,
    batchEvents: Bool?, showsSecrets: Bool
  ) throws(Failure) {
    self.isNew = isNew
    self.batchEvents = batchEvents
    self.showsSecrets = showsSecrets
    var given = settings.edits
    if isNew, !given.contains(where: { $0.rank == .preset }),
      let name = sources.variable("ORESP_PRESET")
    {
      given.append(Edit("ORESP_PRESET", BodyPath([]), .preset(name), .merge, rank: .preset))
    }
    edits = try Edit.Rank.allCases.flatMap { rank in given.filter { $0.rank == rank } }
      .map { edit throws(Failure) in try edit.read(sources) }
    secretTexts = edits.flatMap(\.secretTexts)
    modelVariable = provider.modelVariable ?? "ORESP_MODEL"
    model =
      isNew
      ? provider.modelVariable.flatMap(sources.variable) ?? sources.variable("ORESP_MODEL")
        ?? settings.fallbackModel : nil
    taken = settings.use.members
    let options = edits.filter { [.option, .last].contains($0.edit.rank) }
    let isChat = settings.api == .chat && isNew
    chat = isChat ? ChatRequest(edits: options.map(\.edit), limitName: provider.chatLimit) : nil
    guard let chat else { return }
    var body = RequestBody()
    try lay(.option, on: &body)
    try chat.change(&body)
  }

  /// The whole body. This is the one place that merges: the presets and `-b`, then `line`, the
  /// options, the input, and `--set`, each over the one before. `input` gets whether the body has
  /// none yet, once all that comes before is known to be right.
  func body(
    over line: RequestBody? = nil, _ input: ((Bool) throws(Failure) -> RequestInput)? = nil
  ) throws(Failure) -> RequestBody {
    var body = RequestBody()
    try lay(.preset, on: &body)
    try lay(.body, on: &body)
    if let line { try body.merge(line.root) }
    let kept = body.has("messages") ? chat?.untouched(of: body) ?? [] : []
    try lay(.option, on: &body)
    if isNew, !body.has("model"), !body.hasValue("prompt") {
      if let model {
        body.set("model", .text(model))
      } else if !changes("model") {
        throw .usage("no model: give one with -m, or set \(modelVariable)")
      }
    }
    let given = try input?(lacksInput(body))
    if let previous = given?.previous { body.set("previous_response_id", previous) }
    if let items = given?.items { body.set("input", items) }
    setStream(of: &body)
    if let chat {
      try chat.change(&body, but: kept)
      guard input == nil || body.has("messages") || changes("messages") else {
        throw .usage("nothing to send: give a PROMPT, -f or -b with messages")
      }
    }
    try lay(.last, on: &body)
    if let taken { body.keep(taken) }
    return body
  }

  private func lay(_ rank: Edit.Rank, on body: inout RequestBody) throws(Failure) {
    for edit in edits where edit.edit.rank == rank {
      try edit.apply(to: &body, showsSecrets: showsSecrets)
    }
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

  /// Whether `--set` or `--unset` changes the member `name`.
  private func changes(_ name: String) -> Bool {
    edits.contains { $0.edit.rank == .last && $0.edit.path.names.first == name }
  }
}
