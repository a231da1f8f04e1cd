import Foundation
import ProcessSupport
import Testing

@testable import Core
@testable import oresp_send

/// A command line of `oresp-send`, up to the body that would be sent, with what there is to read
/// and to know besides.
struct SendCommand {
  var stdin: String?
  var files: [String: String] = [:]
  /// Files that are no text.
  var data: [String: [UInt8]] = [:]
  var environment: [String: String] = [:]

  /// A standard input that nothing may read.
  static let untouched = "untouched"

  var sources: Sources {
    Sources(
      hasFreeStdin: stdin != nil, variable: { environment[$0] }, open: open(_:),
      list: { folder in
        files.keys.filter { $0.hasPrefix(folder + "/") }.map {
          String($0.dropFirst(folder.count + 1))
        }.sorted()
      }, isFile: { files[$0] != nil })
  }

  private func bytes(at path: String) throws(Failure) -> [UInt8] {
    if path == "-", stdin == Self.untouched { Issue.record("standard input is read") }
    let text = path == "-" ? stdin : files[path]
    guard let bytes = data[path] ?? text.map({ Array($0.utf8) }) else {
      throw .file(name: path, errno: 2)
    }
    return bytes
  }

  private func open(_ path: String) throws(Failure) -> Descriptor {
    let isElsewhere = path.hasPrefix("/") && data[path] == nil && files[path] == nil
    guard !isElsewhere else { return try Descriptor(reading: path) }
    let bytes = try bytes(at: path)
    guard let file = try? NamelessFile(bytes) else { throw .file(name: path, errno: errno) }
    return Descriptor(owning: dup(file.descriptor), name: path)
  }

  /// What `arguments` ask for. In a dry run no key is needed.
  func ask(_ arguments: [String], isDryRun: Bool = true) throws(Failure) -> Ask {
    var settings = SendSettings()
    guard
      case .run(let prompt, let stdinName, _) = try parse(
        arguments, SendSettings.options, SendTool.command.page, into: &settings)
    else {
      throw .usage("no request")
    }
    settings.isDryRun = isDryRun
    var sources = sources
    if stdinName != nil { sources.hasFreeStdin = false }
    return try Ask(settings, prompt, sources)
  }

  /// The argument that names standard input.
  static func stdinName(_ arguments: [String]) throws(Failure) -> String? {
    var settings = SendSettings()
    let line = try parse(arguments, SendSettings.options, SendTool.command.page, into: &settings)
    return if case .run(_, let name, _) = line { name } else { nil }
  }

  func body(_ arguments: [String], isDryRun: Bool = true) throws(Failure) -> String {
    String(decoding: try ask(arguments, isDryRun: isDryRun).body().bytes, as: UTF8.self)
  }

  /// The members of the body beside model, input and stream.
  func rest(_ arguments: [String]) throws(Failure) -> String {
    var body = try ask(["-m", "m", "hi"] + arguments).body()
    for name in ["model", "input", "stream"] { body.remove(at: BodyPath([.member(name)])) }
    return String(decoding: body.bytes, as: UTF8.self)
  }

  /// Why no body can be made behind `start`; empty when one can.
  func refusal(_ arguments: [String], behind start: [String] = ["-m", "m", "hi"]) -> String {
    do throws(Failure) {
      _ = try body(start + arguments)
      return ""
    } catch {
      switch error {
      case .usage(let why): return why
      case .other(let why, let status): return "\(why) (\(status.rawValue))"
      case .file(let name, let number): return "\(name): errno \(number)"
      case .closedOutput, .interrupted: return "\(error)"
      }
    }
  }
}
