import Core
import Foundation
import Testing

@testable import oresp_send

/// A recorded background stream that is cut and taken up again.
@Suite struct BackgroundCorpusTests {
  private static let lost = TransportFault(.connectionLost, "reset", advice: "")

  /// What a relay passes on of `whole`, cut at byte `cut` by `fault`, and of what a server then
  /// has.
  private func resumed(
    _ whole: [UInt8], cut: Int, _ fault: TransportFault?, rest: (Int) -> [UInt8]
  ) -> String {
    let reply = Reply(Redaction([]), ReplyPlan(isBackground: true))
    var output = Output()
    reply.begin(ReplyHead(status: 200, headers: [("content-type", "text/event-stream")]))
    _ = reply.read(whole.span.extracting(..<cut), into: &output)
    // Without an id there is nothing that could go on: it is asked for again.
    // What is lost behind the end is told.
    let outcome = reply.end(cut == whole.count ? nil : fault, into: &output)
    var isBehindEnd = false
    if case .ended = outcome {
      isBehindEnd = cut < whole.count
    } else {
      var wanted: ResponseRest?
      if case .goesOn(let rest) = outcome { wanted = rest }
      #expect(wanted?.asksForEvents != false)
      reply.restart(asksForEvents: wanted?.asksForEvents)
      reply.begin(ReplyHead(status: 200, headers: [("content-type", "text/event-stream")]))
      _ = reply.read(rest(wanted?.last ?? -1).span, into: &output)
      reply.finish(nil, into: &output)
    }
    let told = output.notices.filter { $0.kind != .summary }.map(\.message)
    let behind = isBehindEnd ? ["after the end of the response: reset"] : []
    #expect(told == [] || told == behind, "cut at \(cut)")
    return String(decoding: output.bytes, as: UTF8.self)
  }

  @Test func `a stream that goes on is the unbroken one, wherever it was cut`() throws {
    let data = try Data(contentsOf: Corpus.url("streams/openai-background-queued.sse"))
    let whole = String(decoding: data, as: UTF8.self)
    expectWhole(whole, "\n\n") { _ in true }
    expectWhole(whole.replacingOccurrences(of: "\n", with: "\r\n"), "\r\n\r\n") {
      $0 == ASCII.cr
    }
  }

  /// Cuts the stream `whole`, whose blocks end with `blank`, behind each byte that `isCut` takes.
  private func expectWhole(
    _ whole: String, _ blank: String, isCut: (UInt8) -> Bool
  ) {
    let data = Array(whole.utf8)
    let blocks = whole.components(separatedBy: blank).dropLast().map { $0 + blank }
    for cut in 1...data.count where isCut(data[cut - 1]) {
      // A lost connection at each byte, what else can be at some.
      for fault in cut % 4 == 0 ? [Self.lost, nil] : [Self.lost] {
        let behind = resumed(data, cut: cut, fault) { last in
          Array(blocks[(last + 1)...].joined().utf8)
        }
        #expect(behind == whole, "cut at \(cut)")
        guard fault != nil, cut % 4 == 1, blank == "\n\n" else { continue }
        // A server may give all events again.
        let again = resumed(data, cut: cut, fault) { _ in data }
        #expect(again == whole, "cut at \(cut)")
      }
    }
  }
}
