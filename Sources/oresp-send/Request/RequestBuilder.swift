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

    package init(
      stdinIsTerminal: Bool, read: @escaping (String) throws(Failure) -> [UInt8],
      variable: @escaping (String) -> String?
    ) {
      (self.stdinIsTerminal, self.read, self.variable) = (stdinIsTerminal, read, variable)
    }
  }

  private let settings: SendTool.Settings
  private let prompt: [String]
  private let sources: Sources

  package init(_ settings: SendTool.Settings, prompt: [String], _ sources: Sources) {
    (self.settings, self.prompt, self.sources) = (settings, prompt, sources)
  }

  /// The body: what was given as one, then what the flags say, then what is still missing.
  package func build() throws(Failure) -> RequestBody {
    guard readings <= 1 else { throw .usage("standard input (-) can be read only once") }
    var body = RequestBody()
    if let path = settings.bodyPath {
      body = try RequestBody(try sources.read(path), name: path == "-" ? "stdin" : path)
    }
    try setModel(of: &body)
    if let input = try input() { body.set("input", .string(input)) }
    if let stream = settings.streamChoice {
      body.set("stream", .bool(stream))
    } else if !body.has("stream") {
      body.set("stream", .bool(true))
    }
    return body
  }

  /// How often standard input is named.
  private var readings: Int {
    prompt.filter { $0 == "-" }.count + (settings.bodyPath == "-" ? 1 : 0)
  }

  private func setModel(of body: inout RequestBody) throws(Failure) {
    if let model = settings.model {
      body.set("model", .text(model))
    } else if !body.has("model") {
      let fallback = settings.rehearsal == nil ? nil : "rehearsal"
      guard let model = sources.variable("ORESP_MODEL") ?? fallback else {
        throw .usage("no model: give one with -m, or set ORESP_MODEL")
      }
      body.set("model", .text(model))
    }
  }

  /// The prompt: its words, standard input in the place of `-`, and standard input alone when there
  /// is nothing else to send and somebody fed it.
  private func input() throws(Failure) -> [UInt8]? {
    if !prompt.isEmpty { return try joined(prompt) }
    guard settings.bodyPath == nil, settings.rehearsal == nil else { return nil }
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
