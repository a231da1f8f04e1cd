import Core
import Foundation
import TestSupport
import Testing
import oresp_events

@Suite struct LintTests {
  private static func report(_ text: String, _ level: String) throws -> Outcome {
    feed(EventsTool.checkPipe(try CheckSettings(level)), [Array(text.utf8)])
  }

  /// The lines and rules of a report.
  private static func findings(_ report: String) -> [String] {
    report.split(separator: "\n").map { line in
      let fields = line.split(separator: ":", maxSplits: 3)
      return "\(fields[0])\(fields[2])"
    }.sorted()
  }

  /// Feeds `text` byte by byte and cut at random places; the filter gets whole lines, so that
  /// every way to cut is tried on short streams only.
  private static func expectSame(_ text: String, as whole: Outcome, _ level: String) throws {
    let bytes = Array(text.utf8)
    var generator = SeededGenerator()
    let cuts = (0..<4).map { _ in randomCuts(of: bytes, 10, using: &generator) }
    for chunks in [bytes.map { [$0] }] + cuts {
      let outcome = feed(EventsTool.checkPipe(try CheckSettings(level)), chunks)
      #expect(outcome == whole, "seed \(generator.seed), chunks of \(chunks.map(\.count))")
    }
  }

  @Test(arguments: LintStreams.all)
  func `nothing is found in a sound stream`(events: [String]) throws {
    let text = LintStreams.text(of: LintStreams.numbered(events))
    let outcome = try Self.report(text, "strict")
    #expect(outcome.output == "")
    #expect(outcome.status == (events == LintStreams.refusal ? .refusal : .completed))
    try Self.expectSame(text, as: outcome, "strict")
  }

  @Test(arguments: LintCase.all)
  func `a fault is found, however the bytes arrive`(fault: LintCase) throws {
    let strict = try Self.report(fault.text, "strict")
    #expect(Self.findings(strict.output) == (fault.found + fault.strictly).sorted())
    let tolerant = try Self.report(fault.text, "default")
    #expect(Self.findings(tolerant.output) == fault.found)
    #expect(strict.status == fault.status)
    try Self.expectSame(fault.text, as: strict, "strict")
  }

