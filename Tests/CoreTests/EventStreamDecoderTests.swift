import Core
import TestSupport
import Testing

/// What a decoder finds in an input that comes in chunks, one line of text for each thing.
private func found(_ chunks: [[UInt8]], limit: Int = 0, flushes: Bool = false) -> [String] {
  var decoder = EventStreamDecoder(limit: limit)
  var input = InputBuffer()
  var texts: [String] = []
  for chunk in chunks {
    input.append(chunk.span)
    while let found = decoder.next(&input) { texts.append(text(found, decoder, input)) }
  }
  if flushes, decoder.hasRest(input), let found = decoder.flush(&input) {
    texts.append("flushed " + text(found, decoder, input))
  }
  return texts
}

private func text(
  _ found: EventStreamDecoder.Found, _ decoder: borrowing EventStreamDecoder,
  _ input: borrowing InputBuffer
) -> String {
  switch found {
  case .event:
    let data = String(decoding: decoder.data, as: UTF8.self)
    let name = String(decoding: decoder.name, as: UTF8.self)
    let id = String(decoding: decoder.lastID, as: UTF8.self)
    let retry = decoder.retry.map { " retry \($0)" } ?? ""
    return "\(name)|\(data)|\(id)\(retry) at \(decoder.blockPlace.line):\(decoder.blockPlace.byte)"
  case .comment(let range):
    return "comment " + String(decoding: input.bytes.span.extracting(range))
  case .fault(.unknownField(let range)):
    return "unknown " + String(decoding: input.bytes.span.extracting(range))
  case .fault(.nulInID): return "NUL in id"
  case .fault(.badRetry): return "bad retry"
  case .fault(.blockWithoutData): return "no data"
  case .oversized: return "oversized"
  }
}

@Suite struct EventStreamDecoderTests {
  @Test(arguments: [
    // The examples of the HTML standard, section 9.2.6.
    ("data: YHOO\ndata: +2\ndata: 10\n\n", ["|YHOO\n+2\n10| at 1:0"]),
    (
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n",
      ["comment  test stream", "|first event|1 at 3:15", "|second event| at 6:40"]
    ),
    ("data\n\ndata\ndata\n\ndata:", ["|| at 1:0", "|\n| at 3:6"]),
    ("data:test\n\ndata: test\n\n", ["|test| at 1:0", "|test| at 3:11"]),
    // Lines end at LF, CR and CR LF, and nowhere else.
    ("data: a\rdata: b\r\ndata: c\n\r", ["|a\nb\nc| at 1:0"]),
    ("data: a\u{2028}b\u{85}c\u{0B}d\n\n", ["|a\u{2028}b\u{85}c\u{0B}d| at 1:0"]),
    ("data: a\r\r\ndata: b\r\n\r\n", ["|a| at 1:0", "|b| at 3:10"]),
    // One byte order mark at the very start is passed over.
    ("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", ["|a| at 1:3", "unknown \u{FEFF}data: b"]),
    ("\u{FEFF}\u{FEFF}data: a\n\n", ["unknown \u{FEFF}data: a"]),
    // One space behind the colon goes, no more.
    ("data:  a \n\n", ["| a | at 1:0"]), ("data:\ta\n\n", ["|\ta| at 1:0"]),
    // A name holds for its block, an id until the next.
    (
      "event: x\ndata: 1\n\ndata: 2\n\nid: 7\ndata: 3\n\ndata: 4\n\n",
      ["x|1| at 1:0", "|2| at 4:18", "|3|7 at 6:27", "|4|7 at 9:42"]
    ),
    ("event: x\nevent: y\ndata: 1\n\n", ["y|1| at 1:0"]),
    ("event: x\n\ndata: 1\n\n", ["no data", "|1| at 3:10"]),
    ("id: 1\n\ndata: a\n\n", ["|a|1 at 3:7"]),
    ("id: a\u{0}b\ndata: 1\n\n", ["NUL in id", "|1| at 1:0"]),
    // A time counts at once, from digits only, and is cut to what a double keeps exact.
    ("retry: 10\ndata: a\n\n", ["|a| retry 10 at 1:0"]),
    ("retry: 1x\nretry:\ndata: a\n\n", ["bad retry", "bad retry", "|a| at 1:0"]),
    (
      "retry: 99999999999999999999\ndata: a\n\n", ["|a| retry 9007199254740991 at 1:0"]
    ),
    // Names are compared by their bytes.
    (
      "Data: a\ndata : b\n data: c\n\n",
      ["unknown Data: a", "unknown data : b", "unknown  data: c"]
    ),
    ("d:a:: b\ndata: 1\n\n", ["unknown d:a:: b", "|1| at 1:0"]),
    (":\n:x\n", ["comment ", "comment x"]),
  ])
  func `a stream parses as the standard says, however it is cut`(
    stream: String, expected: [String]
  ) {
    for chunks in splits(of: Array(stream.utf8)) {
      #expect(found(chunks) == expected, "cut as \(chunks.map(\.count))")
    }
  }

