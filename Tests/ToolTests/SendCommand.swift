@testable import Core
@testable import oresp_send

/// A command line of `oresp-send`, up to the body that would be sent, with what there is to read and
/// to know besides.
struct SendCommand {
  var stdin: String?
  var files: [String: String] = [:]
  var environment: [String: String] = [:]

  var sources: RequestBuilder.Sources {
    RequestBuilder.Sources(
      hasFreeStdin: stdin != nil,
      read: { path throws(Failure) in
        guard let text = path == "-" ? stdin : files[path] else {
          throw Failure.file(name: path, errno: 2)
        }
        return Array(text.utf8)
      }, variable: { environment[$0] },
      list: { folder in
        files.keys.filter { $0.hasPrefix(folder + "/") }.map {
          String($0.dropFirst(folder.count + 1))
        }.sorted()
      }, isFile: { files[$0] != nil })
  }

  /// What `arguments` make, and what is told of them.
  func builder(
    _ arguments: [String]
  ) throws(Failure) -> (builder: RequestBuilder, hints: [String]) {
    var settings = SendTool.Settings()
    guard
      case .run(let prompt, let stdinName) = try parse(
        arguments, SendTool.options, SendTool.command.page, into: &settings)
    else {
      throw .usage("no request")
    }
    var sources = sources
    if stdinName != nil { sources.hasFreeStdin = false }
    return (RequestBuilder(settings, prompt: prompt, sources), settings.request.hints)
  }

  /// The argument that names standard input.
  static func stdinName(_ arguments: [String]) throws(Failure) -> String? {
    var settings = SendTool.Settings()
    let line = try parse(arguments, SendTool.options, SendTool.command.page, into: &settings)
    return if case .run(_, let name) = line { name } else { nil }
  }

  func body(_ arguments: [String]) throws(Failure) -> String {
    String(decoding: try builder(arguments).builder.build().bytes, as: UTF8.self)
  }

  /// The members of the body beside model, input and stream.
  func rest(_ arguments: [String]) throws(Failure) -> String {
    var body = try builder(["-m", "m", "hi"] + arguments).builder.build()
    for name in ["model", "input", "stream"] { body.remove(at: BodyPath([.member(name)])) }
    return String(decoding: body.bytes, as: UTF8.self)
  }

  /// What is told of `arguments` before their request is sent.
  func hints(_ arguments: [String]) throws(Failure) -> [String] {
    try builder(["-m", "m", "hi"] + arguments).hints
  }

  /// Why no body can be made; empty when one can.
  func refusal(_ arguments: [String]) -> String {
    do throws(Failure) {
      _ = try rest(arguments)
      return ""
    } catch {
      switch error {
      case .usage(let why): return why
      case .other(let why, let status): return "\(why) (\(status.rawValue))"
      case .file(let name, let number): return "\(name): errno \(number)"
      case .closedOutput: return "closed"
      }
    }
  }
}

extension RequestBuilder {
  /// The whole body.
  func build() throws(Failure) -> RequestBody { try build(try draft()) }
}
