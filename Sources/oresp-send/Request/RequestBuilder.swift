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
    /// Opens a file for reading; `-` is standard input.
    package var open: (String) throws(Failure) -> Descriptor = { name throws(Failure) in
      try Descriptor(operand: name)
    }

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
    try check()
    var body = RequestBody()
    if let path = settings.bodyPath {
      body = try RequestBody(try sources.read(path), name: path == "-" ? "stdin" : path)
    }
    try setModel(of: &body)
    let input = InputBuilder(settings: settings.input, prompt: prompt, sources: sources)
    try input.build(
      into: &body, readsStdin: settings.bodyPath == nil && settings.rehearsal == nil)
    if let stream = settings.streamChoice {
      body.set("stream", .bool(stream))
    } else if !body.has("stream") {
      body.set("stream", .bool(true))
    }
    return body
  }

  /// Refuses what cannot go together, before anything is read.
  private func check() throws(Failure) {
    let readings =
      prompt.filter { $0 == "-" } + (settings.bodyPath == "-" ? ["-b -"] : [])
      + settings.input.readings
    guard readings.count <= 1 else {
      let names = readings.joined(separator: ", ")
      throw .usage("standard input can be read only once, and is named by \(names)")
    }
    try InputBuilder(settings: settings.input, prompt: prompt, sources: sources).check()
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
}
