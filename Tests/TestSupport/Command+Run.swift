package import Core
import Foundation
import ProcessSupport

extension Command {
  /// Runs the command without a process. Its three streams are files without a name; but its input
  /// comes by a pipe if it `isPiped`, and a pipe holds it, and its output goes into a pipe if it
  /// `feedsTool`.
  package func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
    isPiped: Bool = false, feedsTool: Bool = false
  ) throws -> (output: [UInt8], errors: String, status: Int32) {
    let files = try [NamelessFile(isPiped ? [] : input), NamelessFile(), NamelessFile()]
    let numbers = files.map(\.descriptor)
    let pipe = isPiped ? try NamelessPipe(input) : nil
    let sink = feedsTool ? try NamelessSink() : nil
    let streams = Streams(
      input: pipe?.descriptor ?? numbers[0], output: sink?.descriptor ?? numbers[1],
      errors: numbers[2]
    ) { environment[$0] }
    let status = withExtendedLifetime(pipe) { run(arguments, on: streams) }
    let output = sink?.finish() ?? files[1].bytes
    return (output, String(decoding: files[2].bytes, as: UTF8.self), status)
  }
}
