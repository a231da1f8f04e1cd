import Core
import TestSupport
import Testing
import oresp_text

private typealias Stream = TextStream

private func settings(
  _ change: (inout TextForm) -> Void, _ ending: TextStyle.Ending = .newline
) -> AnswerFilter.Settings {
  var settings = AnswerFilter.Settings()
  change(&settings.style.form)
  settings.style.ending = ending
  return settings
}

/// Code blocks and JSON in place of all of the text.
@Suite struct MessageBodyTests {
  private static let text = #"Do:\n```sh\nls\n```\nor\n~~~ Python\n  x = 1\n~~~\nas you like."#

  @Test(
    arguments: [
      (nil, .newline, "ls\n  x = 1\n"), ("python", .newline, "  x = 1\n"),
      (nil, .nul, "ls\n\0  x = 1\n\0"), ("SH", .bare, "ls\n"),
    ] as [(String?, TextStyle.Ending, String)])
  func `code blocks follow each other`(
    language: String?, ending: TextStyle.Ending, text: String
  ) {
    let lines = [Stream.delta(Self.text), Stream.final(Stream.message(Self.text))]
    let settings = settings(
      { form in
        form.takesBlocks = true
        form.language = language
      }, ending)
    #expect(Stream.mismatches(lines, text, settings) == [])
  }

  @Test func `a block is printed while it comes`() {
    var filter = Stream.filter(settings { $0.takesBlocks = true })
    var input = InputBuffer()
    var output = Output()
    for (line, text) in [
      (Stream.created, ""), (Stream.delta("Do:\\n```sh\\nl"), "l"), (Stream.delta("s -"), "ls -"),
      (Stream.delta("l\\n``"), "ls -l\n"), (Stream.delta("`\\nthen"), "ls -l\n"),
    ] {
      input.append(Array((line + "\n").utf8).span)
      filter.handle(&input, into: &output)
      #expect(String(decoding: output.bytes, as: UTF8.self) == text)
    }
  }

  @Test(
    arguments: [
      (#"{ \"a\" : [1,\n 2.0], \"b c\\\" \": \"x  y\" }"#, #"{"a":[1,2.0],"b c\" ":"x  y"}"#),
      ("  true\\n", "true"), (#"\"😀\""#, #""😀""#),
    ])
  func `a message that is JSON is printed on one line`(text: String, line: String) {
    let lines = [Stream.delta(text), Stream.final(Stream.message(text))]
    #expect(Stream.mismatches(lines, line + "\n", settings { $0.parses = true }) == [])
    #expect(Stream.mismatches(lines, line + "\0", settings({ $0.parses = true }, .nul)) == [])
  }

  @Test(
    arguments: [
      (.newline, "a\u{FFFD}b\n"), (.nul, "a\u{FFFD}b\n\0"),
    ] as [(TextStyle.Ending, String)])
  func `a NUL inside a block is none, as in Markdown`(ending: TextStyle.Ending, text: String) {
    let lines = [Stream.final(Stream.message(#"```\na\u0000b\n```"#))]
    #expect(Stream.mismatches(lines, text, settings({ $0.takesBlocks = true }, ending)) == [])
  }

  @Test func `an empty block is not JSON`() {
    let settings = settings { form in
      form.takesBlocks = true
      form.parses = true
    }
    let stream = Stream.final(Stream.message(#"```\n1\n```\n```\n```\n```\n2\n```"#))
    let outcome = feed(Stream.filter(settings), [Array(stream.utf8)])
    #expect(
      outcome == Outcome("1\n2\n", .negative, ["the block is not JSON: the value does not end"]))
  }

  @Test func `each JSON block is a line`() {
    let text = #"```json\n{\n}\n```\n```json\n[ 1 ]\n```"#
    let lines = [Stream.final(Stream.message(text), Stream.message(text))]
    let settings = settings { form in
      form.takesBlocks = true
      form.parses = true
    }
    #expect(Stream.mismatches(lines, "{}\n[1]\n{}\n[1]\n", settings) == [])
  }

  @Test(
    arguments: [
      (true, nil, "text", "there is no fenced code block in the answer"),
      (true, "sh", "```c\\n```", "there is no fenced code block of sh in the answer"),
      (false, nil, "{\\\"a\\\":1", "the answer is not JSON: the value does not end"),
      (false, nil, "", "there is no text in the answer that could be JSON"),
    ] as [(Bool, String?, String, String)])
  func `what is not there is status 1`(
    takesBlocks: Bool, language: String?, text: String, notice: String
  ) {
    let settings = settings { form in
      form.takesBlocks = takesBlocks
      form.language = language
      form.parses = !takesBlocks
    }
    let stream = Stream.final(Stream.message(text))
    let outcome = feed(Stream.filter(settings), [Array(stream.utf8)])
    #expect(outcome == Outcome("", .negative, [notice]))
  }

  @Test func `a block that does not end is printed and told`() {
    let stream = Stream.final(Stream.message("```c\\nint"))
    let outcome = feed(
      Stream.filter(settings { $0.takesBlocks = true }), [Array(stream.utf8)])
    #expect(outcome == Outcome("int\n", .completed, ["the last code block has no end"]))
  }

  @Test func `JSON that does not meet the schema is told and not printed`() throws {
    let text = #"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#
    let schema = try JSONSchema(FileText(Array(text.utf8), name: "s.json"))
    let settings = settings { form in
      form.parses = true
      form.schema = schema
    }
    let stream = Stream.final(
      Stream.message(#"{\"n\":1}"#), Stream.message(#"{\"n\":\"x\"}"#), Stream.message("{}"))
    let outcome = feed(Stream.filter(settings), [Array(stream.utf8)])
    #expect(outcome.output == "{\"n\":1}\n")
    #expect(outcome.status == .negative)
    #expect(outcome.notices.count == 2)
    #expect(outcome.notices[0].hasPrefix("the answer does not meet the schema: /n: "))
  }
}
