import Foundation
import ProcessSupport
import TestSupport
import Testing

/// Input that is not what it must be: nothing crashes, what came before it is delivered, and the
/// fault is told with its place.
struct BrokenInputTests {
  /// A broken input behind two whole events, and what is told of it.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let status: Int32
    /// What each line on stderr contains.
    let errors: [String]
    /// What comes out behind the two events.
    let output: String

    init(
      _ name: String, _ bytes: some Sequence<UInt8>, status: Int32 = 3, errors: [String],
      output: String = ""
    ) {
      (testDescription, self.bytes, self.status) = (name, Array(bytes), status)
      (self.errors, self.output) = (errors, output)
    }
  }

  static let before = [#"{"type":"a"}"#, #"{"type":"b","n":1.0}"#]
  static let prefix = Array(SampleStream.stream(before).utf8)
  static let place = "oresp-sse: stdin: line 7, byte \(prefix.count): "

  static let cases: [Case] = [
    Case(
      "no JSON", "data: oh no\n\n".utf8, errors: [place + "not JSON"],
      output: #"{"type":"oresp.unparsed","data":"oh no","oresp":{"synthetic":true,"told":0}}"#
        + "\n"),
    Case(
      "a heartbeat", "data: hello\n\n".utf8, status: 0, errors: [place + "data that is no event"],
      output: #"{"type":"oresp.unparsed","data":"hello","oresp":{"synthetic":true}}"# + "\n"),
    Case("half an event", #"data: {"type":"c","#.utf8, errors: [place + "the input ends inside"]),
    Case(
      "an event without its blank line", #"data: {"type":"c"}"#.utf8, status: 0,
      errors: [place + "the last event has no blank line"], output: #"{"type":"c"}"# + "\n"),
    Case(
      "NUL", Array(#"data: {"type":"c","t":""#.utf8) + [0] + Array("\"}\n\n".utf8),
      errors: [place + "not JSON"],
      output: #"{"type":"oresp.unparsed","data":"{\"type\":\"c\",\"t\":\"\u0000\"}","#
        + #""oresp":{"synthetic":true,"told":0}}"# + "\n"),
    Case(
      "no UTF-8", Array(#"data: {"type":"c","t":""#.utf8) + [0xFF] + Array("\"}\n\n".utf8),
      status: 0, errors: [place + "not UTF-8"], output: #"{"type":"c","t":"\#u{FFFD}"}"# + "\n"),
    Case(
      "an array", "data: [1]\n\n".utf8, errors: [place + "a JSON value, not an object"],
      output: #"{"type":"oresp.unparsed","data":"[1]","oresp":{"synthetic":true,"told":0}}"#
        + "\n"),
    Case(
      "HTML", "<html>\n<body>gone</body>\n\n".utf8, status: 0, errors: [place + "skipped"]),
  ]

  @Test(arguments: cases)
  func `broken input is reported, and the input before it is delivered`(broken: Case) throws {
    let run = try ToolProcess.run("oresp-sse", input: .bytes(Self.prefix + broken.bytes))
    #expect(run.outcome == .exited(broken.status))
    #expect(Finished.hidingTimes(run.text) == Self.before.asLines + broken.output)
    let told = Finished.lines(run.errors)
    #expect(told.count == broken.errors.count)
    for (line, start) in zip(told, broken.errors) { #expect(line.hasPrefix(start)) }
  }

  @Test(arguments: cases)
  func `the stages behind do not crash on it`(broken: Case) throws {
    for tool in filters.dropFirst() {
      let run = try ToolProcess.run(tool, input: .bytes(Self.prefix + broken.bytes))
      #expect((0...8).contains(run.status), "\(tool) ended with \(run.outcome)")
    }
  }

  @Test(arguments: [
    ("HTML", "<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>\n"),
    ("plain text", "upstream connect error\n"), ("blank lines", "\n\n\n"), ("a comment", ": x\n\n"),
    ("a number", "42\n"), ("NUL", "\0\0\0\n"), ("half a byte order mark", "\u{FEFF}"),
  ])
  func `an input without an event is status 3`(name: String, input: String) throws {
    for tool in ["oresp-sse", "oresp-text"] {
      let run = try ToolProcess.run(tool, input: .text(input))
      #expect(run.outcome == .exited(3), "\(tool)")
      #expect(run.errors.hasPrefix(tool + ": "), "\(tool)")
    }
  }

  @Test func `a byte order mark at the start is passed over`() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    for tool in filters {
      let plain = try ToolProcess.run(tool, input: .bytes(SampleStream.bytes))
      let marked = try ToolProcess.run(tool, input: .bytes(mark + SampleStream.bytes))
      #expect(marked.outcome == .exited(0), "\(tool)")
      #expect(marked.text == plain.text, "\(tool)")
    }
  }

  @Test(arguments: filters, [true, false])
  func `brackets are nested to a depth of 256, and any depth is no crash`(
    tool: String, isStream: Bool
  ) throws {
    for (depth, isClosed, status) in [(255, true, 0), (300_000, true, 3), (300_000, false, 3)] {
      let close = isClosed ? String(repeating: "]", count: depth) + "}" : ""
      let event = #"{"type":"keepalive","a":"# + String(repeating: "[", count: depth) + close
      let run = try ToolProcess.run(
        tool, input: .text(isStream ? "data: \(event)\n\n" : event + "\n"))
      #expect(run.outcome == .exited(Int32(status)))
      if status == 0, tool != "oresp-text" { #expect(run.text == event + "\n") }
      if status == 3 {
        let why = "stdin: line 1, byte 0: not JSON: nested deeper than 256"
        #expect(run.errors.hasPrefix("\(tool): \(why)\n"))
      }
    }
  }

  @Test(arguments: filters)
  func `no input crashes a tool`(tool: String) throws {
    var random = SeededGenerator()
    print("no input crashes a tool: \(tool), seed \(random.seed)")
    for round in 1...12 {
      var bytes = SampleStream.bytes
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(Array("\"\\{}[],:\n\r\0".utf8).randomElement()!, at: place)
        default: bytes.removeSubrange(place..<min(place + 20, bytes.count - 1))
        }
      }
      let run = try ToolProcess.run(tool, input: .bytes(bytes))
      #expect((0...8).contains(run.status), "seed \(random.seed), round \(round): \(run.outcome)")
    }
  }
}
