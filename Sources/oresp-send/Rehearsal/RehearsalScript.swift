import Core

/// The event stream of a rehearsal: a web search, then a message that cites what was found.
///
/// In the script a line is an event: its type, a blank, and its members as JSON.
struct RehearsalScript {
  /// The stream, one event in each; in the last one only its start when the stream is cut.
  private(set) var blocks: [[UInt8]] = []
  /// The model, and the items that are done as the response has them, as JSON.
  private let model: String
  private var output: [String] = []

  init(_ rehearsal: Rehearsal, model: String) {
    self.model = Self.json(model)
    play(
      """
      response.created "response":\(response("in_progress"))
      response.in_progress "response":\(response("in_progress"))
      """)
    switch rehearsal {
    case .error:
      let message = "You exceeded your current quota, please check your plan."
      let reason = #""code":"insufficient_quota","message":"\#(message)""#
      play(#"error "error":{"type":"insufficient_quota",\#(reason),"param":null}"#)
      end("failed", error: "{\(reason)}")
    case .refusal:
      say(["I'm sorry", ", but I", " can't help", " with that."], as: "refusal", "completed")
      end("completed")
    case .failed:
      search()
      say(Self.words.prefix(3))
      let message = "The server had an error while processing your request."
      end("failed", error: #"{"code":"server_error","message":"\#(message)"}"#)
    case .cut:
      search()
      say(Self.words.prefix(4))
      let last = blocks.removeLast()
      blocks.append(Array(last.prefix(last.count / 2)))
    case .incomplete:
      search()
      say(Self.words.prefix(Self.words.count / 2), "incomplete")
      end("incomplete", reason: #"{"reason":"max_output_tokens"}"#)
    case .completed, .slow, .http401, .http429:
      search()
      say(Self.words, "completed")
      end("completed")
    }
  }

  private mutating func search() {
    let call = #""id":"ws_rehearsal","type":"web_search_call","status""#
    let query = #""how to rehearse a request""#
    let sources = Self.sources.map { #"{"type":"url","url":"\#($0.url)"}"# }
    let action = #"{"type":"search","query":\#(query),"queries":[\#(query)],"sources""#
    let item = #"{\#(call):"completed","action":\#(action):[\#(sources.joined(separator: ","))]}}"#
    play(
      #"""
      response.output_item.added "output_index":0,"item":{\#(call):"in_progress"}
      response.web_search_call.in_progress "output_index":0,"item_id":"ws_rehearsal"
      response.web_search_call.searching "output_index":0,"item_id":"ws_rehearsal"
      response.web_search_call.completed "output_index":0,"item_id":"ws_rehearsal"
      response.output_item.done "output_index":0,"item":\#(item)
      """#)
    output.append(item)
  }

  /// A message that says `words`, one after another, in a part of type `type`. It ends with `status`;
  /// `nil` when it does not end.
  private mutating func say(
    _ words: some Collection<String>, as type: String = "output_text", _ status: String? = nil
  ) {
    let isText = type == "output_text"
    let logprobs = isText ? #","logprobs":[]"# : ""
    let index = "\"output_index\":\(output.count)"
    let place = #""item_id":"msg_rehearsal",\#(index),"content_index":0"#
    var citations: [String] = []
    func body(_ text: String) -> String { #""\#(isText ? "text" : type)":\#(Self.json(text))"# }
    func part(_ text: String) -> String {
      let notes = isText ? #","annotations":[\#(citations.joined(separator: ","))]"# : ""
      return #"{"type":"\#(type)",\#(body(text))\#(notes)\#(logprobs)}"#
    }
    func item(_ status: String, _ part: String) -> String {
      #"{"id":"msg_rehearsal","type":"message","status":"\#(status)","role":"assistant","#
        + #""content":[\#(part)]}"#
    }
    play(
      #"""
      response.output_item.added \#(index),"item":\#(item("in_progress", ""))
      response.content_part.added \#(place),"part":\#(part(""))
      """#)
    var start = 0
    for word in words {
      // The API counts characters as Unicode has them, not bytes or what is seen as one.
      let end = start + word.unicodeScalars.count
      play(#"response.\#(type).delta \#(place),"delta":\#(Self.json(word))\#(logprobs)"#)
      if word.hasPrefix("([") {
        let (title, url) = Self.sources[citations.count]
        let citation =
          #"{"type":"url_citation","start_index":\#(start),"end_index":\#(end),"#
          + #""title":"\#(title)","url":"\#(url)"}"#
        let added = #""annotation_index":\#(citations.count),"annotation":\#(citation)"#
        play(#"response.\#(type).annotation.added \#(place),\#(added)"#)
        citations.append(citation)
      }
      start = end
    }
    guard let status else { return }
    let whole = part(words.joined())
    play(
      #"""
      response.\#(type).done \#(place),\#(body(words.joined()))\#(logprobs)
      response.content_part.done \#(place),"part":\#(whole)
      response.output_item.done \#(index),"item":\#(item(status, whole))
      """#)
    output.append(item(status, whole))
  }

  /// The last event.
  private mutating func end(_ status: String, error: String = "null", reason: String = "null") {
    play("response.\(status) \"response\":\(response(status, error: error, reason: reason))")
  }

  private func response(
    _ status: String, error: String = "null", reason: String = "null"
  ) -> String {
    let usage = #"""
      {"input_tokens":312,"input_tokens_details":{"cached_tokens":0},\#
      "output_tokens":64,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":376}
      """#
    return #"""
      {"id":"resp_rehearsal","object":"response","created_at":1767225600,\#
      "status":"\#(status)","background":false,"error":\#(error),\#
      "incomplete_details":\#(reason),"instructions":null,"metadata":{},"model":\#(model),\#
      "output":[\#(output.joined(separator: ","))],"parallel_tool_calls":true,\#
      "previous_response_id":null,"store":false,"tool_choice":"auto",\#
      "tools":[{"type":"web_search"}],\#
      "usage":\#(["in_progress", "failed"].contains(status) ? "null" : usage)}
      """#
  }

  /// Appends the events of `script`.
  private mutating func play(_ script: String) {
    for line in script.split(separator: "\n") {
      let type = line.prefix { $0 != " " }
      let members = line.dropFirst(type.count + 1)
      let data = #"{"type":"\#(type)","sequence_number":\#(blocks.count),\#(members)}"#
      var block: [UInt8] = []
      EventStreamEncoder.append(
        data: Array(data.utf8).span, name: Array(type.utf8).span, to: &block)
      blocks.append(block)
    }
  }

  private static func json(_ text: String) -> String {
    String(decoding: JSONValue.text(text).line, as: UTF8.self)
  }

  /// What the answer says; a bar stands between the deltas.
  private static let words = """
    This answer| is a rehearsal|:| no model| was asked| for it |\
    ([example.org](https://example.org/rehearsal))|.\n\n|It has| a “naïve”| café|, 東京| and a 🚆|\
     in it |([example.com](https://example.com/characters?lang=de))|, as| answers| do|.
    """.split(separator: "|").map(String.init)

  /// What the deltas that are links cite, one after another.
  private static let sources = [
    (title: "Rehearsing", url: "https://example.org/rehearsal"),
    (title: "Zeichen – 文字", url: "https://example.com/characters?lang=de"),
  ]
}
