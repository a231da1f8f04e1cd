import Foundation
import ProcessSupport
import TestSupport
import Testing

/// A server that has a fault, and what the script has to say of it.
private struct Fault: CustomTestStringConvertible {
  let finding: String
  /// The case that tells it.
  var teller = "text"
  var server = StandardServer()

  init(
    _ finding: String, by teller: String = "text",
    events change: @escaping @Sendable (inout [String]) -> Void
  ) {
    (self.finding, self.teller, server.changeEvents) = (finding, teller, change)
  }

  init(_ finding: String, stream change: @escaping @Sendable (inout String) -> Void) {
    (self.finding, server.changeStream) = (finding, change)
  }

  init(
    _ finding: String, by teller: String = "text",
    answer change: @escaping @Sendable (inout Answer, String) -> Void
  ) {
    (self.finding, self.teller, server.changeAnswer) = (finding, teller, change)
  }

  init(_ finding: String, by teller: String, refusesCall: Bool) {
    (self.finding, self.teller, server.refusesCall) = (finding, teller, refusesCall)
  }

  var testDescription: String { finding }

  static let all = [
    Fault("content-type", answer: { answer, _ in answer.headers[0].value = "text/plain" }),
    Fault("one-json", stream: { $0 = "data: oops\n\n" + $0 }),
    Fault("done-mark", stream: { $0 = $0.replacing("data: [DONE]\n\n", with: "") }),
    Fault("event-name", stream: { $0 = $0.replacing("event: response.out", with: "event: out") }),
    Fault("no-id (should)", stream: { $0 = "id: 7\n" + $0 }),
    Fault("event-type", events: { $0.insert(#"{"type":"trace"}"#, at: 4) }),
    Fault("event-members", events: { $0[4] = $0[4].replacing(#""content_index":0,"#, with: "") }),
    Fault(
      "sequence",
      stream: { $0 = $0.replacing(#""sequence_number":4}"#, with: #""sequence_number":3}"#) }),
    Fault(
      "item-members", events: { $0[7] = $0[7].replacing(#""status":"completed","#, with: "") }),
    Fault("item-begins", events: { $0[2] = $0[2].replacing(#","role":"assistant""#, with: "") }),
    Fault("part-order", events: { $0.remove(at: 6) }),
    Fault("item-ends", events: { $0.remove(at: 7) }),
    Fault("item-status", events: { $0[2] = $0[2].replacing("in_progress", with: "completed") }),
    Fault("incomplete-last", events: { $0[7] = $0[7].replacing("completed", with: "incomplete") }),
    Fault("response-status", events: { $0.removeFirst() }),
    Fault("response-status", events: { $0.insert($0[8], at: 8) }),
    Fault("error-then-failed", events: { $0.insert(Sound.failed[1], at: 8) }),
    Fault(
      "response-members",
      events: {
        for line in [0, 1, 8] { $0[line] = $0[line].replacing(#""store":true,"#, with: "") }
      }),
    Fault(
      "error-members", by: "error",
      answer: { answer, _ in
        if answer.status == 400 { answer = .body(#"{"error":{"message":"no"}}"#, status: 400) }
      }),
    Fault(
      "error-status (should)", by: "error",
      answer: { if $1 == "", $0.status == 400 { $0.status = 422 } }),
    Fault(
      "done-mark, response-status",
      answer: { answer, _ in
        if case .chunked = answer.framing { answer.steps = answer.steps.dropLast(4) + [.cut] }
      }),
    Fault("HTTP 429", by: "call", refusesCall: true),
    Fault(
      "HTTP 404, error-members", by: "compact",
      answer: { if $1 == "/compact" { $0 = .body(#"{"error":{"message":"no"}}"#, status: 404) } }),
    Fault(
      "extension-harmless",
      events: {
        $0[4] = $0[4].replacing(StandardServer.text, with: "Ann: 5, Grüße, 世界")
        $0.insert(#"{"type":"acme:delta","delta":"."}"#, at: 5)
      }),
    Fault("not as asked", by: "letters", events: { $0 = $0.map { $0.replacing("世", with: "?") } }),
  ]
}

/// The script that tests servers, as it stands in its folder.
@Suite struct ComplianceTests {
  /// Runs `cases` of the script on `server`; gives what it says of each.
  private func run(
    _ server: StandardServer, _ cases: [String] = cases
  ) throws -> (rows: [(String, String)], status: Int32) {
    let server = try server.start()
    return try run(server.baseURL, cases)
  }

  private func run(
    _ url: String, _ cases: [String] = cases
  ) throws -> (rows: [(String, String)], status: Int32) {
    let mark = "\ncase_ "
    let parts = try Repository.text("Tests/Compliance/run").components(separatedBy: mark)
    let chosen = parts.dropFirst().filter { part in cases.contains { part.hasPrefix($0 + " ") } }
    let script = ([parts[0]] + chosen).joined(separator: mark) + "\nexit \"$faults\"\n"
    let run = try ToolProcess.bash(
      script, environment: ["OPENAI_BASE_URL": url, "ORESP_MODEL": "m"])
    let rows = run.lines.map { line in
      let name = line.prefix { $0 != " " }
      return (String(name), line.dropFirst(name.count).trimmingCharacters(in: .whitespaces))
    }
    return (rows, run.status)
  }

  private static let cases = [
    "text", "count", "document", "system", "image", "messages", "previous", "letters", "call",
    "whole-call", "parallel", "outputs", "limit", "error", "cut", "job", "cancel", "compact",
    "compacted",
  ]

  @Test func `a server that keeps to the standard passes in every case`() throws {
    let (rows, status) = try run(StandardServer())
    #expect(rows.map(\.0) == Self.cases)
    #expect(rows.allSatisfy { $0.1 == "passed" }, "\(rows)")
    #expect(status == 0)
  }

  @Test(arguments: Fault.all)
  private func `a fault of a server is found, and nothing else`(fault: Fault) throws {
    let (rows, status) = try run(fault.server, [fault.teller])
    #expect(rows.map(\.0) == [fault.teller])
    #expect(rows.map(\.1) == [fault.finding])
    #expect(status == (fault.finding.hasSuffix("(should)") ? 0 : 1))
  }

  @Test func `a server that is not there gives no answer`() throws {
    let port = try RefusingPort()
    let (rows, status) = try run("http://127.0.0.1:\(port.number)/v1")
    #expect(rows.map(\.0) == Self.cases)
    #expect(rows.allSatisfy { $0.1 == "no answer" }, "\(rows)")
    #expect(status == 1)
  }
}
