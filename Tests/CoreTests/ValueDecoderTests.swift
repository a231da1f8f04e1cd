import Core
import TestSupport
import Testing

/// What a decoder finds in an input that comes in chunks, one line of text for each thing.
private func found(
  _ chunks: [[UInt8]], limit: Int = 0
) -> [String] {
  var decoder = ValueDecoder(limit: limit)
  var members = Members()
  var input = InputBuffer()
  var texts: [String] = []
  for chunk in chunks {
    input.append(chunk.span)
    while let found = decoder.next(&input, isEnd: false, noting: &members) {
      texts.append(text(found, decoder, input))
      if case .field = found { return texts }
    }
  }
  while let found = decoder.next(&input, isEnd: true, noting: &members) {
    texts.append(text(found, decoder, input))
    if case .field = found { break }
  }
  return texts
}

private func text(
  _ found: ValueDecoder.Found, _ decoder: borrowing ValueDecoder,
  _ input: borrowing InputBuffer
) -> String {
  let place = "\(decoder.place.line):\(decoder.place.byte) "
  switch found {
  case .value(let range): return place + String(decoding: input.bytes.span.extracting(range))
  case .text(let range):
    return place + "text " + String(decoding: input.bytes.span.extracting(range))
  case .broken(let range, let expected):
    let text = String(decoding: input.bytes.span.extracting(range))
    return place + (expected == nil ? "further " : "broken ") + text
  case .cut(let range): return place + "cut " + String(decoding: input.bytes.span.extracting(range))
  case .oversized: return place + "oversized"
  case .mark: return place + "mark"
  case .field: return place + "field"
  }
}

