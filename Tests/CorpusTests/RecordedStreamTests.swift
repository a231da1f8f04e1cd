import Foundation
import ProcessSupport
import Testing

/// The built tools on streams that real servers sent.
@Suite struct RecordedStreamTests {
  static let filters = ["oresp-sse", "oresp-events", "oresp-text"]

  /// `command`, whose output goes into a file first: there no event is marked as told.
  private static func throughFile(_ command: String) -> String {
    "set -o pipefail; f=$(mktemp); \(command) >$f; status=$?; cat $f; rm $f; exit $status"
  }

  @Test func `the corpus is there`() {
    #expect(Corpus.eventStreams.count >= 39)
    #expect(Corpus.eventLines.count >= 9)
    #expect(Corpus.responses.count >= 23)
    #expect(Corpus.errors.count >= 9)
  }

  @Test(arguments: Corpus.all)
  func `every tool exits with what became of the response`(path: String) throws {
    let recording = try Recording(path)
    for tool in Self.filters {
      let run = try ToolProcess.run(tool, [recording.file])
      #expect(run.outcome == .exited(Recording.status(of: path)), "\(tool): \(run.errors)")
    }
  }

  @Test(arguments: Corpus.eventStreams + Corpus.eventLines)
  func `every event comes out as it stands in the file`(path: String) throws {
    let recording = try Recording(path)
    for tool in ["oresp-sse", "oresp-events"] {
      let run = try ToolProcess.bash(Self.throughFile("\(tool) \"$1\""), [recording.file])
      #expect(run.lines == recording.events, "\(tool)")
      #expect(run.text.hasSuffix("\n"))
    }
  }

  @Test(arguments: Corpus.eventStreams + Corpus.eventLines)
  func `an event stream and its lines turn into each other`(path: String) throws {
    let recording = try Recording(path)
    let run = try ToolProcess.bash(
      Self.throughFile("oresp-sse \"$1\" | oresp-sse -r | oresp-sse"), [recording.file])
    #expect(run.lines == recording.events)
    #expect(run.outcome == .exited(Recording.status(of: path)))
  }

  @Test(arguments: Corpus.eventStreams, ["grep '^data:'", "grep ."])
  func `without its blank lines a stream says the same, and its mark ends it`(
    path: String, selection: String
  ) throws {
    let recording = try Recording(path)
    let bare = "{ tr -d '\\r' <\"$1\"; printf 'data: [DONE]\\n\\n'; } | \(selection) | "
    for (command, lines) in [
      ("oresp-sse", recording.events), ("oresp-events", recording.events),
      ("oresp-text", Finished.lines(recording.text)),
    ] {
      let run = try ToolProcess.bash(Self.throughFile(bare + command), [recording.file])
      #expect(run.lines == lines, "\(command)")
      #expect(run.outcome == .exited(Recording.status(of: path)), "\(command)")
    }
    let run = try ToolProcess.bash(
      "f=$(mktemp); \(bare) cat >$f; oresp-send --rehearse=@$f Hello </dev/null >$f.out;"
        + " cmp $f.out $f; rm $f $f.out",
      [recording.file])
    #expect(run.text == "")
  }

  @Test(arguments: Corpus.eventStreams + Corpus.eventLines + Corpus.responses)
  func `the text is the same as in the final object`(path: String) throws {
    let recording = try Recording(path)
    let run = try ToolProcess.run("oresp-text", [recording.file])
    #expect(run.text == recording.text)
  }

  /// Runs the sender and all filters on what a server sends.
  private func pipeline(
    _ recording: Recording, _ sending: Sending
  ) throws -> (finished: Finished, statuses: [Int32]) {
    let server = try LoopbackServer(.stream(recording.bytes, sending))
    return try ToolProcess.pipeline(
      ["oresp-send -m gpt-5 Hello"] + Self.filters,
      environment: ["OPENAI_BASE_URL": server.baseURL])
  }

  @Test(arguments: Corpus.eventStreams)
  func `a served stream comes out as its text however it is sent`(path: String) throws {
    let recording = try Recording(path)
    let ways = [Sending.inOnePiece, .chunked, .inChunks(of: 1000), .withComments]
    for sending in ways + (recording.bytes.count < 3000 ? [.byteByByte] : []) {
      let (finished, statuses) = try pipeline(recording, sending)
      #expect(finished.text == recording.text, "\(sending)")
      let status = Recording.status(of: path)
      #expect(statuses == Array(repeating: status, count: 4), "\(sending)")
    }
  }

  @Test(arguments: Corpus.eventStreams)
  func `a stream that is cut in the middle is status 5`(path: String) throws {
    let recording = try Recording(path)
    let (finished, statuses) = try pipeline(recording, .cut(after: recording.bytes.count / 2))
    #expect(statuses == [5, 5, 5, 5])
    let text = finished.text.hasSuffix("\n") ? finished.text.dropLast() : finished.text[...]
    #expect(recording.text.hasPrefix(text), "text came out that the response does not have")
  }
}
