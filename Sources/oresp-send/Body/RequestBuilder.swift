import Core

/// Makes the body of a request out of the command line, files and the environment. With the preset
/// `{"instructions":"Be brief.","temperature":0.2}`,
///
///     ORESP_MODEL=m oresp-send -P brief --temperature 1 --set store=false Hi
///
/// makes, through `base`, `settings.apply`, `setDefaultModel`, `input.build` and `settings.edit`,
///
///     {"model":"m","instructions":"Be brief.","input":"Hi","temperature":1,"store":false,
///      "stream":true}
struct RequestBuilder {
  private let settings: RequestSettings
  private let input: InputBuilder
  private let sources: Sources
  private let provider: Provider

  init(
    _ settings: RequestSettings, _ input: InputSettings, _ prompt: [String], _ sources: Sources,
    _ provider: Provider
  ) {
    (self.settings, self.sources, self.provider) = (settings, sources, provider)
    // An input to be compacted or counted may be on the server already.
    let isHeld =
      settings.use != .answer && (input.previous != nil || settings.uses("--conversation"))
    self.input = InputBuilder(
      settings: input, prompt: prompt, sources: sources,
      mayBeNothing: isHeld || !settings.needsInput || settings.bodyPath != nil,
      hasFiles: provider.hasFiles)
  }

  /// The body without its input. Refuses bytes on standard input that nothing reads; it is read for
  /// options that name it only.
  func draft() throws(Failure) -> RequestBody {
    var body = try said(over: presets)
    try setDefaultModel(of: &body)
    if input.hasInput || !lacksInput(body) { try sources.refuseUnreadInput() }
    return body
  }

  /// The whole body: `draft`, the input, and the edits.
  func build(_ draft: RequestBody) throws(Failure) -> RequestBody {
    var body = draft
    try input.build(into: &body, lacksInput: lacksInput(body))
    if !body.has("stream") { body.set("stream", .bool(true)) }
    if settings.api == .chat {
      try chat.change(&body)
      guard body.has("messages") || settings.edits("messages") else {
        throw .usage("nothing to send: give a PROMPT, -f or -b with messages")
      }
    }
    try settings.edit(&body, sources)
    if input.settings.previous != nil, body.says("conversation") {
      throw .usage("--previous and a conversation exclude each other")
    }
    return body
  }

  /// The body without input, defaults and the preset of `ORESP_PRESET`.
  func unfilled() throws(Failure) -> RequestBody {
    var body = try said(over: settings.presets)
    try settings.edit(&body, sources)
    return body
  }

  /// The body for a line of a batch, which overrides presets and `-b`. With `streams` it asks for
  /// events, else for none; with `isForAny` it is for an endpoint of any kind.
  func build(over line: RequestBody, streams: Bool, isForAny: Bool) throws(Failure) -> RequestBody {
    var body = try said(over: isForAny ? settings.presets : presets, line)
    if streams {
      body.set("stream", .bool(true))
    } else {
      for name in ["stream", "stream_options"] { body.remove(at: BodyPath(members: name)) }
    }
    if !isForAny {
      try setDefaultModel(of: &body)
      if settings.api == .chat { try chat.change(&body) }
    }
    try settings.edit(&body, sources)
    return body
  }

  /// The body by `presets`, `-b`, the line of a batch and options.
  private func said(
    over presets: [String], _ line: RequestBody? = nil
  ) throws(Failure) -> RequestBody {
    var body = try base(presets, line)
    if settings.api == .chat, body.has("messages") {
      let changed = settings.origins.compactMap { $0.path.split(separator: ".").first }
      body.kept = Set(body.members.map(\.name)).subtracting(changed.map(String.init))
    }
    try settings.apply(to: &body, sources)
    return body
  }

  var chat: ChatRequest {
    let previous = [("--previous", "previous_response_id")]
    return ChatRequest(origins: settings.origins + previous, limitName: provider.chatLimit)
  }

  /// The presets of a new response: what `-P` names, or else `ORESP_PRESET`.
  private var presets: [String] {
    get throws(Failure) {
      guard settings.presets.isEmpty, let name = sources.variable("ORESP_PRESET") else {
        return settings.presets
      }
      if !PresetFolder.isFile(name) { try within("ORESP_PRESET", PresetFolder.check(name)) }
      return [name]
    }
  }

  /// The presets, `-b` and `line`, each merged over the one before.
  private func base(_ presets: [String], _ line: RequestBody?) throws(Failure) -> RequestBody {
    let folder = PresetFolder(sources)
    var bodies = try presets.map { name throws(Failure) in try folder.preset(name) }
    if let argument = settings.bodyPath {
      let body = try RequestBody(try sources.json(argument, of: "-b"))
      if Sources.isInPlace(argument) {
        try within("-b", body.refuseSecrets())
      }
      bodies.append(body)
    }
    if let line { bodies.append(line) }
    guard var body = bodies.first else { return RequestBody() }
    for other in bodies.dropFirst() { try body.merge(other) }
    return body
  }

  /// Sets a model by the environment if nothing else names one, as a prompt template may.
  private func setDefaultModel(of body: inout RequestBody) throws(Failure) {
    guard !body.has("model"), !body.says("prompt") else { return }
    let own = provider.modelVariable.flatMap(sources.variable)
    if let model = own ?? sources.variable("ORESP_MODEL") ?? settings.fallbackModel {
      body.set("model", .text(model))
    } else if !settings.edits("model") {
      throw .usage("no model: give one with -m, or set ORESP_MODEL")
    }
  }

  private func lacksInput(_ body: RequestBody) -> Bool {
    !["input", "messages"].contains { body.has($0) || settings.edits($0) } && !body.says("prompt")
  }
}
