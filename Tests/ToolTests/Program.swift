import Foundation
import Testing

/// Other programs that the tests run.
enum Program {
  /// Runs `name`, found by the `PATH`, in `directory` with `input` as its standard input; gives its
  /// status and what it said on stdout and stderr.
  static func run(
    _ name: String, _ arguments: [String], in directory: URL = Repository.root,
    input: String = "", environment: [String: String] = [:]
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.currentDirectoryURL = directory
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (stdin, stdout) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stdout
    try process.run()
    // A guard against hanging: no test waits for it.
    DispatchQueue.global().asyncAfter(deadline: .now() + 60) {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus != 127, "\(name) is not installed")
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
