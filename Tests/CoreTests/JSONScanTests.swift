import Core
import TestSupport
import Testing

/// What a scan makes of a text that comes in chunks: `end N`, `fault N`, `can end` or `more`; and
/// the words of a fault.
private func scan(_ chunks: [[UInt8]]) -> (outcome: String, words: String) {
  var scan = JSONScan()
  var members = Members()
  var value: [UInt8] = []
  for chunk in chunks {
    value += chunk
    switch scan.scan(value.span, noting: &members) {
    case .end: return ("end \(scan.position)", "")
    case .fault(let words): return ("fault \(scan.position)", "\(words)")
    case .more: break
    }
  }
  return (scan.canEnd ? "can end" : "more", "")
}

/// The same by the plain way, which walks a byte at a time.
private func plainScan(_ value: [UInt8]) -> (outcome: String, words: String) {
  var scanner = JSONScanner()
  var position = 0
  switch scanner.scan(value.span, &position) {
  case .end: return ("end \(position)", "")
  case .fault(let words): return ("fault \(position)", "\(words)")
  case .more: return (scanner.canEnd ? "can end" : "more", "")
  }
}

extension JSONScan {
  /// Walks `bytes` in random chunks; whether they are one value.
  fileprivate mutating func walk(
    _ bytes: [UInt8], noting members: inout Members, _ random: inout SeededGenerator
  ) -> Bool {
    var read: [UInt8] = []
    for chunk in randomCuts(of: bytes, Int.random(in: 0...3, using: &random), using: &random) {
      read += chunk
      switch scan(read.span, noting: &members) {
      case .more: continue
      case .end: return position == bytes.count
      case .fault: return false
      }
    }
    return false
  }
}

/// Texts that valid and broken JSON are made of, most of them the parts of an object.
private let parts: [String] = [
  "{", "{\"a\":", "}", "}", "[", "]", "]", ",", ",\"b\":", ", ", ":", ": ", "\"x\"", "\"\"", "0",
  "-1", "12.5", "1e+3", "01", "1.", "-", "true", "false", "null", "nul", "\"é東🚆\"",
  "\"\\u00e9\\n\"",
  "\"\\x\"", "\"\\u12g\"", "\"\u{1}\"", "\"a\nb\"", " ", "\n", "\t ",
  "\"long enough for more than a chunk\"",
]

private let names: [StaticString] = ["a", "b", "type", "m0", "m1", "m2", ""]

/// A random value, valid in most cases.
private func value(_ depth: Int, _ random: inout SeededGenerator) -> String {
  switch Int.random(in: 0...9, using: &random) {
  case 0...2 where depth > 0: return object(depth - 1, &random)
  case 3 where depth > 0:
    let count = Int.random(in: 0...3, using: &random)
    return "[" + (0..<count).map { _ in value(depth - 1, &random) }.joined(separator: ", ") + "]"
  default: return parts.randomElement(using: &random) ?? ""
  }
}

private func object(_ depth: Int, _ random: inout SeededGenerator) -> String {
  let members = (0..<Int.random(in: 0...4, using: &random)).map { index in
    let name = ["a", "b", "type", "m\(index)", "m\\u0031", "é"].randomElement(using: &random) ?? ""
    return "\"\(name)\":" + value(depth, &random)
  }
  return "{" + members.joined(separator: ",") + "}"
}

