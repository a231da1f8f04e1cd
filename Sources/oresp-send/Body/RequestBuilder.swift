import Core

/// Makes the body of a request out of the command line, files and the environment.
struct RequestBuilder {
  /// Where text comes from that is not on the command line.
  struct Sources {
    /// Whether standard input can be the prompt: it is no terminal, and nothing names it.
    var hasFreeStdin: Bool
    /// Reads a whole file; `-` is standard input.
    var read: (String) throws(Failure) -> [UInt8]
    /// The value of an environment variable; `nil` when it is unset or empty.
    var variable: (String) -> String?
    /// Opens a file for reading; `-` is standard input.
    var open: (String) throws(Failure) -> Descriptor = Descriptor.init(reading:)
    /// The names of the files in a folder; none when it is not there.
    var list: (String) -> [String] = { _ in [] }
    /// Whether a regular file is at a path.
    var isFile: (String) -> Bool = { _ in false }
    /// Refuses bytes on standard input that nothing reads.
    var refuseUnreadInput: () throws(Failure) -> Void = {}

    /// Reads the file at `path`. What is wrong in it is wrong usage, but input when it is standard
    /// input.
    func text(_ path: String) throws(Failure) -> FileText { Self.file(try read(path), path) }

    /// The JSON that `argument` is, if it begins as an object or array does, or else that in the
    /// file at that path. What is wrong in the former is told of `option`.
    func json(_ argument: String, of option: String) throws(Failure) -> FileText {
      Self.isInPlace(argument)
        ? FileText(argument.systemBytes, name: option) : try text(argument)
    }

    /// Whether `argument` is JSON itself, not the name of a file with some.
    static func isInPlace(_ argument: String) -> Bool {
      let first = argument.utf8.first { !ASCII.isSpace($0) }
      return first == ASCII.openBrace || first == ASCII.openBracket
    }

    static func file(_ bytes: [UInt8], _ path: String) -> FileText {
      Descriptor.isStdin(path)
        ? FileText(bytes, name: "stdin", status: .badInput) : FileText(bytes, name: path)
    }

    /// Whether the name of the file `path` says anything: that of standard input or of a shell's
    /// pipe does not.
    static func isNamed(_ path: String) -> Bool {
      !Descriptor.isStdin(path)
        && !["/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
    }
  }

  private let settings: RequestSettings
  private let inputSettings: InputSettings
  private let prompt: [String]
  private let sources: Sources
  private let provider: Provider

  init(
    _ settings: RequestSettings, _ input: InputSettings, _ prompt: [String], _ sources: Sources,
    _ provider: Provider
  ) {
    (self.settings, inputSettings, self.prompt) = (settings, input, prompt)
    (self.sources, self.provider) = (sources, provider)
  }

  /// A body without the input that it is to get.
  struct Draft {
    fileprivate var body: RequestBody
    fileprivate var reader: ValueReader
    /// Whether standard input is the prompt, if it can be.
    fileprivate let lacksInput: Bool
  }

  /// Presets, the body that was given, options, and the model. Refuses bytes on standard input that
  /// nothing reads; unless it is named, it is not read yet.
  func draft() throws(Failure) -> Draft {
    var reader = ValueReader(sources)
    var body = try said(&reader, over: presets)
    try setDefaultModel(of: &body)
    let lacksInput = !input.hasInput && lacksInput(body)
    if !lacksInput { try sources.refuseUnreadInput() }
    return Draft(body: body, reader: reader, lacksInput: lacksInput)
  }

  /// The body: the draft, the input, and last what `--set` and its like say.
  func build(_ draft: Draft) throws(Failure) -> RequestBody {
    var (body, reader) = (draft.body, draft.reader)
    try input.build(into: &body, lacksInput: draft.lacksInput)
    if !body.has("stream") { body.set("stream", .bool(true)) }
    if settings.api == .chat {
      try chat.change(&body)
      guard body.has("messages") || settings.edits("messages") else {
        throw .usage("nothing to send: give a PROMPT, -f or -b with messages")
      }
    }
    body = try finish(body, &reader)
    if inputSettings.previous != nil, body.says("conversation") {
      throw .usage("--previous and a conversation exclude each other")
    }
    return body
  }

