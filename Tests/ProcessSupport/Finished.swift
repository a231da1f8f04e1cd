import Foundation

/// What a process has left behind.
package struct Finished {
  /// How it ended.
  package enum Outcome: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    /// It did not end, and was ended.
    case hung

    init(waitStatus: Int32) {
      let signal = waitStatus & 0x7F
      self = signal == 0 ? .exited(waitStatus >> 8 & 0xFF) : .killed(signal: signal)
    }
  }

  package let outcome: Outcome
  package let output: [UInt8]
  package let errors: String

  /// The status as a shell has it; -1 when the process hung.
  package var status: Int32 {
    switch outcome {
    case .exited(let status): status
    case .killed(let signal): 128 + signal
    case .hung: -1
    }
  }

  package var text: String { Self.text(output) }

  /// The lines of the output; a line end at the very end starts no further one.
  package var lines: [String] { Self.lines(text) }

  /// `text`, with 0 for each time at which a tool told how an event ends its response.
  package static func hidingTimes(_ text: String) -> String {
    text.replacing(#/"told":\d+/#, with: #""told":0"#)
      .replacing(#/: oresp told=\d+/#, with: ": oresp told=0")
  }

  static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  package static func lines(_ text: String) -> [String] {
    // Not `split(separator: "\n")`: CR LF is one character, and would not be found.
    var lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}

extension ToolProcess {
  /// Runs `program` to its end.
  package static func run(
    _ program: String, _ arguments: [String] = [], input: Input = .nothing,
    environment: [String: String] = [:]
  ) throws -> Finished {
    try ToolProcess(program, arguments, input: input, environment: environment).finish()
  }

  /// Runs `script` in bash, which finds the tools by their names. `arguments` are its `$1`, `$2`…
  package static func bash(
    _ script: String, _ arguments: [String] = [], input: Input = .nothing,
    environment: [String: String] = [:]
  ) throws -> Finished {
    try run("bash", ["-c", script, "bash"] + arguments, input: input, environment: environment)
  }

  /// Runs `stages` as a pipeline without `pipefail`, and gives the status of each besides.
  package static func pipeline(
    _ stages: [String], _ arguments: [String] = [], input: Input = .nothing,
    environment: [String: String] = [:]
  ) throws -> (finished: Finished, statuses: [Int32]) {
    let script =
      stages.joined(separator: " | ") + "\nstatus=$? all=(\"${PIPESTATUS[@]}\")\n"
      + "echo \"${all[*]}\" >&2; exit \"$status\""
    let run = try bash(script, arguments, input: input, environment: environment)
    let statuses = (Finished.lines(run.errors).last ?? "").split(separator: " ")
    return (run, statuses.compactMap { Int32($0) })
  }
}
