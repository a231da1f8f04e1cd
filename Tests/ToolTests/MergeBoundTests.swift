import Foundation
import ProcessSupport
import TestSupport
import Testing

@testable import Core
@testable import oresp_events

/// What `--merge` holds of a pipe that is ahead of another, with a bound of 1,000 bytes.
@Suite struct MergeBoundTests {
  private static var command: Command<EventsTool.Settings> {
    Command(
      "oresp-events", summary: "", operands: "", takesFiles: true, example: "",
      options: EventsTool.options, usual: [], settings: EventsTool.Settings()
    ) { settings, files, notifier throws(Failure) in
      var settings = settings
      settings.reading.limit = 1000
      return try EventsTool.command.perform(settings, files, notifier)
    }
  }

  @Test func `a pipe that is too far ahead of another is an error that names both`() throws {
    let folder = try TemporaryFolder()
    let paths = ["a", "b"].map { folder.fifo($0) }
    let ends = paths.compactMap { FileHandle(forUpdatingAtPath: $0) }
    let events = (5..<50).map { RuleEvent("delta .m =x #\($0)").line + "\n" }.joined()
    try ends[1].write(contentsOf: Data(events.utf8))
    let run = try Self.command.run(["--merge"] + paths)
    let message = run.errors.replacing(folder.path + "/", with: "")
    #expect(message == "oresp-events: b is 0 MiB ahead of a; merge from files\n")
    #expect(run.status == 2)
  }
}
