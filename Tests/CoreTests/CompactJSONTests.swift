import Core
import TestSupport
import Testing

/// Texts that valid and broken JSON are made of, most of them the parts of an object.
private let parts: [String] = [
  "{", "{\"a\":", "}", "}", "[", "]", "]", ",", ",\"b\":", ", ", ":", ": ", "\"x\"", "\"\"", "0",
  "-1", "12.5", "1e+3", "01", "1.", "-", "true", "false", "null", "nul", "\"é東🚆\"",
  "\"\\u00e9\\n\"",
  "\"\\x\"", "\"\u{1}\"", "\"a\nb\"", " ", "\n", "\"long enough for more than one chunk\"",
]

/// A random object, valid in most cases.
private func object(_ depth: Int, _ random: inout SeededGenerator) -> String {
  let members = (0..<Int.random(in: 0...3, using: &random)).map { index in
    let space = Int.random(in: 0...9, using: &random) == 0 ? " " : ""
    return "\"m\(index)\":\(space)" + value(depth, &random)
  }
  return "{" + members.joined(separator: ",") + "}"
}

private func value(_ depth: Int, _ random: inout SeededGenerator) -> String {
  switch Int.random(in: 0...9, using: &random) {
  case 0 where depth > 0: return object(depth - 1, &random)
  case 1 where depth > 0:
    let count = Int.random(in: 0...3, using: &random)
    return "[" + (0..<count).map { _ in value(depth - 1, &random) }.joined(separator: ", ") + "]"
  default: return parts.randomElement(using: &random) ?? ""
  }
}

@Suite struct CompactJSONTests {
  @Test(
    arguments: [
      ("{}", true), (#"{"a":"b"}"#, true), (#"{"a": 1, "b":[1,2, {}],"c":{"d":null}}"#, true),
      (#"{"a":-0.5e-7,"b":true,"c":false,"d":[[]]}"#, true), (#"{"é":"東\\\"🚆\u00e9"}"#, true),
      (#"{"a":01}"#, false), (#"{"a":1.}"#, false), (#"{"a":-}"#, false), (#"{"a":1e}"#, false),
      (#"{"a":}"#, false), (#"{"a"}"#, false), (#"{"a":1,}"#, false), (#"{"a":[1,]}"#, false),
      (#"{"a":[1}"#, false), (#"{"a":1]"#, false), (#"{"a":tru}"#, false), (#"{"a":"\x"}"#, false),
      (#"{"a":"\u12g4"}"#, false), ("{\"a\":\"\n\"}", false), (#"{"a":"b""#, false), ("", false),
      ("[]", true), (#"[{"a":[]},1]"#, true), ("[", false), ("1}", false), ("{,}", false),
      (#"{"a":1"b":2}"#, false),
      // Valid, but not written compactly enough.
      ("{ }", false), ("{\"a\":\n1}", false), ("{\"a\":  1}", false), ("{\"a\":1 }", false),
    ] as [(String, Bool)])
  func `what is written as servers do is taken`(text: String, isTaken: Bool) {
    let bytes = Array(text.utf8)
    let end = CompactJSON.end(of: bytes.span, at: 0)
    #expect(end == (isTaken ? bytes.count : nil))
    for count in bytes.indices {
      let part = Array(bytes[..<count])
      let found = CompactJSON.end(of: part.span, at: 0)
      #expect(found == nil, "\(count)")
    }
  }

  /// The walk from byte to byte that the search for 64 at a time must come to.
  private func endByWalk(_ bytes: [UInt8], from start: Int) -> Int? {
    var (index, depth, isInside) = (start, 1, false)
    while index < bytes.count {
      switch bytes[index] {
      case ..<0x20: return nil
      case ASCII.backslash:
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0
        if next == ASCII.quote || next == ASCII.backslash { index += 1 }
      case ASCII.quote: isInside.toggle()
      case ASCII.openBrace where !isInside: depth += 1
      case ASCII.closeBrace where !isInside:
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
      index += 1
    }
    return nil
  }

  @Test func `the end of an object is told from its braces, but for those in strings`() {
    var random = SeededGenerator(seed: 11)
    let letters = Array(#"{}{}"\\"aaaaaaaaaaaaaaaaaaaaaaaaaaaa|~:,é"#.utf8)
    for _ in 0..<5_000 {
      var bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in
        letters[Int.random(in: 0..<letters.count, using: &random)]
      }
      if let place = bytes.indices.randomElement(using: &random), place % 4 == 0 {
        bytes[place] = 9
      }
      let start = Int.random(in: 0...min(bytes.count, 70), using: &random)
      #expect(
        bytes.span.endOfObject(from: start) == endByWalk(bytes, from: start),
        "\(String(decoding: bytes, as: UTF8.self)) from \(start)")
    }
  }

  @Test func `nesting is followed 63 deep`() {
    for (depth, isTaken) in [(62, true), (63, true), (64, false), (300, false)] {
      let bytes =
        Array((String(repeating: "{\"a\":", count: depth - 1) + "{}").utf8)
        + [UInt8](repeating: ASCII.closeBrace, count: depth - 1)
      let end = CompactJSON.end(of: bytes.span, at: 0)
      #expect((end == bytes.count) == isTaken, "\(depth)")
    }
  }

  @Test func `what it takes is valid JSON and UTF-8, and it takes what has no odd white space`() {
    var random = SeededGenerator()
    var taken = 0
    for _ in 0..<20_000 {
      var bytes = Array(object(4, &random).utf8)
      if Int.random(in: 0...4, using: &random) == 0 {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] = .random(in: 0...255, using: &random)
      }
      var end = 0
      var scanner = JSONScanner()
      let isWhole = if case .end = scanner.scan(bytes.span, &end) { true } else { false }
      let isValid = isWhole && UTF8Repair.isValid(bytes.span.extracting(0..<end))
      let found = CompactJSON.end(of: bytes.span, at: 0)
      let text = "\(String(decoding: bytes, as: UTF8.self)), seed \(random.seed)"
      if let found {
        #expect(isValid && found == end, "\(text)")
        taken += 1
      } else if isValid {
        #expect(
          ![ASCII.openBrace, ASCII.openBracket].contains(bytes[0]) || hasOddSpace(bytes), "\(text)")
      }
    }
    #expect(taken > 5000)
  }

  /// Whether there is white space that is no single space behind a comma or colon.
  private func hasOddSpace(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in
      guard ASCII.isSpace(bytes[index]) else { return false }
      guard bytes[index] == ASCII.space, index > 0 else { return true }
      return bytes[index - 1] != ASCII.comma && bytes[index - 1] != ASCII.colon
    }
  }
}
