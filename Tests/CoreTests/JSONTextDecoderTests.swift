import Core
import TestSupport
import Testing

/// What a decoder finds in an input that comes in chunks, one line of text for each thing.
private func found(
  _ chunks: [[UInt8]], trusts: Bool = false, opens: Bool = false, limit: Int = 0
) -> [String] {
  var decoder = JSONTextDecoder(trustsLines: trusts, opensArrays: opens, limit: limit)
  var input = InputBuffer()
  var texts: [String] = []
  for chunk in chunks {
    input.append(chunk.span)
    while let found = decoder.next(&input, isEnd: false) {
      texts.append(text(found, decoder, input))
    }
  }
  while let found = decoder.next(&input, isEnd: true) { texts.append(text(found, decoder, input)) }
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
    ("{}{} []1 \"a\"", ["1:0 {}", "1:2 {}", "1:5 []", "1:7 1", "1:9 \"a\""]),
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
    ("{\"a\":", ["1:0 broken {\"a\":"]), ("[1,2\n", ["1:0 broken [1,2\n"]),
    ("{\"a\":]}\n\n{}", ["1:0 broken {\"a\":]}", "3:9 {}"]),
  ])
  func `values come one after another, however they are laid out and cut`(
    stream: String, expected: [String]
  ) {
    for chunks in splits(of: Array(stream.utf8)) {
      #expect(found(chunks) == expected, "cut as \(chunks.map(\.count))")
    }
  }

  @Test(arguments: [
    ("{\"a\":1}\n{\"b\":!}\n{\"c\":3}", ["1:0 {\"a\":1}", "2:8 {\"b\":!}", "3:16 {\"c\":3}"]),
    ("{\"b\":!} \t\r\n{\"a\":\"}\n", ["1:0 {\"b\":!}", "2:11 {\"a\":\"}"]),
    ("{\n}\n{\"b\":2}\n", ["1:0 {\n}", "3:4 {\"b\":2}"]),
    ("{\"a\":1}\nno\n{}", ["1:0 {\"a\":1}", "2:8 broken no", "3:11 {}"]),
    // A line with more braces, or more than one thing on it, is read.
    ("{\"a\":1} {\"b\":2}{\"c\":3}\n", ["1:0 {\"a\":1}", "1:8 {\"b\":2}", "1:15 {\"c\":3}"]),
    ("{\"a\":!} {\"b\":2}\n{}", ["1:0 broken {\"a\":!} {\"b\":2}", "2:16 {}"]),
    ("{\"a\":{\"b\":!}}\n{}", ["1:0 {\"a\":{\"b\":!}}", "2:14 {}"]),
    (
      "{\"a\":\"}\\\"{\"}\n{\"a\":{\"b\":\"}}\"}}\n",
      ["1:0 {\"a\":\"}\\\"{\"}", "2:13 {\"a\":{\"b\":\"}}\"}}"]
    ),
    ("{\"a\":{!}}}\n{}", ["1:0 broken {\"a\":{!}}}", "2:11 {}"]),
    ("{\"a\":1},{\"b\":2}\n{}", ["1:0 {\"a\":1}", "1:7 broken ,{\"b\":2}", "2:16 {}"]),
    ("{\"a\":{}\n,\"b\":2}\n", ["1:0 {\"a\":{}\n,\"b\":2}"]),
    ("{\"a\":\"b\u{0}\"}\n{}", ["1:0 broken {\"a\":\"b\u{0}\"}", "2:11 {}"]),
    ("{\"a\":\"|~\u{7F}\"}x\n", ["1:0 {\"a\":\"|~\u{7F}\"}", "1:11 broken x"]),
  ])
  func `a line whose last brace closes its first is judged by that, however it is cut`(
    stream: String, expected: [String]
  ) {
    for chunks in splits(of: Array(stream.utf8)) {
      #expect(found(chunks, trusts: true) == expected, "cut as \(chunks.map(\.count))")
    }
  }

  @Test func `trusting changes nothing for sound lines, however they are cut`() {
    let stream = "{\"a\":1}\n{\"b\":{\"c\":[]}} \r\n\n{\"d\":\"}\"}\n{\n}\n{}"
    let expected = found([Array(stream.utf8)])
    for chunks in splits(of: Array(stream.utf8)) {
      #expect(found(chunks, trusts: true) == expected, "cut as \(chunks.map(\.count))")
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
    ("{\"object\":\"response\",\"data\":[]}", ["1:0 {\"object\":\"response\",\"data\":[]}"]),
    ("{\"object\":\"list\"", ["1:0 broken {\"object\":\"list\""]),
  ])
  func `of arrays and lists the elements come one after another, however they are cut`(
    stream: String, expected: [String]
  ) {
    for chunks in splits(of: Array(stream.utf8)) {
      for trusts in [true, false] {
        #expect(
          found(chunks, trusts: trusts, opens: true) == expected, "cut as \(chunks.map(\.count))")
      }
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

  @Test(arguments: [
    ("{\"a\":!}\n{\"b\":2}", ["1:0 {\"a\":!}", "2:8 {\"b\":2}"]),
    ("{\"a\":!} \t\n{\"b\":2}", ["1:0 oversized", "2:10 {\"b\":2}"]),
    ("{\"a\":1} \t\n{\"b\":2}", ["1:0 {\"a\":1}", "2:10 {\"b\":2}"]),
  ])
  func `a line that is trusted is within the limit, however it is cut`(
    stream: String, expected: [String]
  ) {
    for chunks in splits(of: Array(stream.utf8)) {
      #expect(
        found(chunks, trusts: true, limit: 7) == expected, "cut as \(chunks.map(\.count))")
    }
  }

  @Test(arguments: [true, false])
  func `random texts come out the same however they are cut`(trusts: Bool) {
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
      let opens = Bool.random(using: &generator)
      let whole = found([bytes], trusts: trusts, opens: opens, limit: limit)
      let cuts = [bytes.map { [$0] }, randomCuts(of: bytes, 3, using: &generator)]
      for chunks in cuts {
        #expect(
          found(chunks, trusts: trusts, opens: opens, limit: limit) == whole,
          "\(text.debugDescription), opens \(opens), limit \(limit), cut as \(chunks.map(\.count)), seed \(generator.seed)"
        )
      }
    }
  }
}
