import Core
import Foundation
import ProcessSupport
import Testing

@testable import oresp_send

/// Makes requests out of files that a test has.
enum InputBench {
  /// Makes the body of a request as the tool does, in a folder with `files`. The folder's path is
  /// taken out of it.
  static func body(
    _ prompt: [String] = [], stdin: String? = nil, files: [String: [UInt8]] = [:],
    _ change: (inout InputSettings, String) throws(Failure) -> Void
  ) throws -> String {
    let folder = try TemporaryFolder()
    for (name, bytes) in files { _ = try folder.file(name, bytes) }
    let piped = try folder.file("piped", Array((stdin ?? "").utf8))
    var sources = RequestBuilder.Sources(
      hasFreeStdin: stdin != nil,
      read: { path throws(Failure) in
        try Descriptor(reading: path == "-" ? piped : path).readAll()
      }, variable: { _ in nil })
    sources.open = { path throws(Failure) in try Descriptor(reading: path == "-" ? piped : path) }
    var settings = SendTool.Settings()
    settings.model = "m"
    try change(&settings.input, folder.path + "/")
    let bytes = try RequestBuilder(settings, prompt: prompt, sources).build().bytes
    return String(decoding: bytes, as: UTF8.self).replacing(folder.path + "/", with: "")
  }

  /// The input of a body.
  static func input(_ body: String) throws -> String {
    let start = try #require(body.range(of: #""input":"#))
    let end = try #require(body.range(of: #","stream":true}"#))
    return String(body[start.upperBound..<end.lowerBound])
  }

  /// A message of `parts`.
  static func message(_ parts: String...) -> String {
    #"[{"type":"message","role":"user","content":[\#(parts.joined(separator: ","))]}]"#
  }

  /// What `work` is refused with, which it must be.
  static func refusal(
    _ work: () throws -> String
  ) throws -> (text: String, status: Core.ExitStatus) {
    do {
      let made = try work()
      Issue.record("not refused: \(made)")
      return ("", .completed)
    } catch let failure as Failure {
      switch failure {
      case .usage(let why): return (why, failure.status)
      case .other(let why, _): return (why, failure.status)
      default: return ("\(failure)", failure.status)
      }
    }
  }
}
