import Core
import TestSupport
import Testing
import oresp_text

private typealias Stream = TextStream

/// Deltas like those before are read in a short way; it must come to the same.
@Suite struct DeltaTemplateTests {
  /// A delta, and one with the same members in another order, which is no template for the first.
  private static let shapes = [
    (
      #"{"type":"response.output_text.delta","sequence_number":10,"output_index":0,"content_index":0,"delta":"ab","logprobs":[],"obfuscation":"xyz"}"#,
      #"{"type":"response.output_text.delta","output_index":0,"sequence_number":10,"content_index":0,"delta":"ab","logprobs":[],"obfuscation":"xyz"}"#
    ),
    (
      #"{"content_index":0,"delta":"ab","output_index":0,"sequence_number":10,"type":"response.output_text.delta"}"#,
      #"{"delta":"ab","content_index":0,"output_index":0,"sequence_number":10,"type":"response.output_text.delta"}"#
    ),
  ]

  private static func outcome(_ first: String, _ line: [UInt8]) -> Outcome {
    feed(
      Stream.filter(AnswerFilter.Settings()),
      [Array(String(repeating: first + "\n", count: 3).utf8) + line + [0x0A] + line + [0x0A]])
  }

  @Test(arguments: [
    (#""ab""#, #""é\u00e9\n""#), ("10", "9223372036854775808123"), ("10", "07"), ("10", "-1"),
    ("10", "1.5"), ("10", "\"1\""), (#""ab""#, "null"), (#""ab""#, #""a\x""#), (#""ab""#, #""a"#),
    ("}", "} "), ("}", "}}"), ("}", ",\"delta\":\"c\"}"),
    ("\"output_index\":0", "\"output_index\":1"),
    (#"{"#, #"{"delta":"c","#),
  ])
  func `a delta that differs in one place comes to the same`(place: String, other: String) {
    for (like, unlike) in Self.shapes {
      let line = Array(like.replacing(place, with: other, maxReplacements: 1).utf8)
      #expect(Self.outcome(like, line) == Self.outcome(unlike, line))
    }
  }

  @Test func `deltas behind the end of their text come to the same however they were read`() {
    let item = #""type":"message","id":"m","content":[]}"#
    let deltas = (2...4).map { number in
      #"{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"#
        + #""delta":"\#(number)","sequence_number":\#(number)}"#
    }
    let lines =
      [#"{"type":"response.output_item.added","output_index":0,"item":{\#(item)}"#] + deltas
      + [#"{"type":"response.output_item.done","output_index":0,"item":{\#(item)}"#] + deltas
    let expected = Outcome("234\n2\n3\n4\n")
    let stream = lines.map { $0 + "\n" }.joined()
    let wrong = mismatches(feeding: stream, expecting: expected) {
      Stream.filter(AnswerFilter.Settings())
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(3).joined(separator: "\n"))")
  }

  @Test func `deltas that are broken anywhere come to the same`() {
    var generator = SeededGenerator()
    for (like, unlike) in Self.shapes {
      for _ in 0..<400 {
        var line = Array(like.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let index = Int.random(in: 0..<line.count, using: &generator)
          let byte = Array("\"\\{}[],:0a1 \u{1}é".utf8).randomElement(using: &generator) ?? 0
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: line.remove(at: index)
          case 1: line.insert(byte, at: index)
          default: line[index] = byte
          }
        }
        let (short, long) = (Self.outcome(like, line), Self.outcome(unlike, line))
        #expect(short == long, "seed \(generator.seed): \(String(decoding: line, as: UTF8.self))")
      }
    }
  }
}
