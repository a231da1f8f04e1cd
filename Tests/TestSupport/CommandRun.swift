package import Core
import Foundation

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
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> URL {
      let url = folder.appending(path: name)
      try Data(bytes).write(to: url)
      return url
    }
    let paths = try files.enumerated().map { try file("\($0 + 1)", $1).path }
    let streams = try [".in", ".out", ".err"].map {
      try FileHandle(forUpdating: file($0, [UInt8]()))
    }
    let numbers = streams.map(\.fileDescriptor)
    status = command.run(
      arguments + paths,
      on: Streams(input: numbers[0], output: numbers[1], errors: numbers[2]) { _ in nil })
    let made = try streams.map { stream in
      try stream.seek(toOffset: 0)
      return String(decoding: try stream.readToEnd() ?? Data(), as: UTF8.self)
    }
    output = made[1]
    errors = made[2].split(separator: "\n").map { line in
      String(
        line.replacing(folder.path + "/", with: "").replacing("\(command.page.name): ", with: ""))
    }
  }
}
