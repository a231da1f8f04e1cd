import Core
import TestSupport
import Testing

@testable import oresp_text

/// What was taken out of a text, how many blocks, and whether the last was left open.
private struct Extracted: Equatable {
  var text: String
  var found: Int
  var isLeftOpen = false
}

private func extract(
  _ chunks: [[UInt8]], language: String? = nil, endingInNUL: Bool = false
) -> Extracted {
  var extractor = FenceExtractor(language: language, endingInNUL: endingInNUL)
  var sink = TextSink()
  for chunk in chunks { extractor.append(chunk.span, into: &sink) }
  extractor.end(into: &sink)
  return Extracted(
    text: String(decoding: sink.bytes, as: UTF8.self), found: extractor.found,
    isLeftOpen: !sink.notices.isEmpty)
}

@Suite struct FenceExtractorTests {
  @Test(
    arguments: [
      ("text\n```\na\nb\n```\nmore\n", "a\nb\n", 1, false), ("no block\n", "", 0, false),
      ("", "", 0, false),
      ("~~~\n<\n >\n~~~\n", "<\n >\n", 1, false), ("``\nfoo\n``\n", "", 0, false),
      // CommonMark 0.31, examples 122 to 147.
      ("```\naaa\n~~~\n```\n", "aaa\n~~~\n", 1, false),
      ("~~~\naaa\n```\n~~~\n", "aaa\n```\n", 1, false),
      ("````\naaa\n```\n``````\n", "aaa\n```\n", 1, false),
      ("~~~~\naaa\n~~~\n~~~~\n", "aaa\n~~~\n", 1, false),
      ("```\n", "", 1, true), ("`````\n\n```\naaa\n", "\n```\naaa\n", 1, true),
      ("```\n\n  \n```\n", "\n  \n", 1, false), ("```\n```\n", "", 1, false),
      (" ```\n aaa\naaa\n```\n", "aaa\naaa\n", 1, false),
      ("  ```\naaa\n  aaa\naaa\n  ```\n", "aaa\naaa\naaa\n", 1, false),
      ("   ```\n   aaa\n    aaa\n  aaa\n   ```\n", "aaa\n aaa\naaa\n", 1, false),
      ("```\naaa\n  ```\n", "aaa\n", 1, false), ("   ```\naaa\n  ```\n", "aaa\n", 1, false),
      ("```\naaa\n    ```\n", "aaa\n    ```\n", 1, true),
      ("``` ```\naaa\n", "", 0, false), ("~~~~~~\naaa\n~~~ ~~\n", "aaa\n~~~ ~~\n", 1, true),
      ("foo\n```\nbar\n```\nbaz\n", "bar\n", 1, false),
      ("```ruby\ndef foo(x)\n  return 3\nend\n```\n", "def foo(x)\n  return 3\nend\n", 1, false),
      ("~~~~    ruby startline=3 $%@#$\ndef\n~~~~~~~\n", "def\n", 1, false),
      ("````;\n````\n", "", 1, false), ("``` aa ```\nfoo\n", "", 0, false),
      ("~~~ aa ``` ~~~\nfoo\n~~~\n", "foo\n", 1, false),
      ("```\n``` aaa\n```\n", "``` aaa\n", 1, false),
      // In list items.
      ("1. Do\n\n   ```sh\n   ls\n     -l\n   ```\n", "ls\n  -l\n", 1, false),
      ("- a\n\n      ```\n      x\n        y\n      ```\nz\n", "x\n  y\n", 1, false),
      ("- ```\n  x\n  ```\n", "x\n", 1, false), ("10. ```py\n    x\n    ```\n", "x\n", 1, false),
      ("- 1) ```\n     x\n     ```\n", "x\n", 1, false), ("-```\nx\n", "", 0, false),
      ("1234567890. ```\nx\n", "", 0, false), ("\t```\n\tx\n\t  y\n\t```\n", "x\n  y\n", 1, false),
      ("  ```\n\tx\n  ```\n", "  x\n", 1, false),
      ("- a\n      ```\n      x\n```\ny\n", "x\n", 1, false),
      // Several; line ends; what is cut off.
      ("```\na\n```\ntext ``` here\n```\nb\n```\n", "a\nb\n", 2, false),
      ("```\r\na\r\n```\r\nb\r\n", "a\r\n", 1, false), ("```\na\n```", "a\n", 1, false),
      ("```\na", "a\n", 1, true), ("```\na\n``", "a\n``\n", 1, true),
      ("```\na\n  ", "a\n  \n", 1, true),
      ("```x", "", 1, true), ("``", "", 0, false), ("```\n`` `\n````  \t\nb\n", "`` `\n", 1, false),
      ("> ```\n> a\n> ```\n", "", 0, false),
      ("```\n\u{0}é\u{301}\n```\n", "\u{0}é\u{301}\n", 1, false),
    ] as [(String, String, Int, Bool)])
  func `the content of fenced blocks comes out, however the text is cut`(
    text: String, content: String, found: Int, isLeftOpen: Bool
  ) {
    let expected = Extracted(text: content, found: found, isLeftOpen: isLeftOpen)
    for chunks in cuts(of: Array(text.utf8)) {
      #expect(extract(chunks) == expected, "cut as \(chunks.map(\.count))")
    }
  }

  @Test(arguments: [
    ("python", "1\n4\n"), ("PYTHON", "1\n4\n"), ("js", "2\n"), ("c", ""), ("title=x", ""),
    ("", "3\n"),
    ("pyth", ""),
  ])
  func `only blocks of a language come out`(language: String, content: String) {
    let text = "```python title=x\n1\n```\n```js\n2\n```\n```\n3\n```\n~~~ Python\n4\n~~~\n"
    for chunks in cuts(of: Array(text.utf8)) {
      let extracted = extract(chunks, language: language)
      #expect(extracted.text == content, "cut as \(chunks.map(\.count))")
      #expect(extracted.found == content.utf8.count / 2)
    }
  }

  @Test func `blocks end in NUL when asked for`() {
    let text = Array("```\na\n```\n```x\nb\n```\n```\n```\n```\nc".utf8)
    for chunks in cuts(of: text) {
      #expect(extract(chunks, endingInNUL: true).text == "a\n\0b\n\0\0c\n\0")
    }
    #expect(extract([text], language: "x", endingInNUL: true).text == "b\n\0")
  }

  @Test func `one text follows another`() {
    var extractor = FenceExtractor(language: "x")
    var sink = TextSink()
    for text in ["```x\na", "```x\nb\n```\n", "```y\nc"] {
      extractor.append(Array(text.utf8).span, into: &sink)
      extractor.end(into: &sink)
    }
    #expect(String(decoding: sink.bytes, as: UTF8.self) == "a\nb\n")
    #expect(extractor.found == 2 && sink.notices.count == 1)
  }

  @Test func `content is out as soon as it can be no closing fence`() {
    var extractor = FenceExtractor()
    var sink = TextSink()
    for (text, out) in [
      ("``", ""), ("`py\n", ""), ("a", "a"), ("b`", "ab`"), ("\n", "ab`\n"), ("``", "ab`\n"),
      ("x", "ab`\n``x"), ("\n  ", "ab`\n``x\n"), ("y", "ab`\n``x\n  y"),
      ("\n```", "ab`\n``x\n  y\n"),
      ("\n", "ab`\n``x\n  y\n"), ("text", "ab`\n``x\n  y\n"),
    ] {
      extractor.append(Array(text.utf8).span, into: &sink)
      #expect(String(decoding: sink.bytes, as: UTF8.self) == out)
    }
  }
}
