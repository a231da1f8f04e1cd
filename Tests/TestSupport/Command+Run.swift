package import Core
import Foundation
import ProcessSupport

extension Command {
  /// Runs the command without a process. Its three streams are files without a name.
  package func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
  ) throws -> (output: [UInt8], errors: String, status: Int32) {
    let files = try [NamelessFile(input), NamelessFile(), NamelessFile()]
    let numbers = files.map(\.descriptor)
    let streams = Streams(input: numbers[0], output: numbers[1], errors: numbers[2]) {
      environment[$0]
    }
    let status = run(arguments, on: streams)
    return (files[1].bytes, String(decoding: files[2].bytes, as: UTF8.self), status)
  }
}