  @Test func `there is a case for every rule`() {
    let found = LintCase.all.flatMap { $0.found + $0.strictly }
      .map { String($0.drop { $0 != " " }.dropFirst()) }
    let apart = CheckRule.nameMismatch
    #expect(
      Set(found) == Set(CheckRule.rules(ofStandard: false).filter { $0 != apart }.map(\.row.name)))
  }

  @Test func `the name of a block must be the type`() throws {
    let lines = LintStreams.numbered([LintStreams.created, LintStreams.completed("")])
    func stream(_ names: [String]) -> String {
      zip(names, lines).map { "\($0)data: \($1)\n\n" }.joined()
    }
    let sound = stream(["event: response.created\n", "event: message\n"])
    #expect(try Self.report(sound, "strict") == Outcome(""))
    #expect(try Self.report(stream(["", ""]), "strict") == Outcome(""))
    let text = stream(["", "event: response.done\n"])
    let found = Outcome(
      "3: seq 1: name-mismatch: event: response.done; expected response.completed\n", .negative)
    #expect(try Self.report(text, "default") == found)
    #expect(
      mismatches(feeding: text, expecting: found) { EventsTool.checkPipe(CheckSettings()) } == [])
  }

  @Test(arguments: [
    ("default", "3: seq 5: sequence-gap: 5; expected 2\n"),
    (
      "json",
      #"{"type":"oresp.finding","line":3,"byte":139,"sequence_number":5,"rule":"sequence-gap","#
        + #""level":"default","expected":"2","got":"5","message":"5; expected 2","#
        + #""event":"response.completed","response_id":"r"}"# + "\n"
    ),
  ]) func `a finding is one line`(level: String, line: String) throws {
    var lines = LintStreams.numbered([
      LintStreams.created, LintStreams.event("queued", #""response":{"id":"r"}"#),
      LintStreams.completed(""),
    ])
    lines[2] = lines[2].replacing("number\":2", with: "number\":5")
    #expect(try Self.report(LintStreams.text(of: lines), level) == Outcome(line, .negative))
  }

  @Test func `what is found at one place comes in the order in which it began`() throws {
    let parts = [
      ("reasoning_summary_part", "summary", "summary_text"),
      ("content_part", "content", "reasoning_text"),
    ]
    let opened = parts.map { family, list, type in
      LintStreams.event(
        "\(family).added",
        LintStreams.place + #","\#(list)_index":0,"part":{"type":"\#(type)","text":""}"#)
    }
    let stream =
      [LintStreams.created, LintStreams.added("reasoning")] + opened + [
        LintStreams.done(LintStreams.reasoningItem),
        LintStreams.completed(LintStreams.reasoningItem),
      ]
    let told = try Self.report(LintStreams.text(of: LintStreams.numbered(stream)), "default").output
    let lines = told.split(separator: "\n").map {
      $0.split(separator: " ").suffix(2).joined(separator: " ")
    }
    #expect(lines == ["summary[0] before", "content[0] before"])
  }

  @Test func `the verdict counts for more than findings`() throws {
    let text = LintStreams.text(of: Array(LintStreams.numbered(LintStreams.text).dropLast()))
    #expect(try Self.report(text, "default").status == .temporary)
  }

  @Test func `a response that was joined later is not reproached with what came before`() throws {
    let text = LintStreams.text(of: Array(LintStreams.numbered(LintStreams.text).dropFirst(4)))
    #expect(try Self.report(text, "default") == Outcome(""))
  }

  @Test(arguments: [
    ("json", #"{"type":"response.created","response":{"id":"r2"}}"#, "name-mismatch"),
    ("strict,json", #"{"type":"response.output_item.added","item":{"id":"m"}}"#, "no-beginning"),
  ])
  func `a finding is not about the response before`(level: String, next: String, rule: String) {
    let lines = [
      #"{"type":"response.created","response":{"id":"r1"}}"#,
      #"{"type":"response.completed","response":{"id":"r1"}}"#,
    ]
    let blocks = lines.map { "data: \($0)\n\n" }.joined() + "event: other\ndata: \(next)\n\n"
    let findings = try? Self.report(blocks, level).output.split(separator: "\n").filter {
      $0.contains("\"line\":5,")
    }
    #expect(findings?.contains { $0.contains(rule) } == true)
    #expect(findings?.contains { $0.contains("r1") } == false)
  }

  @Test func `another id is a finding about the response that began`() throws {
    let lines = [
      #"{"type":"response.created","sequence_number":0,"response":{"id":"r1"}}"#,
      #"{"type":"response.completed","sequence_number":1,"response":{"id":"r2"}}"#,
    ]
    let findings = try Self.report(LintStreams.text(of: lines), "strict,json").output
    let finding = findings.split(separator: "\n").first { $0.contains("id-mismatch") }
    #expect(finding?.contains(#""response_id":"r1""#) == true)
  }

  @Test func `an empty input has nothing to check`() {
    let outcome = feed(EventsTool.checkPipe(CheckSettings()), [])
    #expect(outcome.status == .badInput)
  }

  @Test func `a level is a list of known words`() throws {
    let settings = try CheckSettings("json,strict")
    #expect(settings.isJSON && settings.level == .strict)
    for words in ["", "strikt", "strict,"] {
      #expect(throws: Failure.self) { try CheckSettings(words) }
    }
  }

  @Test func `the manual tells of every rule`() throws {
    let manual = try Manual(name: "oresp-events", section: 1).text
    let items = manual.split(separator: "\n").filter { $0.hasPrefix(".It Cm ") }
      .flatMap { $0.dropFirst(7).components(separatedBy: " , ") }
    for rule in CheckRule.rules(ofStandard: false).map(\.row) {
      let item = rule.name + (rule.level == .strict ? " Pq strict" : "")
      #expect(items.contains(item), "\(item)")
    }
  }
}

@Suite struct TypesTests {
  @Test func `the catalogue comes in its order, under a line of names`() throws {
    let lines = EventsTool.table(of: TypeSelection()).split(separator: "\n")
    #expect(lines[0] == "type\tfamily\tphase\tstanding\tfields")
    #expect(
      lines[1]
        == "response.created\tlifecycle\tstart\tstandard\tsequence_number:integer!, response:Response!"
    )
    let names = lines.dropFirst().map { String($0.split(separator: "\t")[0]) }
    let known = EventCatalogue.rows.filter { $0.family != .ownEnd }
    #expect(names == known.map(\.name.description))
    #expect(lines.allSatisfy { $0.count { $0 == "\t" } == 4 })
  }

  @Test func `a selection of types selects rows`() throws {
    var types = TypeSelection()
    try types.keep("refusal.*")
    let names = EventsTool.table(of: types).split(separator: "\n").dropFirst().map {
      String($0.split(separator: "\t")[0])
    }
    #expect(names == ["response.refusal.delta", "response.refusal.done"])
  }
}
