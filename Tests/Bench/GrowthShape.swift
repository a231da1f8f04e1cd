/// A command line, and an input with much of one thing, which can be made larger. With four times
/// as much of it, no tool may do more than five times the work.
struct GrowthShape: Sendable {
  let name: String
  let tool: String
  /// What stands behind the tool; a word `$D` is a folder that is its own, `$F` a file with `file`.
  let arguments: [String]
  /// How much of the thing the smaller input has.
  let count: Int
  private let lines: @Sendable (Int) -> [String]
  /// What the file has that the command line names.
  private let file: @Sendable (Int) -> String

  private init(
    _ name: String, _ command: String, _ count: Int = 500,
    file: @escaping @Sendable (Int) -> String = { _ in "" },
    _ lines: @escaping @Sendable (Int) -> [String]
  ) {
    let words = command.split(separator: " ").map(String.init)
    (self.name, self.count, self.file, self.lines) = (name, count, file, lines)
    (tool, arguments) = (words[0], Array(words.dropFirst()))
  }

  /// The input with `count` of the thing.
  func input(_ count: Int) -> String { lines(count).map { $0 + "\n" }.joined() }

  /// What the file has that goes with it.
  func file(_ count: Int) -> String { file(count) }

  /// Those whose steps are counted.
  static let counted = items + parts + citations + other

