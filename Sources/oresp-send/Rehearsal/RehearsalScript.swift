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
    case .refusal: refuse()
    case .error:
      let reason = #""code":"insufficient_quota","message":"\#(Self.quota)""#
      play(
        #"""
        error "error":{"type":"insufficient_quota",\#(reason),"param":null}
        response.failed "response":\#(response("failed", error: "{\(reason)}"))
        """#)
    case .failed:
      search()
      begin()
      _ = say(Self.words[..<3])
      let reason = #"{"code":"server_error","message":"\#(Self.fault)"}"#
      play("response.failed \"response\":\(response("failed", error: reason))")
    case .cut:
      search()
      begin()
      _ = say(Self.words[..<4])
      let last = blocks.removeLast()
      blocks.append(Array(last.prefix(last.count / 2)))
    case .incomplete:
      search()
      answer(Self.words[..<(Self.words.count / 2)], "incomplete")
      let whole = response("incomplete", reason: #"{"reason":"max_output_tokens"}"#)
      play("response.incomplete \"response\":\(whole)")
    case .completed, .slow, .http401, .http429:
      search()
      answer(Self.words[...], "completed")
      play("response.completed \"response\":\(response("completed"))")
    }
  }

  private static let quota = "You exceeded your current quota, please check your plan."
  private static let fault = "The server had an error while processing your request."

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

  private mutating func refuse() {
    begin(#"{"type":"refusal","refusal":""}"#)
    play(
      #"""
      response.refusal.delta \#(place),"delta":"I'm sorry"
      response.refusal.delta \#(place),"delta":", but I"
      response.refusal.delta \#(place),"delta":" can't help"
      response.refusal.delta \#(place),"delta":" with that."
      response.refusal.done \#(place),"refusal":"I'm sorry, but I can't help with that."
      """#)
    end(#"{"type":"refusal","refusal":"I'm sorry, but I can't help with that."}"#, "completed")
    play("response.completed \"response\":\(response("completed"))")
  }

  /// A whole message of `words`.
  private mutating func answer(_ words: ArraySlice<String>, _ status: String) {
    begin()
    let citations = say(words).joined(separator: ",")
    let text = Self.json(words.joined())
    play(#"response.output_text.done \#(place),"text":\#(text),"logprobs":[]"#)
    end(
      #"{"type":"output_text","text":\#(text),"annotations":[\#(citations)],"logprobs":[]}"#, status
    )
  }

  /// Gives `words` as deltas, and returns the citations in them.
  private mutating func say(_ words: ArraySlice<String>) -> [String] {
    var citations: [String] = []
    var start = 0
    for word in words {
      // The API counts characters as Unicode has them, not bytes or what is seen as one.
      let end = start + word.unicodeScalars.count
      play(#"response.output_text.delta \#(place),"delta":\#(Self.json(word)),"logprobs":[]"#)
      if word.hasPrefix("([") {
        let (title, url) = Self.sources[citations.count]
        let citation =
          #"{"type":"url_citation","start_index":\#(start),"end_index":\#(end),"#
          + #""title":"\#(title)","url":"\#(url)"}"#
        let added = #""annotation_index":\#(citations.count),"annotation":\#(citation)"#
        play(#"response.output_text.annotation.added \#(place),\#(added)"#)
        citations.append(citation)
      }
      start = end
    }
    return citations
  }

  private mutating func begin(
    _ part: String = #"{"type":"output_text","text":"","annotations":[],"logprobs":[]}"#
  ) {
    play(
      #"""
      response.output_item.added \#(index),"item":\#(message("in_progress", ""))
      response.content_part.added \#(place),"part":\#(part)
      """#)
  }

  private mutating func end(_ part: String, _ status: String) {
    let item = message(status, part)
    play(
      #"""
      response.content_part.done \#(place),"part":\#(part)
      response.output_item.done \#(index),"item":\#(item)
      """#)
    output.append(item)
  }

  private func message(_ status: String, _ part: String) -> String {
    #"{"id":"msg_rehearsal","type":"message","status":"\#(status)","role":"assistant","#
      + #""content":[\#(part)]}"#
  }

  private var index: String { "\"output_index\":\(output.count)" }

  /// Where the message's one part stands.
  private var place: String { #""item_id":"msg_rehearsal",\#(index),"content_index":0"# }

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
      let type = String(line.prefix { $0 != " " })
      let data =
        #"{"type":"\#(type)","sequence_number":\#(blocks.count),\#(line.dropFirst(type.count + 1))}"#
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
