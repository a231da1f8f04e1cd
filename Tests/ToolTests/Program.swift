import Foundation
import ProcessSupport
import TestSupport
import Testing

/// Other programs that the tests run.
enum Program {
  /// Runs `name` in `directory` with `input` as its standard input; gives its status and what it
  /// said on stdout and stderr.
  static func run(
    _ name: String, _ arguments: [String], in directory: URL = Repository.root,
    input: String = "", environment: [String: String] = [:]
  ) throws -> (status: Int32, output: String) {
    let start = ["-c", #"cd "$0" && exec "$@" 2>&1"#, directory.path, name]
    let run = try ToolProcess.run(
      "bash", start + arguments, input: .text(input), environment: environment)
    try #require(run.status != 127, "\(name) is not installed")
    return (run.status, run.text)
  }
}
