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
    var relay = ReplyRelay(Redaction([]), ReplyPlan(isBackground: true))
    var output = Output()
    relay.begin(ReplyHead(status: 200, headers: [("content-type", "text/event-stream")]))
    _ = relay.receive(whole.span.extracting(..<cut), into: &output)
    // Without an id there is nothing that could go on: it is asked for again.
    let wanted = relay.failure(fault) == nil ? relay.rest(fault, into: &output) : nil
    if wanted != nil || relay.failure(fault) != nil {
      relay.held.endBlock(into: &output)
      #expect(wanted?.asksForEvents != false)
      relay.restart(asksForEvents: wanted?.asksForEvents)
      relay.begin(ReplyHead(status: 200, headers: [("content-type", "text/event-stream")]))
      _ = relay.receive(rest(wanted?.last ?? -1).span, into: &output)
    }
    relay.finish(nil, into: &output)
    #expect(output.notices.filter { $0.kind != .summary }.map(\.message) == [], "cut at \(cut)")
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
        guard fault != nil, cut % 4 == 1 else { continue }
        // A server may give all events again.
        let again = resumed(data, cut: cut, fault) { _ in data }
        #expect(again == whole, "cut at \(cut)")
      }
    }
  }
}
