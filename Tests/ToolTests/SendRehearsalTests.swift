import Core
import ProcessSupport
import TestSupport
import Testing

@testable import oresp_send

/// Collects what a relay makes of an answer.
private final class Collector: ReplyReceiver {
  let hasEnd = false
  let isStreaming = false
  let reply = Reply(Redaction([]))
  var output = Output()
  /// How the output grew, a piece for each that was taken.
  var pieces: [Int] = []

  func begin(_ head: ReplyHead) { reply.begin(head) }

  func receive(_ bytes: Span<UInt8>) throws(Failure) -> Bool {
    reply.receive(bytes, into: &output)
  }

  func flush() {
    reply.flush(into: &output)
    pieces.append(output.bytes.count)
  }

  func status(_ fault: TransportFault?) -> Core.ExitStatus {
    reply.finish(fault, into: &output)
    return output.notices.map { $0.status ?? .completed }.max() ?? .completed
  }
}

/// Keeps the sequence numbers and types of events.
private struct Lister: EventFilter {
  mutating func handle(_ event: borrowing Event, _ line: Span<UInt8>, into output: inout Output) {
    output.append(line: line)
  }
  mutating func finish(into output: inout Output) {}
}

extension Carrier {
  /// Sends `request` alone, to the end of its reply. Returns the fault; `nil` for none.
  fileprivate func send(
    _ request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault? {
    try begin(request, to: receiver, number: 0)
    while true {
      if let ended = try goOn(.max, orUntilReadable: nil).first { return ended.fault }
    }
  }
}

@Suite struct SendRehearsalTests {
  private static func rehearse(
    _ outcome: Rehearsal.Outcome, body: String = #"{"stream":true}"#,
    pause: @escaping (Int) -> Void = { _ in }
  ) throws -> (collector: Collector, status: Core.ExitStatus) {
    let collector = Collector()
    let request = HTTPRequest(
      url: RehearsalCarrier.base + "/responses", headers: [],
      body: [UInt8](Array(body.utf8)), isLocal: true)
    let transport = try RehearsalCarrier(try Rehearsal(outcome.rawValue), pause: pause)
    return (collector, collector.status(try transport.send(request, to: collector)))
  }

  /// What a later stage makes of the output.
  private static func read(_ bytes: [UInt8]) -> Outcome {
    let settings = EventReader.Settings()
    return feed(EventPipe(Lister(), reading: settings, needing: .typed), [bytes])
  }

  @Test(
    arguments: zip(
      Rehearsal.Outcome.allCases,
      [
        .completed, .temporary, .incomplete, .refusal, .cancelled, .temporary, .refusedForGood,
        .completed, .completed, .refusedForGood, .temporary, .temporary, .completed,
      ] as [Core.ExitStatus]))
  func `it ends as asked, here and at a later stage`(
    outcome: Rehearsal.Outcome, status: Core.ExitStatus
  ) throws {
    let (collector, reached) = try Self.rehearse(outcome)
    #expect(reached == status)
    let later = Self.read(collector.output.bytes)
    #expect(later.status == status)
    #expect(collector.output.notices.count { $0.kind == .error } == (status == .completed ? 0 : 1))
  }

  @Test(
    arguments: zip(
      Rehearsal.Outcome.allCases, [34, 16, 23, 12, 18, 12, 4, 7, 11, 0, 0, 0, 34]))
  func `its events are numbered from 0 without a gap`(
    outcome: Rehearsal.Outcome, count: Int
  ) throws {
    let (collector, _) = try Self.rehearse(outcome)
    let lines = Self.read(collector.output.bytes).output.split(separator: "\n")
    let numbers = lines.compactMap {
      JSONChildren.integer(of: "sequence_number", in: Array($0.utf8).span)
    }
    #expect(numbers == Array(0..<count))
  }

  @Test func `the model of the request is the model of the answer`() throws {
    let (collector, _) = try Self.rehearse(.completed, body: #"{"model":"m-1","stream":true}"#)
    let text = String(decoding: collector.output.bytes, as: UTF8.self)
    #expect(text.contains(#""model":"m-1""#))
  }

  @Test func `each citation stands where its numbers say, counted in Unicode scalars`() throws {
    let (collector, _) = try Self.rehearse(.completed)
    let lines = Self.read(collector.output.bytes).output.split(separator: "\n").map {
      Array($0.utf8)
    }
    let done = try #require(
      lines.first { JSONChildren.text(of: "type", in: $0.span) == "response.output_text.done" })
    let text = Array(JSONChildren.text(of: "text", in: done.span).unicodeScalars)
    var cited: [String] = []
    for line in lines {
      guard
        let start = JSONChildren.value(of: "annotation", "start_index", in: line.span),
        let end = JSONChildren.value(of: "annotation", "end_index", in: line.span)
      else { continue }
      let from = JSONNumber.integer(line.span.extracting(start)) ?? 0
      let to = JSONNumber.integer(line.span.extracting(end)) ?? 0
      let url = JSONChildren.text(of: "annotation", "url", in: line.span)
      let span = String(String.UnicodeScalarView(text[from..<to]))
      #expect(span.hasPrefix("([") && span.hasSuffix("](\(url)))"))
      cited.append(span)
    }
    #expect(cited.count == 2)
    #expect(text.contains { $0.value > 0xFFFF })
  }

  @Test func `the slow one pauses before each event`() throws {
    var pauses = 0
    let (collector, _) = try Self.rehearse(.slow) { milliseconds in
      pauses += 1
      #expect(milliseconds == 100)
    }
    #expect(pauses == collector.pieces.count)
    #expect(pauses > 20)
  }

  @Test(arguments: ["\n", "\r\n"], ["data: ", "data:", "data:  ", "data:\t "])
  func `a batch has the result of a stream that nobody asked for, however its blocks are spelled`(
    end: String, field: String
  ) throws {
    let folder = try TemporaryFolder()
    let response = #"{"id":"r","status":"completed","output":[]}"#
    let events = [
      #"{"type":"response.created","response":{"id":"r"}}"#,
      #"{"type":"response.completed","response":\#(response)}"#,
    ]
    let stream = try folder.file("stream", events.map { field + $0 + end + end }.joined())
    let jobs = try folder.file("jobs", #"{"custom_id":"a","body":{"input":"x"}}"# + "\n")
    let run = try SendTool.command.run(["--rehearse=@\(stream)", "--batch=\(jobs)"])
    let body = JSONChildren.raw(of: "response", "body", in: run.output.span)
    #expect(body?.line == Array(response.utf8))
    #expect(run.status == 0)
  }
}