/// A JSON value in the forms that programs print.
private indirect enum Tree: Sendable {
  case number(Int)
  case object([(String, Tree)])
  case array([Tree])

  /// The tree on lines of its own, each step `step` further in than `indent`.
  func pretty(_ step: String, _ indent: String = "") -> String {
    let inner = indent + step
    switch self {
    case .number(let number): return "\(number)"
    case .object(let members):
      let lines = members.map { "\(inner)\"\($0)\": \($1.pretty(step, inner))" }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    case .array(let elements):
      let lines = elements.map { inner + $0.pretty(step, inner) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    }
  }

  /// The tree on one line.
  var compact: String { pretty("").replacing(/[\n ]/, with: "") }

  /// An event that has objects and arrays in it.
  static func event(_ number: Int) -> Tree {
    let deep = Tree.array([.object([("d", .number(3))]), .array([.object([("e", .number(4))])])])
    return .object([
      ("n", .number(number)),
      ("a", .object([("b", .array([.object([("c", .number(1))]), deep]))])),
      ("f", .array([.object([("g", .number(5))])])),
    ])
  }
}

@Suite struct ValueDecoderTests {
  @Test(arguments: [
    ("", []), (" \n\n", []),
    ("{\"a\":1}\n{\"b\":2}\n", ["1:0 {\"a\":1}", "2:8 {\"b\":2}"]),
    ("{\"a\":1}\r\n\r\n{\"b\":2}", ["1:0 {\"a\":1}", "3:11 {\"b\":2}"]),
    ("{\n \"a\": {\n }\n}\n{\n}\n", ["1:0 {\n \"a\": {\n }\n}", "5:15 {\n}"]),
    ("{}{} []1\n\"a\"", ["1:0 {}", "1:2 {}", "1:7 text 1", "2:9 text \"a\""]),
    // Brackets and commas at the top are passed over.
    ("[{\"a\":1}, {\"b\":2}]\n{}", ["1:1 {\"a\":1}", "1:10 {\"b\":2}", "2:19 {}"]),
    ("[[{}],[]] {}", ["1:2 {}", "1:10 {}"]), ("[{}", ["1:1 {}"]), ("[1,2\n", ["1:1 text 1,2"]),
    ("{}\n[\n{\"a\":1}\n{\"b\":2}", ["1:0 {}", "3:5 {\"a\":1}", "4:13 {\"b\":2}"]),
    ("]{},,{}", ["1:1 {}", "1:5 {}"]), ("[\n  {}\n, {}\n]", ["2:4 {}", "3:9 {}"]),
    // Separators (RFC 7464) and byte order marks before a value are nothing.
    ("\u{1E}{\"a\":1}\n\u{1E}[1]\n", ["1:1 {\"a\":1}", "2:11 text 1"]),
    ("{\"a\":1}\n\u{FEFF}\u{FEFF}{\"b\":2}\n\u{FEFF}", ["1:0 {\"a\":1}", "2:14 {\"b\":2}"]),
    // The mark.
    ("{}\n[DONE]\n", ["1:0 {}", "2:3 mark"]), ("{} [DONE] {}", ["1:0 {}", "1:3 mark", "1:10 {}"]),
    ("[DON", ["1:1 text DON"]),
    // Text that begins with no { costs its line.
    ("{\"a\":1}\nno {}\n{\"b\":2}\n", ["1:0 {\"a\":1}", "2:8 text no {}", "3:14 {\"b\":2}"]),
    ("{\"a\":1}x \r\n{\"b\":2}", ["1:0 {\"a\":1}", "1:7 text x", "2:11 {\"b\":2}"]),
    ("1 {}\n2: {}\n{}", ["1:0 text 1 {}", "2:5 text 2: {}", "3:11 {}"]),
    ("  \"a\": {\n {}\n}", ["1:2 text \"a\": {", "2:10 {}", "3:13 text }"]),
    // An event stream goes on where JSON began.
    ("{}\ndata: {}\n", ["1:0 {}", "2:3 field"]),
    ("{\"a\":[1\n2\n:\n", ["1:0 broken {\"a\":[1", "2:8 further 2", "3:10 field"]),
    ("{} data: {}\n  data: {}", ["1:0 {}", "1:3 text data: {}", "2:14 text data: {}"]),
  ])
  func `values come one after another, however they are laid out and cut`(
    stream: String, expected: [String]
  ) {
    for chunks in splits(of: Array(stream.utf8)) {
      #expect(found(chunks) == expected, "cut as \(chunks.map(\.count))")
    }
  }

  @Test(arguments: [
    // The fault is seen at once, or far behind the next value.
    ("{\"b\":\"x\n{\"c\":3}", ["1:0 broken {\"b\":\"x", "2:8 {\"c\":3}"]),
    ("{\"b\":1,\n{\"c\":3}", ["1:0 broken {\"b\":1,", "2:8 {\"c\":3}"]),
    ("{\"b\":\n{\"c\":3}\n{}", ["1:0 broken {\"b\":", "2:6 {\"c\":3}", "3:14 {}"]),
    (" {\"b\":[1\n,{\"c\":3}\n, {}", ["1:1 broken {\"b\":[1", "2:10 {\"c\":3}", "3:20 {}"]),
    // A value ends at the first line that stands no further in than its own { does.
    (
      "{\n  \"a\": !,\n  \"b\": {\n  }\n}\n\n{}",
      [
        "1:0 broken {", "2:4 further \"a\": !,", "3:14 further \"b\": {", "4:23 further }",
        "5:25 further }", "7:28 {}",
      ]
    ),
    ("  {\"a\"\n {}\n{}", ["1:2 broken {\"a\"", "2:8 {}", "3:11 {}"]),
    ("{} {\"a\"\n  {}\n{}", ["1:0 {}", "1:3 broken {\"a\"", "2:10 {}", "3:13 {}"]),
    ("{\"a\"\n {}\n{}", ["1:0 broken {\"a\"", "2:6 further {}", "3:9 {}"]),
    ("\t{\"a\"\n\t\t{}\n\t{}", ["1:1 broken {\"a\"", "2:8 further {}", "3:12 {}"]),
    // The [ of the next array counts, too.
    ("{\"a\"\n[\n  {}\n]", ["1:0 broken {\"a\"", "3:9 {}"]),
    ("[{\"a\"\n,[ {}", ["1:1 broken {\"a\"", "2:9 {}"]),
    ("{\"a\"\n], {}", ["1:0 broken {\"a\"", "2:5 further ], {}"]),
    ("{\"a\"\n[DONE]\n{}", ["1:0 broken {\"a\"", "2:5 mark", "3:12 {}"]),
    // Of broken values that follow each other the furthest counts, up to a whole one.
    (
      "{} {\"a\"\n{\"b\"\n  {}\n{\"c\"\n {}\n{}",
      [
        "1:0 {}", "1:3 broken {\"a\"", "2:8 broken {\"b\"", "3:15 {}", "4:18 broken {\"c\"",
        "5:24 further {}", "6:27 {}",
      ]
    ),
    ("\u{1E}{\"a\":\n\u{1E}{\"b\":2}\n", ["1:1 broken {\"a\":", "2:8 {\"b\":2}"]),
    // The end of the input cuts a value, unless a line of another stands in it.
    ("{\"a\":", ["1:0 cut {\"a\":"]), ("{\"a\":tr", ["1:0 cut {\"a\":tr"]),
    (
      "{}\n{\n  \"a\": [\n   {\n",
      ["1:0 {}", "2:3 cut {", "3:7 further \"a\": [", "4:17 further {"]
    ),
    ("{\"a\":\n{\"b\":2}", ["1:0 broken {\"a\":", "2:6 {\"b\":2}"]),
    ("{\"a\":\n{\"b\":", ["1:0 broken {\"a\":", "2:6 cut {\"b\":"]),
    ("{\"a\":\"x\n", ["1:0 broken {\"a\":\"x"]),
    ("tru", ["1:0 text tru"]), ("{\"a\":]}\n\n{}", ["1:0 broken {\"a\":]}", "3:9 {}"]),
  ])
  func `a broken value takes no neighbour with it`(stream: String, expected: [String]) {
    for chunks in splits(of: Array(stream.utf8)) {
      #expect(found(chunks) == expected, "cut as \(chunks.map(\.count))")
    }
  }

  @Test(arguments: [
    ("{\"a\":123456}\n{\"b\":2}", ["1:0 oversized", "2:13 {\"b\":2}"]),
    ("{\"a\":[1,\n2,3,\n4]}\n{\"b\":2}", ["1:0 oversized", "4:18 {\"b\":2}"]),
    ("{\"a\":123456x\n{\"b\":2}", ["1:0 oversized", "2:13 {\"b\":2}"]),
    ("{\"a\":123456x\n \n{\"b\":2}", ["1:0 oversized", "3:15 {\"b\":2}"]),
    ("abcdefghij\n{\"b\":2}", ["1:0 oversized", "2:11 {\"b\":2}"]),
  ])
  func `a value over the limit is passed over, and the rest comes out`(
    stream: String, expected: [String]
  ) {
    for chunks in splits(of: Array(stream.utf8)) {
      #expect(found(chunks, limit: 7) == expected, "cut as \(chunks.map(\.count))")
    }
  }

  @Test func `a value nested deeper than 256 is broken there`() {
    func nested(_ depth: Int) -> String {
      "{\"a\":" + String(repeating: "[", count: depth - 1)
        + String(repeating: "]", count: depth - 1) + "}"
    }
    for (depth, isWhole) in [
      (31, true), (32, true), (33, true), (65, true), (256, true), (257, false), (300_000, false),
    ] {
      let text = nested(depth)
      let broken = isWhole ? "" : "broken "
      #expect(
        found([Array((text + "\n{}").utf8)]) == [
          "1:0 \(broken)\(text)", "2:\(text.utf8.count + 1) {}",
        ])
    }
  }

  /// Eight events in a form, the lines of each between marks that are no part of it.
  private static let forms: [(name: String, text: @Sendable ([Tree]) -> String)] = [
    ("NDJSON", { $0.map { $0.compact + "\n" }.joined() }),
    ("indented NDJSON", { $0.map { "  \($0.compact)\n" }.joined() }),
    (
      "two on a line",
      { $0.enumerated().map { $1.compact + ($0 % 2 == 0 ? " " : "\n") }.joined() }
    ),
    ("jq", { $0.map { $0.pretty("  ") + "\n" }.joined() }),
    ("jq --tab", { $0.map { $0.pretty("\t") + "\n" }.joined() }),
    ("jq -s", { Tree.array($0).pretty("  ") + "\n" }),
    ("comma first", { "[ " + $0.map(\.compact).joined(separator: "\n, ") + "\n]\n" }),
    (
      "an array that breaks off, and another",
      { events in
        let halves = [Tree.array(Array(events[..<4])), .array(Array(events[4...]))]
        return halves[0].pretty("  ").dropLast(2) + "\n" + halves[1].pretty("  ")
      }
    ),
  ]

  @Test(arguments: forms.indices)
  func `no event is lost to a break, and no object in one is taken for one`(form: Int) {
    let events = (0..<8).map { Tree.event(100 + $0) }
    let lines = Self.forms[form].text(events).split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map(String.init)
    let wanted = events.map(\.compact)
    func values(_ lines: [String]) -> [String] {
      let things = found([Array(lines.joined(separator: "\n").utf8)])
      let texts = things.map { $0.drop { $0 != " " }.dropFirst() }
      return texts.filter { $0.hasPrefix("{") }.map { String($0.replacing(/[\n\t ]/, with: "")) }
    }
    #expect(values(lines) == wanted)
    var generator = SeededGenerator()
    for _ in 0..<400 {
      var broken = lines
      let index = Int.random(in: lines.indices, using: &generator)
      let line = lines[index]
      let start = line.prefix { " \t,[".contains($0) }.count + 1
      guard line.count > start else { continue }
      // The line breaks off, or a byte in it is another one.
      let place = Int.random(in: start..<line.count, using: &generator)
      let rest = Bool.random(using: &generator) ? "" : "!" + line.dropFirst(place + 1)
      broken[index] = line.prefix(place) + rest
      let got = values(broken)
      let left = got.filter { !wanted.contains($0) }
      // Of two on a line both may be hit.
      let lost = wanted.filter { !got.contains($0) }
      let how =
        "\(Self.forms[form].name), line \(index) at \(place): \(broken[index]), seed \(generator.seed)"
      #expect(
        lost.count <= 2 && left.allSatisfy { $0.contains("\"a\":") || $0.contains("\"f\":") },
        "\(how)")
    }
  }

  @Test func `random texts come out the same however they are cut`() {
    var generator = SeededGenerator()
    let pieces = [
      "{", "}", "{\"a\":1}", "{\"b\":{}}", "{\"c\":\"}", "\"", "[", "]", ",", " ", "\n", "\n",
      "\r\n", "1", "]}", "data: {}", "\n{", "\n [",
      ":", "!", "{\"d\":[1,{}]}", "[DONE]", "\t", "\u{0}", "|", "\\",
    ]
    for _ in 0..<4000 {
      let count = Int.random(in: 0...12, using: &generator)
      let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let bytes = Array(text.utf8)
      let limit = [0, 0, 9].randomElement(using: &generator) ?? 0
      let whole = found([bytes], limit: limit)
      let cuts = [bytes.map { [$0] }, randomCuts(of: bytes, 3, using: &generator)]
      for chunks in cuts {
        #expect(
          found(chunks, limit: limit) == whole,
          "\(text.debugDescription), limit \(limit), cut as \(chunks.map(\.count)), seed \(generator.seed)"
        )
      }
    }
  }
}
