package import Core

/// Makes the body of a request out of the command line, files and the environment.
package struct RequestBuilder {
  /// Where text comes from that is not on the command line.
  package struct Sources {
    package var stdinIsTerminal: Bool
    /// Reads a whole file; `-` is standard input.
    package var read: (String) throws(Failure) -> [UInt8]
    /// The value of an environment variable; `nil` when it is unset or empty.
    package var variable: (String) -> String?
    /// The names of the files in a folder; none when it is not there.
    package var list: (String) -> [String]

    package init(
      stdinIsTerminal: Bool, read: @escaping (String) throws(Failure) -> [UInt8],
      variable: @escaping (String) -> String?, list: @escaping (String) -> [String] = { _ in [] }
    ) {
      (self.stdinIsTerminal, self.read, self.variable) = (stdinIsTerminal, read, variable)
      self.list = list
    }
  }

  private let settings: SendTool.Settings
  private let prompt: [String]
  private let sources: Sources

  package init(_ settings: SendTool.Settings, prompt: [String], _ sources: Sources) {
    (self.settings, self.prompt, self.sources) = (settings, prompt, sources)
  }

  /// The body: presets, the body that was given, options, what is still missing, and last what
  /// `--set` and its like say.
  package func build() throws(Failure) -> RequestBody {
    var reader = ValueReader(sources)
    var body = try said(&reader)
    try setDefaultModel(of: &body)
    if let input = try input(beside: body) { body.set("input", .string(input)) }
    if !body.has("stream") { body.set("stream", .bool(true)) }
    return try finish(body, &reader)
  }

  /// The request as a preset: without the prompt, and without what is filled in where nothing was
  /// said.
  func preset() throws(Failure) -> Preset {
    var reader = ValueReader(sources)
    return Preset(try finish(try said(&reader), &reader))
  }

  /// What presets, body and options say.
  private func said(_ reader: inout ValueReader) throws(Failure) -> RequestBody {
    try settings.request.check()
    guard readings <= 1 else { throw .usage("standard input (-) can be read only once") }
    var body = try base()
    if let model = settings.model { body.set("model", .text(model)) }
    try settings.request.apply(to: &body, &reader)
    if let stream = settings.streamChoice { body.set("stream", .bool(stream)) }
    return body
  }

  /// The presets, each over the one before, and over them the body that was given.
  private func base() throws(Failure) -> RequestBody {
    let folder = PresetFolder(sources)
    var bodies: [RequestBody] = []
    for name in settings.request.presets.names { bodies.append(try folder.preset(name)) }
    if let path = settings.bodyPath {
      bodies.append(try RequestBody(try sources.read(path), name: path == "-" ? "stdin" : path))
    }
    guard var body = bodies.first else { return RequestBody() }
    for other in bodies.dropFirst() { try body.merge(other) }
    return body
  }

  private func finish(
    _ body: RequestBody, _ reader: inout ValueReader
  ) throws(Failure) -> RequestBody {
    var body = body
    try settings.request.edit(&body, &reader)
    try settings.request.check(body)
    body.secrets = reader.secrets
    return body
  }

  /// How often standard input is named.
  private var readings: Int {
    prompt.filter { $0 == "-" }.count + (settings.bodyPath == "-" ? 1 : 0)
      + settings.request.readings
  }

  /// Sets the model that the environment names where nothing else does: a prompt template has its
  /// own.
  private func setDefaultModel(of body: inout RequestBody) throws(Failure) {
    guard !body.has("model"), !body.says("prompt") else { return }
    let fallback = settings.rehearsal == nil ? nil : "rehearsal"
    if let model = sources.variable("ORESP_MODEL") ?? fallback {
      body.set("model", .text(model))
    } else if !settings.request.edits("model") {
      throw .usage("no model: give one with -m, or set ORESP_MODEL")
    }
  }

  /// The prompt: its words, standard input in the place of `-`, and standard input alone when there
  /// is nothing else to send and somebody fed it. `body` is what is sent besides.
  private func input(beside body: RequestBody) throws(Failure) -> [UInt8]? {
    if !prompt.isEmpty { return try joined(prompt) }
    guard settings.bodyPath == nil, settings.rehearsal == nil else { return nil }
    guard !body.has("input"), !body.says("prompt"), !settings.request.edits("input") else {
      return nil
    }
    guard !sources.stdinIsTerminal else { throw .usage("nothing to send: give a PROMPT or -b") }
    let text = try joined(["-"])
    guard !text.isEmpty else { throw .usage("nothing to send: no PROMPT, and stdin is empty") }
    return text
  }

  private func joined(_ words: [String]) throws(Failure) -> [UInt8] {
    var text: [UInt8] = []
    for (index, word) in words.enumerated() {
      if index > 0 { text.append(ASCII.space) }
      text += word == "-" ? try sources.read("-") : Array(word.utf8)
    }
    guard UTF8Repair.isValid(text.span) else { throw .other("stdin: not UTF-8", .badInput) }
    return text
  }

}
