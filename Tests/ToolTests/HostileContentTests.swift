import Core
import Foundation
import ProcessSupport
import TestSupport
import Testing

/// What is in a stream never becomes more than data: however a tool is run.
@Suite struct HostileContentTests {
  /// A command line. In `$D` are `in`, which has the stream, a schema and a price list.
  struct Mode: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Whether standard output has lines of JSON only.
    let printsJSON: Bool

    init(_ command: String, json printsJSON: Bool) {
      (testDescription, self.printsJSON) = (command, printsJSON)
    }
  }

  static let modes =
    [
      "oresp-sse", "oresp-sse --envelope", "oresp-sse --stamp --tag=t",
      "oresp-sse --from=chat", "oresp-events", "oresp-events -t '*.d*'",
      "oresp-events --index=1 --after=0", "oresp-events -R", "oresp-events -R --partial",
      "oresp-events --items", "oresp-events --calls", "oresp-events --calls=pending",
      "oresp-events --citations", "oresp-events --usage", "oresp-events --stats",
      "oresp-events --cost --prices=$D/prices", "oresp-events --merge $D/in $D/in",
      "oresp-events --request=t --nth=1", "oresp-events --status=json",
    ].map { Mode($0, json: true) }
    + [
      "oresp-sse -r", "oresp-sse -r --envelope", "oresp-sse --check", "oresp-events -c",
      "oresp-events --check", "oresp-events --check=strict", "oresp-events --check=openresponses",
      "oresp-events --timeline", "oresp-events --timeline=svg", "oresp-events --status=plain",
      "oresp-events --split=$D/made", "oresp-text", "oresp-text -n --message=last",
      "oresp-text -c footnotes --sources", "oresp-text -c markdown",
      "oresp-text -c json",
      "oresp-text --all --refusal", "oresp-text --tools=stderr", "oresp-text -x", "oresp-text -j",
      "oresp-text -S $D/schema", "oresp-text --files=$D/made",
      "oresp-text -x --files=$D/made", "oresp-text -o $D/made --keep-partial",
      "oresp-send -m m --rehearse=@$D/in -v --log=$D/made", "oresp-send --get=@$D/in --rehearse",
      "oresp-send -m m -n --items=$D/in", "oresp-send -m m -n --outputs=$D/in",
      "oresp-send -n -b $D/in", "oresp-send -n -m m -f $D/in",
      "oresp-send -m m -n -S $D/in hi", "oresp-send -m m -n -t @$D/in hi",
      "oresp-send -m m -n --previous=@$D/in hi", "oresp-send --rehearse --batch=$D/in",
      "oresp-send -m m --api=chat --rehearse=@$D/in",
    ].map { Mode($0, json: false) }

  @Test(arguments: HostileStream.all)
  func `whatever is in a stream, it stays data however a tool is run`(
    stream: HostileStream
  ) throws {
    // A long stream goes through some of the ways, so that each way meets several of them.
    let number = HostileStream.all.firstIndex { $0.testDescription == stream.testDescription } ?? 0
    let isShort = stream.bytes.count < 30_000
    for (index, mode) in Self.modes.enumerated() where isShort || (index + number) % 12 == 0 {
      let folder = try TemporaryFolder()
      _ = try folder.file("in", stream.bytes)
      _ = try folder.file("schema", #"{"type":"object","additionalProperties":{"type":"number"}}"#)
      _ = try folder.file("prices", #"{"*":{"input":1e-9,"output":3}}"#)
      let words = CommandRow.stages(of: mode.testDescription, folder: folder.path)[0]
      let run = try CommandRow.run(words + ["--sanitize"], input: stream.bytes)
      #expect((0...8).contains(run.status), "\(mode): status \(run.status)")
      let made = String(decoding: run.output, as: UTF8.self)
      #expect(Self.harm(in: made).isEmpty, "\(mode): \(Self.harm(in: made)) on stdout")
      #expect(Self.harm(in: run.errors).isEmpty, "\(mode): \(Self.harm(in: run.errors)) on stderr")
      if mode.printsJSON {
        let broken = run.output.split(separator: 10).first { !JSONScan.accepts(Array($0).span) }
        #expect(broken == nil, "\(mode): \(String(decoding: broken ?? [], as: UTF8.self))")
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let expected: Set = ["in", "schema", "prices", "made"]
      #expect(expected.isSuperset(of: names), "\(mode): \(names)")
    }
  }

  /// What would do something to a terminal.
  private static func harm(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter {
      TerminalHarm.isHarmful($0.value) && !["\n", "\t", "\r"].contains($0)
    }
  }
}
