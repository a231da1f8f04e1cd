import Core
import Foundation
import TestSupport
import Testing

@testable import oresp_send
@testable import oresp_sse

/// What is left of a recorded stream whose connection is lost at any byte.
@Suite struct CutRecordingTests {
  /// Small ones, as a cut at every byte takes time by the square.
  private static let recordings = Corpus.peers.filter { path in
    let bytes = (try? Recording(path).bytes) ?? []
    return bytes.count < 3000 && !bytes.contains(ASCII.cr)
  }

  private static let ends = ["completed", "incomplete", "failed", "done"]
    .map { #""type":"response.\#($0)""# }

  @Test func `there are small recordings of more than one server`() {
    #expect(Self.recordings.count >= 2)
  }

  @Test(arguments: recordings)
  func `what came before a cut comes out whole and once, and ends with one error`(
    path: String
  ) throws {
    let recording = try Recording(path)
    let text = String(decoding: recording.bytes, as: UTF8.self)
    let blocks = text.components(separatedBy: "\n\n").dropLast().map { $0 + "\n\n" }
    let last = try #require(
      blocks.firstIndex { block in
        Self.ends.contains { block.replacingOccurrences(of: ": ", with: ":").contains($0) }
      })
    var (start, events) = (0, 0)
    for block in blocks[...last] {
      let whole = String(decoding: recording.bytes[..<start], as: UTF8.self)
      for cut in start..<start + block.utf8.count where cut > 0 {
        let relayed = Self.relayed(Array(recording.bytes[..<cut]))
        #expect(relayed.status == .temporary, "cut at \(cut)")
        #expect(relayed.output.hasPrefix(whole + "event: error\n"), "cut at \(cut)")
        #expect(relayed.notices.count == 1, "cut at \(cut): \(relayed.notices)")
        let filter = EventPipe(
          DecodeFilter(SSETool.Settings()), reading: .init(), needing: .typed, skims: false)
        let decoded = feed(filter, [Array(relayed.output.utf8)])
        let lines = decoded.output.split(separator: "\n")
        #expect(lines.dropLast().map(String.init) == Array(recording.events.prefix(events)))
        #expect(lines.last?.hasPrefix(#"{"type":"error""#) == true, "cut at \(cut)")
        #expect(decoded.status == .temporary, "cut at \(cut)")
      }
      start += block.utf8.count
      events += block.contains("data: ") ? 1 : 0
    }
  }

  /// What the sender passes on and tells of `bytes`, behind which the connection is lost.
  private static func relayed(_ bytes: [UInt8]) -> Outcome {
    let reply = Reply(Redaction([]))
    var output = Output()
    reply.begin(ReplyHead(status: 200, headers: [("content-type", "text/event-stream")]))
    _ = reply.read(bytes.span, into: &output)
    reply.finish(TransportFault(.connectionLost, "reset", advice: ""), into: &output)
    let told = output.notices.filter { $0.kind != .summary }
    return Outcome(
      String(decoding: output.bytes, as: UTF8.self), told.compactMap(\.status).max() ?? .completed,
      told.map(\.message))
  }
}