  @Test(arguments: [
    ("data: a\n", ["flushed |a| at 1:0"]), ("data: a", ["flushed |a| at 1:0"]),
    ("data: a\n\ndata: b\nda", ["|a| at 1:0", "flushed |b| at 3:9"]),
    ("data: a\n\n", ["|a| at 1:0"]), ("data: a\n\n: x", ["|a| at 1:0"]),
    ("\u{FEFF}", []), ("event: x\n", ["flushed no data"]),
  ])
  func `a block without its blank line is there to be flushed`(
    stream: String, expected: [String]
  ) {
    for chunks in splits(of: Array(stream.utf8)) {
      #expect(found(chunks, flushes: true) == expected, "cut as \(chunks.map(\.count))")
    }
  }

  @Test(arguments: [
    ("data: 12345678\n\ndata: 123\n\n", ["oversized", "|123| at 3:16"]),
    ("data: 1234\ndata: 1234\n\ndata: 1\n\n", ["oversized", "|1| at 4:23"]),
    ("data: 123\ndata: 123\n\n", ["|123\n123| at 1:0"]),
    ("data: 123\ndata: 1234\n\n", ["oversized"]),
    ("event: x\ndata: 123\n\n", ["x|123| at 1:0"]),
    ("event: 12345678\ndata: 1\n\ndata: 2\n\n", ["oversized", "|2| at 4:25"]),
    (": 1234567890123\ndata: 1\n\n", ["|1| at 2:16"]),
    ("data:12345678\n\n", ["oversized"]), ("data:1234567\n\n", ["|1234567| at 1:0"]),
  ])
  func `a block over the limit is passed over, and the rest comes out`(
    stream: String, expected: [String]
  ) {
    for chunks in splits(of: Array(stream.utf8)) {
      #expect(found(chunks, limit: 7) == expected, "cut as \(chunks.map(\.count))")
    }
  }

  @Test func `random streams parse as a plain reading of the standard does`() {
    var generator = SeededGenerator()
    let pieces = [
      "data: a", "data:", "data", "\n", "\n", "\n\n", "\r", "\r\n", "event: x", "id: 1", "id", ":c",
      "retry: 5", "x", " ", "é", "\u{FEFF}", "data: {}",
    ]
    for _ in 0..<2000 {
      let count = Int.random(in: 0...14, using: &generator)
      let stream = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let bytes = Array(stream.utf8)
      let cut = found(randomCuts(of: bytes, 4, using: &generator)).filter { $0.hasPrefix("|") }
      let named = found([bytes]).filter { $0.contains("|") && !$0.hasPrefix("unknown") }
      #expect(named.map(withoutPlace) == plain(stream), "\(stream.debugDescription)")
      #expect(
        cut == found([bytes]).filter { $0.hasPrefix("|") },
        "\(stream.debugDescription), seed \(generator.seed)")
    }
  }

  private func withoutPlace(_ text: String) -> String {
    text.split(separator: " at ", maxSplits: 1).first.map(String.init) ?? text
  }

  /// The events of `stream`, read line by line with no thought for speed.
  private func plain(_ stream: String) -> [String] {
    var scalars = Array(stream.unicodeScalars)
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    var lines: [[Unicode.Scalar]] = [[]]
    var index = 0
    while index < scalars.count {
      if scalars[index] == "\r" || scalars[index] == "\n" {
        if scalars[index] == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" {
          index += 1
        }
        lines.append([])
      } else {
        lines[lines.count - 1].append(scalars[index])
      }
      index += 1
    }
    var events: [String] = []
    var (data, name, id, blockID) = ([String](), "", "", "")
    var retry = ""
    for line in lines.dropLast().map({ String(String.UnicodeScalarView($0)) }) {
      if line.isEmpty {
        id = blockID
        if !data.isEmpty { events.append("\(name)|\(data.joined(separator: "\n"))|\(id)\(retry)") }
        (data, name) = ([], "")
        continue
      }
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      var value = parts.count > 1 ? String(parts[1]) : ""
      if value.unicodeScalars.first == " " { value.unicodeScalars.removeFirst() }
      switch Array(parts[0].utf8) {
      case Array("data".utf8): data.append(value)
      case Array("event".utf8): name = value
      case Array("id".utf8): blockID = value
      case Array("retry".utf8): if !value.isEmpty, Int(value) != nil { retry = " retry \(value)" }
      default: break
      }
    }
    return events
  }
}
