package import Core
import ProcessSupport

/// What a command came to that was run without a process.
package struct CommandRun: Equatable {
  package var output = ""
  /// What was told, without the name of the tool and the folder of the files.
  package var errors: [String] = []
  package var status: Int32 = 0

  /// Runs `command` on `files`, which are named from 1 on, behind `arguments`.
  package init<Settings>(
    _ command: Command<Settings>, _ arguments: [String], on files: [some Sequence<UInt8>]
  ) throws {
    let folder = try TemporaryFolder()
    let paths = try files.enumerated().map { try folder.file("\($0 + 1)", $1) }
    let run = try command.run(arguments + paths)
    status = run.status
    output = String(decoding: run.output, as: UTF8.self)
    errors = run.errors.split(separator: "\n").map { line in
      String(
        line.replacing(folder.path + "/", with: "").replacing("\(command.page.name): ", with: ""))
    }
  }
}