@Suite struct JSONScanTests {
  @Test(
    arguments: [
      ("{}", "end 2"), ("[]", "end 2"), (" {\n} ", "end 4"), ("\"a\"", "end 3"),
      ("true", "end 4"), ("false", "end 5"), ("null", "end 4"), ("0", "can end"), ("-1", "can end"),
      ("12 ", "end 2"), ("1.5e+3,", "end 6"), ("0.0", "can end"), ("1E5", "can end"),
      ("{\"a\":1,\"b\":[1,2,{\"c\":null}]}x", "end 28"), ("[[[]],[]]", "end 9"),
      ("{ \"a\" : \"b\" , \"c\" : -0.5 }", "end 26"),
      ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", "end 24"),
      ("\"é😀\u{7F}\"", "end 9"), ("{\"a\":1}{", "end 7"),
      // Half a value.
      ("", "more"), (" ", "more"), ("{", "more"), ("[1", "more"), ("\"a", "more"), ("tru", "more"),
      ("-", "more"), ("1.", "more"), ("1e", "more"), ("1e+", "more"), ("\"\\", "more"),
      ("\"\\u12", "more"), ("{\"a\"", "more"), ("{\"a\":", "more"), ("{\"a\":1,", "more"),
      // What the grammar does not have.
      ("x", "fault 0"), ("{a", "fault 1"), ("{1", "fault 1"), ("[,", "fault 1"),
      ("[1,]", "fault 3"),
      ("{\"a\",", "fault 4"), ("{\"a\":1,}", "fault 7"), ("{\"a\":}", "fault 5"),
      ("[1 2", "fault 3"),
      ("[1}", "fault 2"), ("{\"a\":1]", "fault 6"), ("01", "end 1"), ("[01]", "fault 2"),
      ("-x", "fault 1"), ("1.x", "fault 2"), (".5", "fault 0"), ("+1", "fault 0"),
      ("1ex", "fault 2"),
      ("tRue", "fault 1"), ("nulL", "fault 3"), ("NaN", "fault 0"), ("'a'", "fault 0"),
      ("\"\\x", "fault 2"), ("\"\\u12g", "fault 5"), ("\"a\nb\"", "fault 2"),
      ("\"\u{0}\"", "fault 1"),
      ("[1.5.5]", "fault 4"), ("[1e5e5]", "fault 4"), ("[1e5.5]", "fault 4"), ("]", "fault 0"),
    ] as [(String, String)])
  func `a value is walked to its end or its fault, however it is cut`(
    text: String, expected: String
  ) {
    for chunks in splits(of: Array(text.utf8)) {
      #expect(scan(chunks).outcome == expected, "\(text) cut as \(chunks.map(\.count))")
    }
  }

  @Test func `brackets nest as deep as there are bytes`() {
    for depth in [63, 64, 65, 128, 129, 300_000] {
      let opening = (0..<depth).map { $0 % 3 == 0 ? "[" : "{\"a\":" }
      let closing = (0..<depth).reversed().map { $0 % 3 == 0 ? "]" : "}" }
      let text = Array((opening.joined() + "1" + closing.joined()).utf8)
      #expect(scan([text]).outcome == "end \(text.count)")
      #expect(scan([Array(text.dropLast())]).outcome == "more")
      var wrong = text
      wrong[text.count - depth / 2] = wrong[text.count - depth / 2] == 0x5D ? 0x7D : 0x5D
      #expect(scan([wrong]).outcome == "fault \(text.count - depth / 2)")
    }
  }

  @Test func `it finds what a walk from byte to byte finds, in the same words`() {
    var random = SeededGenerator()
    var whole = 0
    for _ in 0..<20_000 {
      var bytes = Array(value(4, &random).utf8)
      if !bytes.isEmpty, Int.random(in: 0...4, using: &random) == 0 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      let expected = plainScan(bytes)
      let chunks = randomCuts(of: bytes, Int.random(in: 0...3, using: &random), using: &random)
      let found = scan(chunks)
      #expect(
        found == expected,
        "\(String(decoding: bytes, as: UTF8.self)) cut as \(chunks.map(\.count)), seed \(random.seed)"
      )
      if expected.outcome.hasPrefix("end") { whole += 1 }
    }
    #expect(whole > 4000)
  }

  @Test func `it notes the outermost members, and whether all is UTF-8`() {
    var random = SeededGenerator()
    var found = 0
    for _ in 0..<20_000 {
      var bytes = Array(object(3, &random).utf8)
      if Int.random(in: 0...2, using: &random) == 0 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0x80...255, using: &random)
      }
      var scan = JSONScan()
      var members = Members()
      guard scan.walk(bytes, noting: &members, &random) else { continue }
      let isUTF8 = UTF8Repair.isValid(bytes.span)
      #expect(scan.isUTF8 == isUTF8, "\(bytes), seed \(random.seed)")
      for name in names {
        let expected = JSONChildren.value(of: name, in: bytes.span)
        let noted = members.value(of: name, in: bytes.span)
        #expect(
          noted == expected,
          "\(name) in \(String(decoding: bytes, as: UTF8.self)), seed \(random.seed)")
        if noted != nil { found += 1 }
      }
    }
    #expect(found > 1000)
  }

  @Test func `members are found however many there are`() {
    for count in [31, 32, 33, 70] {
      let text = "{" + (0..<count).map { "\"n\($0)\":\($0)," }.joined() + "\"type\":7,\"type\":8}"
      let bytes = Array(text.utf8)
      var scan = JSONScan()
      var members = Members()
      _ = scan.scan(bytes.span, noting: &members)
      let place = members.value(of: "type", in: bytes.span)
      #expect(place.map { String(decoding: bytes[$0], as: UTF8.self) } == "7")
      #expect(members.value(of: "none", in: bytes.span) == nil)
    }
  }
}
