import Core
import TestSupport
import Testing
import oresp_text

private typealias Stream = TextStream

private func settings(
  _ style: CitationStyle, sources: Bool = false
) -> AnswerFilter.Settings {
  var settings = AnswerFilter.Settings()
  settings.style.citations = style
  settings.style.listsSources = sources
  return settings
}

private let a = "https://a.example/"
private let b = "https://b.example/"
private let file = #"{"type":"file_citation","file_id":"file-1","filename":"a.pdf","index":3}"#
private let plot =
  #"{"type":"container_file_citation","container_id":"c1","file_id":"cf1","filename":"p.png","start_index":0,"end_index":0}"#
private let search =
  #"{"type":"web_search_call","action":{"type":"search","sources":[{"type":"url","url":"https://a.example/"},{"type":"url","url":"https://c.example/"}]}}"#

@Suite struct CitationTests {
  @Test(
    arguments: [
      // A citation that is told behind its span, and at its end.
      (
        [
          Stream.delta("One. Two"), Stream.annotation(Stream.url(a, 0, 4, title: "A")),
          Stream.delta(" three."), Stream.completed,
        ], "One. Two[1] three.\n\n[1] A <https://a.example/>\n"
      ),
      (
        [
          Stream.delta("One."), Stream.annotation(Stream.url(a, 0, 4)), Stream.delta(" Two."),
          Stream.completed,
        ], "One.[1] Two.\n\n[1] <https://a.example/>\n"
      ),
      // Those that come behind their spans' backs keep their order.
      (
        [
          Stream.delta("One Two Three"), Stream.annotation(Stream.url(a, 0, 3)),
          Stream.annotation(Stream.url(b, 4, 7)), Stream.delta(" Four"), Stream.completed,
        ], "One Two Three[1][2] Four\n\n[1] <https://a.example/>\n[2] <https://b.example/>\n"
      ),
      // Those that come before their spans stand at their places, in whatever order they come.
      (
        [
          Stream.delta("O"), Stream.annotation(Stream.url(b, 4, 7)),
          Stream.annotation(Stream.url(a, 4, 7)), Stream.annotation(Stream.url(a, 0, 3)),
          Stream.delta("ne Two"), Stream.completed,
        ], "One[1] Two[2][1]\n\n[1] <https://a.example/>\n[2] <https://b.example/>\n"
      ),
      // White space that came already does not move the mark, and none is lost.
      (
        [
          Stream.delta("One. \\n"), Stream.annotation(Stream.url(a, 0, 4)), Stream.delta("\\nTwo"),
          Stream.completed,
        ], "One.[1] \n\nTwo\n\n[1] <https://a.example/>\n"
      ),
      // A span that is still to come, and one that never does.
      (
        [
          Stream.delta("O"), Stream.annotation(Stream.url(a, 0, 4)), Stream.delta("ne. Two"),
          Stream.completed,
        ], "One.[1] Two\n\n[1] <https://a.example/>\n"
      ),
      (
        [Stream.delta("One"), Stream.annotation(Stream.url(a, 0, 99)), Stream.completed],
        "One[1]\n\n[1] <https://a.example/>\n"
      ),
      // Closing brackets behind the span are passed.
      (
        [
          Stream.delta("[p](s:/p"), Stream.annotation(Stream.url(a, 4, 8)), Stream.delta("), so"),
          Stream.completed,
        ], "[p](s:/p)[1], so\n\n[1] <https://a.example/>\n"
      ),
      // Places count characters, not bytes and not halves of surrogate pairs.
      (
        [Stream.final(Stream.message("a😀é東. b", Stream.url(a, 0, 5)))],
        "a😀é東.[1] b\n\n[1] <https://a.example/>\n"
      ),
      (
        [
          Stream.delta("😀é"), Stream.annotation(Stream.url(a, 0, 2)), Stream.delta("x"),
          Stream.completed,
        ], "😀é[1]x\n\n[1] <https://a.example/>\n"
      ),
      // One number a source, by first use in the text; places that share one.
      (
        [
          Stream.final(
            Stream.message(
              "One. Two. Three.", Stream.url(b, 5, 9), Stream.url(a, 0, 4), Stream.url(b, 10, 16),
              Stream.url(a, 10, 16)))
        ],
        "One.[1] Two.[2] Three.[2][1]\n\n[1] <https://a.example/>\n[2] <https://b.example/>\n"
      ),
      (
        [Stream.final(Stream.message("One.", Stream.url(a, 0, 4), Stream.url(a, 2, 4)))],
        "One.[1]\n\n[1] <https://a.example/>\n"
      ),
      // Each annotation counts once, however often it comes.
      (
        [
          Stream.delta("One."), Stream.annotation(Stream.url(a, 0, 4)),
          Stream.done(Stream.message("One.", Stream.url(a, 0, 4))),
          Stream.final(Stream.message("One.", Stream.url(a, 0, 4))),
        ], "One.[1]\n\n[1] <https://a.example/>\n"
      ),
      // Those that come when the message has ended are listed.
      (
        [
          Stream.done(Stream.message("One.")),
          Stream.final(Stream.message("One.", Stream.url(a, 0, 4))),
        ],
        "One.\n\n[1] <https://a.example/>\n"
      ),
      // Files; a place alone; no place.
      (
        [Stream.final(Stream.message("One two", file, plot))],
        "One[1] two\n\n[1] a.pdf (file-1)\n[2] p.png (cf1)\n"
      ),
      // Every message has its list.
      (
        [
          Stream.done(Stream.message("One", Stream.url(a, 0, 3))),
          Stream.done(Stream.message("Two", Stream.url(b, 0, 3), Stream.url(a, 0, 3)), 1),
          Stream.completed,
        ],
        "One[1]\n\n[1] <https://a.example/>\nTwo[2][1]\n\n[1] <https://a.example/>\n[2] <https://b.example/>\n"
      ),
      // A message that waits for another has its marks in place.
      (
        [
          Stream.delta("a", 1), Stream.delta("b", 2), Stream.done(Stream.message("a"), 1),
          Stream.annotation(Stream.url(a, 0, 1)).replacing(
            "\"output_index\":0", with: "\"output_index\":2"),
          Stream.done(Stream.message("b c"), 2), Stream.completed,
        ], "a\nb[1] c\n\n[1] <https://a.example/>\n"
      ),
      // What is no citation.
      ([Stream.delta("a"), Stream.annotation("null"), Stream.completed], "a\n"),
      ([Stream.delta("a"), Stream.annotation(#"{"type":"other"}"#), Stream.completed], "a\n"),
    ] as [([String], String)])
  func `a mark stands behind what is cited, and the list behind the text`(
    lines: [String], text: String
  ) {
    let stream = lines.joined(separator: "\n")
    for chunks in [[Array(stream.utf8)], Array(stream.utf8).map { [$0] }] {
      #expect(feed(Stream.filter(settings(.footnotes)), chunks) == Outcome(text))
    }
  }

  @Test(
    arguments: [
      (.all, "One.\nTwo.\n\n[1] <https://a.example/>\n"),
      (.number(1), "One.\n\n[1] <https://a.example/>\n"), (.number(2), "Two.\n"),
      (.last, "Two.\n"), (.none, ""),
    ] as [(TextStyle.Messages, String)])
  func `what a message that is not printed cites is not listed behind it`(
    messages: TextStyle.Messages, text: String
  ) {
    var settings = settings(.footnotes)
    settings.style.messages = messages
    let lines = [
      Stream.done(Stream.message("One.")), Stream.done(Stream.message("Two."), 1),
      Stream.final(Stream.message("One.", Stream.url(a, 0, 4)), Stream.message("Two.")),
    ]
    #expect(Stream.mismatches(lines, text, settings) == [])
  }

  @Test(
    arguments: [
      (.none, "One. b\n"),
      (.footnotes, "One.[1] b\n\n[1] A \"B\" <https://a.example/<x>>\n"),
      (.markdown, "One.[1] b\n\n[1]: <https://a.example/%3Cx%3E> \"A \\\"B\\\"\"\n"),
      (
        .json,
        "One.[1] b\n\n{\"n\":1,\"cited\":true,\"type\":\"url_citation\",\"url\":\"https://a.example/<x>\",\"title\":\"A\\n\\\"B\\\"\"}\n"
      ),
      (.only, "[1] A \"B\" <https://a.example/<x>>\n"),
    ] as [(CitationStyle, String)])
  func `the list has the form that was asked for`(style: CitationStyle, text: String) {
    let cited = Stream.url("https://a.example/<x>", 0, 4, title: "A\\n\\\"B\\\"")
    let lines = [Stream.final(Stream.message("One. b", cited))]
    #expect(Stream.mismatches(lines, text, settings(style)) == [])
  }

  @Test(
    arguments: [
      (
        .footnotes,
        "a\n\n[1] p] [9] (f/1)\n[2] n\n[3] \"\u{308} <https://a.example/>\n\n* x]\u{308}y <https://s.example/>\n* feed\n"
      ),
      (
        .markdown,
        "a\n\n[1]: <c%3E%20[9]:%20%3Cx/f/1> \"p] [9]\"\n[2]: <n> \"n\"\n[3]: <https://a.example/> \"\\\"\u{308}\"\n\n* [x\\]\u{308}y](<https://s.example/>)\n* <feed>\n"
      ),
      (
        .json,
        """
        a

        {"n":1,"cited":true,"type":"container_file_citation","file_id":"f/1","container_id":"c>\\n[9]: <x","filename":"p]\\n[9]"}
        {"n":2,"cited":true,"type":"file_citation","filename":"n"}
        {"n":3,"cited":true,"type":null,"url":"https://a.example/","title":"\\"\u{308}"}

        {"n":null,"cited":false,"type":"url","url":"https://s.example/","title":"x]\u{308}y"}
        {"n":null,"cited":false,"type":"api","name":"feed"}

        """
      ),
    ] as [(CitationStyle, String)])
  func `what a source is called breaks no list`(style: CitationStyle, text: String) {
    let file =
      #"{"type":"container_file_citation","container_id":"c>\n[9]: <x","file_id":"f/1","filename":"p]\n[9]"}"#
    let named = #"{"type":"file_citation","filename":"n"}"#
    let untyped = #"{"url":"https://a.example/","title":"\"\u0308"}"#
    let search =
      #"{"type":"web_search_call","action":{"sources":[{"type":"url","url":"https://s.example/","title":"x]\u0308y"},{"type":"api","name":"feed"}]}}"#
    let lines = [Stream.final(search, Stream.message("a", file, named, untyped))]
    #expect(Stream.mismatches(lines, text, settings(style, sources: true)) == [])
  }

  @Test(
    arguments: [
      (.none, "One.\n\n* <https://a.example/>\n* <https://c.example/>\n"),
      (.footnotes, "One.[1]\n\n[1] <https://a.example/>\n\n* <https://c.example/>\n"),
      (.markdown, "One.[1]\n\n[1]: <https://a.example/>\n\n* <https://c.example/>\n"),
      (
        .json,
        "One.[1]\n\n{\"n\":1,\"cited\":true,\"type\":\"url_citation\",\"url\":\"https://a.example/\"}\n\n{\"n\":null,\"cited\":false,\"type\":\"url\",\"url\":\"https://c.example/\"}\n"
      ),
    ] as [(CitationStyle, String)])
  func `what was consulted follows what was cited`(style: CitationStyle, text: String) {
    let lines = [
      Stream.done(search), Stream.done(Stream.message("One.", Stream.url(a, 0, 4)), 1),
      Stream.completed,
    ]
    #expect(Stream.mismatches(lines, text, settings(style, sources: true)) == [])
  }

  @Test func `a citation delays nothing but white space`() {
    var filter = Stream.filter(settings(.footnotes))
    var input = InputBuffer()
    var output = Output()
    for (line, text) in [
      (Stream.delta("One. "), "One."), (Stream.annotation(Stream.url(a, 0, 4)), "One.[1]"),
      (Stream.delta("Two"), "One.[1] Two"),
    ] {
      input.append(Array((line + "\n").utf8).span)
      filter.handle(&input, into: &output)
      #expect(String(decoding: output.bytes, as: UTF8.self) == text)
    }
  }
}
