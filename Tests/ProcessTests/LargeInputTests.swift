import Foundation
import ProcessSupport
import Testing

/// Events and streams of a size that shows what is held. The tools as they ship get the whole size;
/// without optimisation a tenth of it takes as long as all the other tests.
@Suite(.serialized) struct LargeInputTests {
  #if DEBUG
    private static let megabytes = 6
  #else
    private static let megabytes = 100
  #endif

  @Test(arguments: ["data: ", ""])
  func `one huge event passes unchanged`(field: String) throws {
    let folder = try TemporaryFolder()
    let text = [UInt8](repeating: 120, count: Self.megabytes << 20)
    let event = Array(#"{"type":"x","text":""#.utf8) + text + Array("\"}\n".utf8)
    let input = try folder.file("in", Array(field.utf8) + event + [10])
    let expected = try folder.file("out", event)
    let run = try ToolProcess.bash(
      #"oresp-sse "$1" | cmp - "$2"; echo "${PIPESTATUS[*]}""#, [input, expected])
    #expect(run.text == "0 0\n")
    #expect(run.errors == "")
  }

  #if os(Linux)
    private static let streamMegabytes = megabytes * 3

    @Test(
      .needs(Sanitizer.isAbsent, "a sanitizer keeps memory of its own"),
      arguments: [
        "oresp-sse", "oresp-sse -r", "oresp-events", "oresp-events --calls",
        "oresp-events --citations", "oresp-text",
      ])
    func `memory does not grow with the stream`(command: String) throws {
      let script = "exec \(command) >/dev/null"
      let process = try ToolProcess("bash", ["-c", script], input: .open)
      let block = try piece(isStream: !command.hasSuffix("-r"))
      let isTaken = (0..<Self.streamMegabytes).allSatisfy { _ in process.write(block) }
      #expect(isTaken)
      // All but what the pipe holds has been read.
      let kibibytes = try process.peakKibibytes()
      #expect(kibibytes < 16 << 10)
      process.closeInput()
      #expect(process.finish().outcome == .exited(0))
    }

    @Test(
      .needs(Sanitizer.isAbsent, "a sanitizer keeps memory of its own"),
      arguments: ["oresp-text", "oresp-text -0"])
    func `64 MiB of text that waits take at most 100 MiB`(command: String) throws {
      let process = try ToolProcess("bash", ["-c", "exec \(command) -q >/dev/null"], input: .open)
      func event(_ tag: String, _ members: String) -> [UInt8] {
        Array(#"{"type":"response.\#(members),"oresp":{"request":"\#(tag)"}}"#.utf8) + [10]
      }
      let piece = String(repeating: "x", count: 1 << 20)
      #expect(process.write(event("a", #"created","response":{"id":"a"}"#)))
      #expect(process.write(event("a", #"output_text.delta","item_id":"m","delta":"a""#)))
      #expect(process.write(event("b", #"created","response":{"id":"b"}"#)))
      let more = event("b", #"output_text.delta","item_id":"n","delta":"\#(piece)""#)
      #expect((0..<70).allSatisfy { _ in process.write(more) })
      #expect(try process.peakKibibytes() < 100 << 10)
      process.closeInput()
      #expect(process.finish().outcome == .exited(5))
    }

    @Test(.needs(Sanitizer.isAbsent, "a sanitizer keeps memory of its own"))
    func `numbers that are far apart take no more memory than others`() throws {
      let script = "exec oresp-events -q --usage >/dev/null"
      let process = try ToolProcess("bash", ["-c", script], input: .open)
      let lines = (0..<2000).map { tag in
        #"{"type":"response.created","sequence_number":0,"oresp":{"request":"\#(tag)"}}"# + "\n"
          + #"{"type":"response.queued","sequence_number":60000,"oresp":{"request":"\#(tag)"}}"#
          + "\n"
      }
      #expect(process.write(Array(lines.joined().utf8)))
      #expect(try process.peakKibibytes() < 32 << 10)
      process.closeInput()
      #expect(process.finish().outcome == .exited(5))
    }

    @Test(.needs(Sanitizer.isAbsent, "a sanitizer keeps memory of its own"))
    func `a chat stream takes at most twice the memory of its text`() throws {
      let process = try ToolProcess("bash", ["-c", "exec oresp-sse >/dev/null"], input: .open)
      let text = String(repeating: "x", count: 1 << 16)
      let piece = #"data: {"id":"c","choices":[{"delta":{"content":"\#(text)"}}]}"# + "\n\n"
      let megabytes = 12
      for _ in 0..<16 * megabytes { #expect(process.write(piece)) }
      // All but what the pipe holds has been read.
      let pings = String(repeating: ": ping\n\n", count: 1 << 16)
      #expect(process.write("data: [DONE]\n\n" + pings))
      #expect(try process.peakKibibytes() < (2 * megabytes + 24) << 10)
      process.closeInput()
      #expect(process.finish().outcome == .exited(0))
    }

    /// About a megabyte of deltas, most of it text, of one response that has begun long before.
    private func piece(isStream: Bool) throws -> [UInt8] {
      let text = String(repeating: "a few words of text ", count: 50)
      let event =
        #"{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"#
        + #""content_index":0,"delta":"\#(text)","sequence_number":7}"#
      let unit = isStream ? SampleStream.block(event) : event + "\n"
      return Array(String(repeating: unit, count: (1 << 20) / unit.utf8.count).utf8)
    }
  #endif
}
