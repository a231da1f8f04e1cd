import Core
import TestSupport
import Testing

/// What a decoder finds in an input that comes in chunks, one line of text for each thing.
private func found(
  _ chunks: [[UInt8]], limit: Int = 0
) -> [String] {
  var decoder = JSONTextDecoder(limit: limit)
  var members = Members()
  var input = InputBuffer()
  var texts: [String] = []
  for chunk in chunks {
    input.append(chunk.span)
    while let found = decoder.next(&input, isEnd: false, noting: &members) {
      texts.append(text(found, decoder, input))
    }
  }
  while let found = decoder.next(&input, isEnd: true, noting: &members) {
    texts.append(text(found, decoder, input))
  }
  return texts
}

private func text(
  _ found: JSONTextDecoder.Found, _ decoder: borrowing JSONTextDecoder,
  _ input: borrowing InputBuffer
) -> String {
  let place = "\(decoder.place.line):\(decoder.place.byte) "
  switch found {
  case .value(let range): return place + String(decoding: input.bytes.span.extracting(range))
  case .broken(let range, _):
    return place + "broken " + String(decoding: input.bytes.span.extracting(range))
  case .oversized: return place + "oversized"
  }
}

@Suite struct JSONTextDecoderTests {
  @Test(arguments: [
    ("", []), (" \n\n", []),
    ("{\"a\":1}\n{\"b\":2}\n", ["1:0 {\"a\":1}", "2:8 {\"b\":2}"]),
    ("{\"a\":1}\r\n\r\n{\"b\":2}", ["1:0 {\"a\":1}", "3:11 {\"b\":2}"]),
    ("{\n \"a\": {\n }\n}\n{\n}\n", ["1:0 {\n \"a\": {\n }\n}", "5:15 {\n}"]),
    ("{}{} []1 \"a\"", ["1:0 {}", "1:2 {}", "1:7 1", "1:9 \"a\""]),
    // A broken line costs itself only.
    ("{\"a\":1}\nno\n{\"b\":2}\n", ["1:0 {\"a\":1}", "2:8 broken no", "3:11 {\"b\":2}"]),
    (
      "{\"a\":1}\n{\"b\":\"x\n{\"c\":3}",
      ["1:0 {\"a\":1}", "2:8 broken {\"b\":\"x", "3:16 {\"c\":3}"]
    ),
    (
      "{\"a\":1}\n{\"b\":1,\n{\"c\":3}",
      ["1:0 {\"a\":1}", "2:8 broken {\"b\":1,", "3:16 {\"c\":3}"]
    ),
    ("{\"a\":1}x\n{\"b\":2}", ["1:0 {\"a\":1}", "1:7 broken x", "2:9 {\"b\":2}"]),
    ("{\"a\":", ["1:0 broken {\"a\":"]), ("[1,2\n", ["1:1 1", "1:3 2", "2:5 broken "]),
    // So does an array whose elements no comma separates.
    (
      "{\"a\":1}\n[\n{\"b\":2}\n{\"c\":3}\n{\"d\":4}\n",
      ["1:0 {\"a\":1}", "3:10 {\"b\":2}", "2:8 broken ", "4:18 {\"c\":3}", "5:26 {\"d\":4}"]
    ),
    ("[1\n{}\n{}", ["1:1 1", "1:0 broken ", "2:3 {}", "3:6 {}"]),
    (
      "[{\"a\":1} {\"b\":2}]\n{}\n{\"c\":3}",
      ["1:1 {\"a\":1}", "1:9 broken {\"b\":2}]", "2:18 {}", "1:0 broken ", "3:21 {\"c\":3}"]
    ),
    ("{\"a\":]}\n\n{}", ["1:0 broken {\"a\":]}", "3:9 {}"]),
    // Separators (RFC 7464) and byte order marks before a value are nothing.
    ("\u{1E}{\"a\":1}\n\u{1E}[1]\n", ["1:1 {\"a\":1}", "2:11 1"]),
    (
      "{\"a\":1}\n\u{FEFF}\u{FEFF}{\"b\":2}\n\u{FEFF}", ["1:0 {\"a\":1}", "2:14 {\"b\":2}"]
    ),
    ("\u{1E}{\"a\":\n\u{1E}{\"b\":2}\n", ["1:1 broken {\"a\":", "2:8 {\"b\":2}"]),
  ])
  func `values come one after another, however they are laid out and cut`(
    stream: String, expected: [String]
  ) {
    for chunks in splits(of: Array(stream.utf8)) {
      #expect(found(chunks) == expected, "cut as \(chunks.map(\.count))")
    }
  }

  private static let list = "{\"object\":\"list\",\"data\":["

  @Test(arguments: [
    ("[{\"a\":1}, {\"b\":2}]\n{}", ["1:1 {\"a\":1}", "1:10 {\"b\":2}", "2:19 {}"]),
    ("[[{}],[]] {}", ["1:2 {}", "1:10 {}"]), ("[{}", ["1:1 {}", "1:3 broken "]),
    (
      list + "{\"a\":1},{\"b\":2}],\"has_more\":false}\n{\"c\":3}",
      ["1:25 {\"a\":1}", "1:33 {\"b\":2}", "2:60 {\"c\":3}"]
    ),
    (
      "{\n \"object\": \"list\",\n \"data\": [\n {\"a\":1}\n ]\n}\n{}",
      ["4:33 {\"a\":1}", "7:46 {}"]
    ),
    (list + "]}" + list + "{}],\"a\":{\"b\":[]}}{}", ["1:52 {}", "1:69 {}"]),
    (list + "{}]", ["1:25 {}", "1:28 broken "]),
    (list + "{}]!\n{}", ["1:25 {}", "1:28 broken !", "2:30 {}"]),
    (list + "{}],}\n{}", ["1:25 {}", "1:29 broken }", "2:31 {}"]),
    (list + "{}] , \"a\" : 1 }{}", ["1:25 {}", "1:40 {}"]),
    ("{\"object\":\"response\",\"data\":[]}", ["1:0 {\"object\":\"response\",\"data\":[]}"]),
    ("{\"object\":\"list\"", ["1:0 broken {\"object\":\"list\""]),
  ])
  func `of arrays and lists the elements come one after another, however they are cut`(
    stream: String, expected: [String]
  ) {
    for chunks in splits(of: Array(stream.utf8)) {
      #expect(found(chunks) == expected, "cut as \(chunks.map(\.count))")
    }
  }

  @Test(arguments: [
    ("{\"a\":123456}\n{\"b\":2}", ["1:0 oversized", "2:13 {\"b\":2}"]),
    ("{\"a\":[1,\n2,3,\n4]}\n{\"b\":2}", ["1:0 oversized", "4:18 {\"b\":2}"]),
    ("{\"a\":123456x\n{\"b\":2}", ["1:0 oversized", "2:13 {\"b\":2}"]),
  ])
  func `a value over the limit is passed over, and the rest comes out`(
    stream: String, expected: [String]
  ) {
    for chunks in splits(of: Array(stream.utf8)) {
      #expect(found(chunks, limit: 7) == expected, "cut as \(chunks.map(\.count))")
    }
  }

  @Test func `random texts come out the same however they are cut`() {
    var generator = SeededGenerator()
    let pieces = [
      "{", "}", "{\"a\":1}", "{\"b\":{}}", "{\"c\":\"}", "\"", "[", "]", ",", " ", "\n", "\n",
      "\r\n", "1", Self.list, Self.list, "]}",
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