  /// As much as is promised, which is timed.
  static let large = ["oresp-text", "oresp-events -R", "oresp-events --check"].flatMap { command in
    [
      GrowthShape("a million deltas", command, 250_000) { count in
        response(added(0) + (1...count).map { delta(0, #","sequence_number":\#($0)"#) })
      },
      GrowthShape("a hundred thousand items", command, 25_000) { count in
        response((0..<count).flatMap { added($0) + done($0) })
      },
      GrowthShape("ten thousand responses open at once", command, 2_500) { count in
        ["created", "completed"].flatMap { kind in
          (0..<count).map { number in
            #"{"type":"response.\#(kind)","response":{"id":"r\#(number)","output":[]},"#
              + #""oresp":{"request":"\#(number)"}}"#
          }
        }
      },
    ]
  }

  private static let items = ["oresp-text", "oresp-events -R", "oresp-events --check=strict"]
    .flatMap { command in
      [
        GrowthShape("items in falling order", command) { count in
          response((0..<count).reversed().flatMap { added($0) + done($0) })
        },
        GrowthShape("items opened in falling order", command, 2_000) { count in
          response((0..<count).reversed().flatMap(added) + (0..<count).flatMap { done($0) })
        },
        GrowthShape("many items open", command) { count in
          response((0..<count).flatMap(added) + (0..<count).flatMap { done($0) })
        },
      ]
    }

  private static let parts = [
    GrowthShape("many parts", "oresp-text") { response(added(0) + parts($0)) },
    GrowthShape("many parts", "oresp-events -R") { response(added(0) + parts($0)) },
    GrowthShape("many parts", "oresp-events --check=strict") { count in
      response(added(0) + parts(count) + done(0, list(count) { _ in part }))
    },
    GrowthShape("many parts of an item that opens with them", "oresp-events -R") { count in
      response(opened(withParts: count))
    },
    GrowthShape("many parts of an item that opens with them", "oresp-events --items") { count in
      response(opened(withParts: count))
    },
    GrowthShape("many parts of an item that opens with them", "oresp-text") { count in
      response(opened(withParts: count))
    },
    GrowthShape("many parts of a summary", "oresp-text --reasoning") { response(summary($0)) },
    GrowthShape("many parts of a summary", "oresp-events --check=strict") { response(summary($0)) },
  ]

  private static let citations = [
    GrowthShape("citations ahead of their text", "oresp-text -c footnotes") { count in
      response((0..<count).map(cited) + (0..<count).map { _ in delta(0) })
    },
    GrowthShape("citations in falling order", "oresp-text -c footnotes", 2_000) { count in
      response((0..<count).reversed().map(cited) + (0..<count).map { _ in delta(0) })
    },
    GrowthShape("citations in no order", "oresp-text -c footnotes", 2_000) { count in
      response(
        (0..<count).map { cited($0 * 7919 % count) } + (0..<count).map { _ in delta(0) })
    },
    GrowthShape("citations of one text", "oresp-events --citations") { count in
      let text = String(repeating: "x", count: count)
      return response(
        done(
          0, #"{"type":"output_text","text":"\#(text)","annotations":[\#(list(count, citation))]}"#)
      )
    },
  ]

  private static let other = [
    GrowthShape("numbers in falling order", "oresp-events --check=strict") { count in
      response((1...count).reversed().map { delta(0, #","sequence_number":\#($0)"#) })
    },
    GrowthShape("numbers of which every other came later", "oresp-events --check=strict") { count in
      response(
        [0, 1].flatMap { start in
          stride(from: start, to: count, by: 2).map { delta(0, #","sequence_number":\#($0)"#) }
        })
    },
    GrowthShape("responses open at once", "oresp-events --stats") { count in
      (0..<count).map { #"{"type":"response.created","response":{"id":"r\#($0)"}}"# }
        + (0..<count).map { #"{"type":"response.completed","response":{"id":"r\#($0)"}}"# }
    },
    GrowthShape("responses open at once whose items are known", "oresp-events --usage") { count in
      (0..<count).flatMap { opened($0) } + (0..<count).map { text($0) }
        + (0..<count).map { ended($0) }
    },
    // Both are more than are open at most: what is given up costs a report.
    GrowthShape("tags that take turns", "oresp-events --usage", 2_000) { tagged($0) },
    GrowthShape("tags that take turns", "oresp-events --split $D") { tagged($0 / 5) },
    GrowthShape("tags that take turns", "oresp-text", 250) { tagged($0) },
    GrowthShape(
      "tags that are joined", "oresp-events --merge - $F", 10_000,
      file: lastOfFirstTag
    ) { count in
      (0..<count).map { numbered("created", of: $0, 0) } + [numbered("in_progress", of: 0, 1)]
    },
    GrowthShape("errors of ours at the ends of pieces", "oresp-events --merge - $F", 2_000) {
      count in
      (0..<count).flatMap { [numbered("created", of: $0, 0), brokenOff($0)] }
    },
    GrowthShape("errors of different codes", "oresp-text", 2_000) { count in
      (0..<count).map { #"{"type":"error","code":"\#(letters($0))","message":"m"}"# }
    },
    GrowthShape("items that are done, without ids", "oresp-events --stats", 2_000) { count in
      (0..<count).flatMap { _ in
        [
          #"{"type":"response.refusal.delta","delta":"x"}"#,
          #"{"type":"response.output_item.done","item":{"type":"message","content":[]}}"#,
        ]
      }
    },
    GrowthShape("responses that are all cut", "oresp-text") { cut($0) },
    GrowthShape("responses that are all cut", "oresp-text -j") { cut($0) },
    GrowthShape("responses that are all cut", "oresp-events --usage") { cut($0) },
    GrowthShape("a stream behind responses that are open", "oresp-events --usage") { count in
      (0..<count).flatMap { opened($0) } + opened(count) + (0..<count).map { _ in text(count) }
        + [ended(count)]
    },
    GrowthShape("findings of one read", "oresp-sse --check", 2_000) { count in
      (0..<count).map { _ in "x" }
    },
    GrowthShape("CRs in one text", "oresp-sse -r --envelope") { count in
      [#"{"event":"message","data":""# + String(repeating: #"\r"#, count: 10 * count) + #""}"#]
    },
    GrowthShape("lines of one event", "oresp-sse") { count in
      [#"data: {"type":"a","list":["#] + (0..<count).map { _ in "data: 0," } + ["data: 0]}", ""]
    },
    GrowthShape("a line that does not end", "oresp-sse") { count in
      [#"data: {"type":"a","text":""# + String(repeating: "x", count: 1500 * count)]
    },
    GrowthShape("a line of JSON that does not end", "oresp-events") { count in
      [#"{"type":"a","text":""# + String(repeating: "x", count: 1500 * count)]
    },
    GrowthShape("a line of members that does not end", "oresp-text") { count in
      [#"{"type":"a","text":{"# + String(repeating: #""a":{},"#, count: 150 * count)]
    },
    GrowthShape("a line behind a whole event, neither with an end", "oresp-sse") { count in
      let text = String(repeating: "x", count: 1000 * count)
      return [#"data: {"type":"a","text":"\#(text)"}"#, #"data: {"type":"a","text":"\#(text)"#]
    },
    GrowthShape("an array of events that does not end", "oresp-sse") { count in
      ["[" + String(repeating: #"{"type":"a"},"#, count: 40 * count)]
    },
    GrowthShape("lists in lists", "oresp-events") { count in
      let start = #"{"object":"list","data":["#
      let end = "]}"
      return [
        String(repeating: start, count: count) + "{}" + String(repeating: end, count: count)
      ]
    },
    GrowthShape("white space in front of the first value", "oresp-text") { count in
      [String(repeating: " ", count: 6000 * count) + #"{"type":"keepalive"}"#]
    },
    GrowthShape("heartbeats without blank lines", "oresp-sse") { count in
      [#"data: {"type":"a"}"#] + (0..<10 * count).flatMap { _ in ["data: ping", "data:"] }
    },
    GrowthShape("an object that does not end", "oresp-sse") { count in
      [#"{"type":"a","text":"#] + (0..<10 * count).map { _ in #"{"text":"# }
    },
    GrowthShape("a deep answer", "oresp-text -S $F", file: nested) { count in
      let text =
        String(repeating: #"{\"a\":"#, count: count) + "1" + String(repeating: "}", count: count)
      return response(done(0, #"{"type":"output_text","text":"\#(text)","annotations":[]}"#))
    },
    GrowthShape(
      "an answer of many members", "oresp-text -S $F",
      file: members
    ) { count in
      response(
        done(
          0,
          #"{"type":"output_text","text":"{\#(list(count) { #"\"p\#($0)\":1"# })}","annotations":[]}"#
        ))
    },
    GrowthShape(
      "an answer of many elements", "oresp-text -S $F",
      file: elements
    ) { count in
      response(
        done(0, #"{"type":"output_text","text":"[\#(list(count) { "\($0)" })]","annotations":[]}"#))
    },
    GrowthShape("many files of one name", "oresp-text --files $D") { count in
      (0..<count / 5).map { _ in
        #"{"type":"image_generation.completed","b64_json":"iVBORw0KGgo="}"#
      }
    },
  ]

  // Schemas of answers.

  @Sendable private static func nested(_: Int) -> String {
    ##"{"type":["object","integer"],"properties":{"a":{"$ref":"#"}}}"##
  }

  @Sendable private static func members(_ count: Int) -> String {
    #"{"type":"object","properties":{\#(list(count) { "\"p\($0)\":{\"type\":\"integer\"}" })},"#
      + #""required":[\#(list(count) { "\"p\($0)\"" })],"additionalProperties":false}"#
  }

  @Sendable private static func elements(_: Int) -> String {
    #"{"type":"array","items":{"type":"integer"}}"#
  }

  /// The beginning of the response `number`, whose item has an id of its own, a piece of its text,
  /// and its end.
  private static func opened(_ number: Int) -> [String] {
    [
      #"{"type":"response.created","sequence_number":0,"response":{"id":"r\#(number)"}}"#,
      #"{"type":"response.output_item.added","sequence_number":1,"output_index":0,"#
        + #""item":{"id":"m\#(number)","type":"message"}}"#,
    ]
  }

  private static func text(_ number: Int) -> String {
    #"{"type":"response.output_text.delta","output_index":0,"item_id":"m\#(number)","delta":"1"}"#
  }

  private static func ended(_ number: Int) -> String {
    #"{"type":"response.completed","response":{"id":"r\#(number)","status":"completed"}}"#
  }

  @Sendable private static func cut(_ count: Int) -> [String] {
    (0..<count).flatMap { opened($0) + [text($0)] }
  }

  @Sendable private static func lastOfFirstTag(_: Int) -> String {
    numbered("completed", of: 0, 2) + "\n"
  }

  /// A word for each number, since those that differ in digits alone are alike.
  private static func letters(_ number: Int) -> String {
    String(String(number).compactMap { "abcdefghij".dropFirst($0.wholeNumberValue ?? 0).first })
  }

  /// An error that the toolkit made where the answer to the request `tag` broke off.
  private static func brokenOff(_ tag: Int) -> String {
    #"{"type":"error","code":"cut","message":"m","oresp":{"synthetic":true,"request":"\#(tag)"}}"#
  }

  @Sendable private static func numbered(
    _ kind: String, of tag: Int, _ number: Int
  ) -> String {
    #"{"type":"response.\#(kind)","response":{"id":"r\#(tag)"},"#
      + #""oresp":{"request":"\#(tag)","n":\#(number)}}"#
  }

  @Sendable private static func tagged(_ count: Int) -> [String] {
    let steps: [(Int) -> [String]] = [{ opened($0) }, { [text($0)] }, { [ended($0)] }]
    return steps.flatMap { step in
      (0..<count).flatMap { number in
        step(number).map { $0.dropLast() + #","oresp":{"request":"\#(number)"}}"# }
      }
    }
  }

  private static func list(_ count: Int, _ element: (Int) -> String) -> String {
    (0..<count).map(element).joined(separator: ",")
  }

  private static func response(_ events: [String]) -> [String] {
    [#"{"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}"#]
      + events
      + [#"{"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}"#]
  }

  private static func item(_ index: Int, _ content: String) -> String {
    #""output_index":\#(index),"item":{"id":"msg_\#(index)","type":"message","role":"assistant","#
      + #""status":"completed","content":[\#(content)]}}"#
  }

  private static func added(_ index: Int) -> [String] {
    [#"{"type":"response.output_item.added",\#(item(index, ""))"#]
  }

  private static func opened(withParts count: Int) -> [String] {
    [#"{"type":"response.output_item.added",\#(item(0, list(count) { _ in part }))"#]
      + (0..<count).map { delta($0) }
  }

  private static let part = #"{"type":"output_text","text":"x","annotations":[]}"#

  private static func done(_ index: Int, _ content: String = part) -> [String] {
    [#"{"type":"response.output_item.done",\#(item(index, content))"#]
  }

  private static func delta(_ part: Int, _ members: String = "") -> String {
    #"{"type":"response.output_text.delta","output_index":0,"item_id":"msg_0","#
      + #""content_index":\#(part),"delta":"x"\#(members)}"#
  }

  private static func parts(_ count: Int) -> [String] {
    (0..<count).flatMap { number in
      let place = #""output_index":0,"item_id":"msg_0","content_index":\#(number)"#
      return [
        #"{"type":"response.content_part.added",\#(place),"part":\#(part)}"#, delta(number),
        #"{"type":"response.output_text.done",\#(place),"text":"x"}"#,
        #"{"type":"response.content_part.done",\#(place),"part":\#(part)}"#,
      ]
    }
  }

  private static func summary(_ count: Int) -> [String] {
    (0..<count).map { part in
      #"{"type":"response.reasoning_summary_text.done","output_index":0,"item_id":"rs_0","#
        + #""summary_index":\#(part),"text":"x"}"#
    }
  }

  private static func cited(_ place: Int) -> String {
    #"{"type":"response.output_text.annotation.added","output_index":0,"item_id":"msg_0","#
      + #""content_index":0,"annotation_index":\#(place),"annotation":\#(citation(place))}"#
  }

  private static func citation(_ place: Int) -> String {
    #"{"type":"url_citation","start_index":\#(place),"end_index":\#(place + 1),"#
      + #""url":"https://example.org/\#(place)","title":"t"}"#
  }
}