  /// What a preset has of the request: not the prompt, nor what is filled in where nothing was
  /// said, nor the preset of the environment.
  func unfilled() throws(Failure) -> RequestBody {
    var reader = ValueReader(sources)
    return try finish(try said(&reader, over: settings.presets.names), &reader)
  }

  /// The body for a line of a batch that has `line`, which stands over presets and body. With
  /// `streams` it asks for events, and else for none; with `isForAny` it is for any endpoint.
  func build(
    over line: RequestBody, streams: Bool, isForAny: Bool
  ) throws(Failure) -> RequestBody {
    var reader = ValueReader(sources)
    var body = try said(&reader, over: isForAny ? settings.presets.names : presets, line)
    if streams {
      body.set("stream", .bool(true))
    } else {
      for name in ["stream", "stream_options"] { body.remove(at: BodyPath(members: name)) }
    }
    guard !isForAny else { return try finish(body, &reader) }
    try setDefaultModel(of: &body)
    if settings.api == .chat { try chat.change(&body) }
    return try finish(body, &reader)
  }

  /// What `presets`, body, the line of a batch and options say.
  private func said(
    _ reader: inout ValueReader, over presets: [String], _ line: RequestBody? = nil
  ) throws(Failure) -> RequestBody {
    try check()
    var body = try base(presets, line)
    if settings.api == .chat, body.has("messages") {
      let changed = settings.origins.compactMap { $0.path.split(separator: ".").first }
      body.kept = Set(body.members.map(\.name)).subtracting(changed.map(String.init))
    }
    if let model = settings.model { body.set("model", .text(model)) }
    try settings.apply(to: &body, &reader)
    if let stream = settings.streamChoice { body.set("stream", .bool(stream)) }
    return body
  }

  /// What makes a request of Chat Completions.
  var chat: ChatRequest {
    let previous = [("--previous", "previous_response_id")]
    return ChatRequest(origins: settings.origins + previous, limitName: provider.chatLimit)
  }

  /// The presets of a new response: the named ones, or else the one of the environment.
  private var presets: [String] {
    get throws(Failure) {
      guard settings.presets.names.isEmpty, let name = sources.variable("ORESP_PRESET") else {
        return settings.presets.names
      }
      if !PresetFolder.isFile(name) { try telling(of: "ORESP_PRESET", PresetFolder.check(name)) }
      return [name]
    }
  }

  /// The presets, each over the one before, and over them the body that was given, and `line`.
  private func base(_ presets: [String], _ line: RequestBody?) throws(Failure) -> RequestBody {
    let folder = PresetFolder(sources)
    var bodies: [RequestBody] = []
    for name in presets { bodies.append(try folder.preset(name)) }
    if let argument = settings.bodyPath {
      let body = try RequestBody(try sources.json(argument, of: "-b"))
      if Sources.isInPlace(argument) {
        try telling(of: "-b", ToolArgument.refuseSecrets(in: body.tools))
      }
      bodies.append(body)
    }
    if let line { bodies.append(line) }
    guard var body = bodies.first else { return RequestBody() }
    for other in bodies.dropFirst() { try body.merge(other) }
    return body
  }

  private func finish(
    _ body: RequestBody, _ reader: inout ValueReader
  ) throws(Failure) -> RequestBody {
    var body = body
    try settings.edit(&body, &reader)
    body.secrets = reader.secrets
    return body
  }

  /// Refuses what cannot go together, before anything is read.
  func check() throws(Failure) { try input.check() }

  /// Sets the model that the environment names where nothing else does: a prompt template has its
  /// own.
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
    !["input", "messages"].contains { body.has($0) || settings.edits($0) }
      && !body.says("prompt")
  }

  private var input: InputBuilder {
    // What is compacted or counted may be what the server has already.
    let isOfOld =
      settings.use != .answer
      && (inputSettings.previous != nil || settings.uses("--conversation"))
    return InputBuilder(
      settings: inputSettings, prompt: prompt, sources: sources,
      mayBeNothing: isOfOld || !settings.needsInput || settings.bodyPath != nil,
      hasFiles: provider.hasFiles)
  }
}
