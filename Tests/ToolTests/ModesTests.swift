import Foundation
import ProcessSupport
import TestSupport
import Testing

/// What the modes of the tools make of one stream. Where they differ and should not, a row has what
/// comes of it today beside what is wanted; the one who mends it deletes the former.
@Suite struct ModesTests {
  /// A stream in words, and how many responses it has.
  struct Count: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let wanted: Int

    init(_ stream: String, _ wanted: Int) { (testDescription, self.wanted) = (stream, wanted) }

    var lines: String {
      testDescription.components(separatedBy: ", ").enumerated().map { number, words in
        let word = words.components(separatedBy: " ")
        let members =
          switch word[0] {
          case "error": #""type":"error","message":"m""#
          case "keepalive": #""type":"keepalive""#
          case "added":
            #""type":"response.output_item.added","output_index":0,"item":{"id":"m"}"#
          case "delta": #""type":"response.output_text.delta","output_index":0,"delta":"x""#
          default:
            #""type":"response.\#(word[0])","response":{"id":"\#(word[1])","status":"\#(word[0])"}"#
          }
        return "{\(members),\"sequence_number\":\(number)}\n"
      }.joined()
    }
  }

  @Test(arguments: [
    Count("created a, delta, completed a", 1),
    Count("created a, completed a, created b, completed b", 2),
    Count("created a, created b, completed b, completed a", 2),
    Count("created a, delta, created a, completed a", 2),
    Count("created a, error, failed a", 1), Count("error, failed a", 1),
    Count("created a, delta", 1), Count("in_progress a, completed a", 1),
    Count("keepalive", 0),
    Count("delta", 1),
    Count("delta, created a", 2),
    Count("completed a, keepalive", 1),
    Count("completed a, in_progress a", 1),
    Count("completed a, delta", 2),
    Count("completed a, completed a", 2),
    Count("completed a, added, completed a", 3),
    Count("completed a, completed b, error", 3),
  ])
  func `every mode counts the same responses`(count: Count) throws {
    #expect(try Self.counts(of: count) == Array(repeating: count.wanted, count: 5))
  }

  @Test func `every mode counts the same responses of a random stream`() throws {
    var generator = SeededGenerator()
    let words = [
      "created a", "created b", "in_progress a", "completed a", "completed b", "failed b", "added",
      "delta", "keepalive",
    ]
    for _ in 0..<100 {
      let events = (0..<Int.random(in: 2...6, using: &generator)).map { _ in
        words.randomElement(using: &generator) ?? ""
      }
      let count = Count(events.joined(separator: ", "), 0)
      let counts = try Self.counts(of: count)
      #expect(Set(counts).count == 1, "\(count) \(counts), seed \(generator.seed)")
    }
  }

  /// How many responses --usage, -R --partial, --stats, --split and --nth count.
  private static func counts(of count: Count) throws -> [Int] {
    let input = Array(count.lines.utf8)
    let folder = try TemporaryFolder()
    func lines(_ arguments: String...) throws -> Int {
      let output = try CommandRow.run(["oresp-events"] + arguments, input: input).output
      // Events of no response have a file, too.
      return Finished.lines(String(decoding: output, as: UTF8.self)).count {
        !$0.hasSuffix("/rest.ndjson")
      }
    }
    let selected = try (1...9).prefix { number in
      try CommandRow.run(["oresp-events", "-c", "--nth=\(number)"], input: input).output != [
        48, 10,
      ]
    }
    return try [
      lines("--usage"), lines("-R", "--partial"), lines("--stats"),
      lines("--split=\(folder.path)/made"), selected.count,
    ]
  }

  /// Events that belong to no response where none of their tag is open.
  private static let ofNobody = [
    #"{"type":"keepalive","sequence_number":70}"#,
    #"{"type":"response.rate_limits.updated","rate_limits":[]}"#,
    #"{"type":"codex.rate_limits","sequence_number":3}"#,
    #"{"type":"oresp.unparsed","data":"x","oresp":{"synthetic":true}}"#,
  ]

  private static let stream = [
    "created :a #0", "added .m #1", "delta .m =x #2", "text .m =x #3", "done .m =x #4",
    "completed :a .m=x #5",
  ].map { RuleEvent($0).line }
  private static let taggedStream: [String] = stream.map {
    $0.dropLast() + #","oresp":{"request":"t"}}"#
  }

  private static func run(
    _ mode: [String], _ lines: [String], without line: String = ""
  ) throws -> (lines: [String], status: Int32) {
    let run = try CommandRow.run(mode, input: Array(lines.joined(separator: "\n").utf8))
    return (
      Finished.lines(String(decoding: run.output, as: UTF8.self)).filter { $0 != line }, run.status
    )
  }

  @Test(
    arguments: [
      ["oresp-events", "-R", "--partial"], ["oresp-events", "--items"],
      ["oresp-events", "--calls"],
      ["oresp-events", "--usage"], ["oresp-events", "--cost"], ["oresp-events", "--stats"],
      ["oresp-events", "--timeline"], ["oresp-events", "--citations"], ["oresp-events", "--check"],
      ["oresp-events", "--status=plain"], ["oresp-events", "--nth=1"],
      ["oresp-events", "-t", "*.delta"], ["oresp-events", "--item-type=message"],
      ["oresp-text"], ["oresp-text", "-j"], ["oresp-text", "--all"],
      ["oresp-text", "-c", "footnotes"],
    ], ofNobody)
  func `an event of no response changes nothing of one`(mode: [String], event: String) throws {
    let whole = Self.stream
    let cut = Array(whole.prefix(4))
    let tagged = Self.taggedStream
    var mixtures = [(whole, [event] + whole), (whole, whole + [event]), (cut, [event] + cut)]
    var beside = tagged
    beside.insert(event, at: 3)
    mixtures += [(tagged, beside), (tagged, tagged + [event])]
    for (stream, mixture) in mixtures {
      let alone = try Self.run(mode, stream)
      let mixed = try Self.run(mode, mixture, without: event)
      // A finding names the line of its event.
      let isAfter = mixture.last == event
      if mode[1...] != ["--check"] || isAfter { #expect(mixed.lines == alone.lines) }
      if !event.contains("unparsed") { #expect(mixed.status == alone.status, "\(mixture)") }
    }
  }

  @Test func `--split puts each line that comes in into one file`() throws {
    var generator = SeededGenerator()
    let words = [
      "created a", "created b", "in_progress a", "completed a", "completed b", "failed b", "added",
      "delta", "keepalive", "error",
    ]
    for _ in 0..<100 {
      let events = (0..<Int.random(in: 2...9, using: &generator)).map { _ in
        words.randomElement(using: &generator) ?? ""
      }
      let count = Count(events.joined(separator: ", "), 0)
      let folder = try TemporaryFolder()
      let run = try CommandRow.run(
        ["oresp-events", "--split=\(folder.path)/made"], input: Array(count.lines.utf8))
      let paths = Finished.lines(String(decoding: run.output, as: UTF8.self))
      let made = try paths.flatMap {
        Finished.lines(try String(contentsOfFile: $0, encoding: .utf8))
      }
      #expect(
        made.sorted() == Finished.lines(count.lines).sorted(), "\(count), seed \(generator.seed)")
    }
  }

  /// A broken line behind the third of a stream, and the status and notice that every mode has of
  /// it.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var line: [UInt8]
    let wanted: String
    /// Whether the line is mended, and so printed, but not as it came.
    var isMended = false

    init(_ name: String, _ line: String, _ wanted: String) {
      (testDescription, self.line, self.wanted) = (name, Array(line.utf8), wanted)
    }
  }

  /// The modes that show a broken line as `oresp.unparsed`, and the others.
  private static let printers = [
    "oresp-sse", "--nth=1", "--merge", "-t *.delta", "--index=0", "--stats",
  ]
  private static let readers = [
    "-c", "--usage", "-R", "--items", "--citations", "--check", "oresp-text",
  ]

  private static let delta = #"{"type":"response.output_text.delta",\#(LintStreams.place),"#

  private static let faults: [Fault] = {
    var faults = [
      Fault("a bad literal", delta + #""delta":tru}"#, "3: not JSON: expected true, false or null"),
      Fault(
        "a line that is cut in a string", delta + #""delta":"x"#,
        "3: not JSON: a bare control character in a string"),
      Fault(
        "a line that is cut behind a colon", delta + #""delta":"#,
        "3: not JSON: the value does not end"),
      Fault(
        "a byte that is no UTF-8", delta + #""delta":"","obfuscation":"?"}"#,
        "0: not UTF-8; U+FFFD put in its place"),
      Fault("an array", "[1]", "3: a JSON value, not an object"),
      Fault("a word", "oh no", "3: not JSON: expected a value"),
    ]
    faults[3].line = faults[3].line.map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
    faults[3].isMended = true
    return faults
  }()

  /// What comes of `mode` on a stream with a broken line behind the third.
  private static func outcome(of mode: String, _ broken: [UInt8]) throws -> String {
    let words = (mode.hasPrefix("-") ? ["oresp-events"] : []) + mode.components(separatedBy: " ")
    let stream = LintStreams.text.map { Array($0.utf8) }
    let lines = stream[..<3] + [broken] + stream[3...] + [[]]
    let run = try CommandRow.run(words, input: Array(lines.joined(separator: [10])))
    let notice = run.errors.split(separator: "\n").first?.components(separatedBy: ": ").dropFirst(3)
    let printed = run.output.split(separator: 10).map(Array.init)
    var outcome = ([String(run.status)] + (notice ?? [])).joined(separator: ": ")
    if String(decoding: run.output, as: UTF8.self).contains("oresp.unparsed") {
      outcome += ", kept"
    } else if printed.contains(broken) {
      outcome += ", as it came"
    }
    let isPrinted = readers.contains(mode) || mode == "--stats" || printed.contains(stream[3])
    return outcome + (isPrinted ? "" : ", with the next")
  }

  @Test(arguments: faults)
  func `a broken line has one outcome in every mode`(fault: Fault) throws {
    let modes = Self.printers + Self.readers
    func grouped(_ outcome: (String) throws -> String) rethrows -> [String: String] {
      try Dictionary(grouping: modes, by: outcome).mapValues { $0.joined(separator: ", ") }
    }
    let outcomes = try grouped { try Self.outcome(of: $0, fault.line) }
    let wanted = grouped {
      fault.wanted + (!fault.isMended && Self.printers.contains($0) ? ", kept" : "")
    }
    #expect(outcomes == wanted)
  }
}
