import Core

/// The event stream of a rehearsal: a web search, then a message that cites what was found.
struct RehearsalScript {
  /// The stream, one event in each; in the last one only its start when the stream is cut.
  private(set) var blocks: [[UInt8]] = []
  private let model: String
  /// The items that are done.
  private var output: [JSONValue] = []

  init(_ rehearsal: Rehearsal, model: String) {
    self.model = model
    play("response.created", ["response": response("in_progress")])
    play("response.in_progress", ["response": response("in_progress")])
    switch rehearsal {
    case .error:
      let (code, message) = (
        "insufficient_quota", "You exceeded your current quota, please check your plan."
      )
      play(
        "error",
        ["error": ["type": "\(code)", "code": "\(code)", "message": "\(message)", "param": .null]])
      end("failed", error: ["code": "\(code)", "message": "\(message)"])
    case .refusal:
      say(["I'm sorry", ", but I", " can't help", " with that."], as: "refusal", "completed")
      end("completed")
    case .failed:
      search()
      say(Self.words.prefix(3))
      let message = "The server had an error while processing your request."
      end("failed", error: ["code": "server_error", "message": "\(message)"])
    case .cut:
      search()
      say(Self.words.prefix(4))
      let last = blocks.removeLast()
      blocks.append(Array(last.prefix(last.count / 2)))
    case .incomplete:
      search()
      say(Self.words.prefix(Self.words.count / 2), "incomplete")
      end("incomplete", reason: ["reason": "max_output_tokens"])
    case .completed, .slow, .http401, .http429:
      search()
      say(Self.words, "completed")
      end("completed")
    }
  }

  private mutating func search() {
    let query: JSONValue = "how to rehearse a request"
    var call: JSONValue = [
      "id": "ws_rehearsal", "type": "web_search_call", "status": "in_progress",
    ]
    play("response.output_item.added", ["output_index": 0, "item": call])
    for step in ["in_progress", "searching", "completed"] {
      play("response.web_search_call.\(step)", ["output_index": 0, "item_id": "ws_rehearsal"])
    }
    call["status"] = "completed"
    call["action"] = [
      "type": "search", "query": query, "queries": [query],
      "sources": .array(Self.sources.map { ["type": "url", "url": "\($0.url)"] }),
    ]
    play("response.output_item.done", ["output_index": 0, "item": call])
    output.append(call)
  }

  /// A message that says `words`, one after another, in a part of type `type`. It ends with `status`;
  /// `nil` when it does not end.
  private mutating func say(
    _ words: some Collection<String>, as type: String = "output_text", _ status: String? = nil
  ) {
    let isText = type == "output_text"
    let member = isText ? "text" : type
    let index = JSONValue.integer(output.count)
    var item: JSONValue = [
      "id": "msg_rehearsal", "type": "message", "status": "in_progress", "role": "assistant",
      "content": [],
    ]
    var part: JSONValue = ["type": "\(type)", member: ""]
    part["annotations"] = isText ? [] : nil
    part["logprobs"] = isText ? [] : nil
    func inPart(_ name: String, _ value: JSONValue) -> JSONValue {
      ["item_id": "msg_rehearsal", "output_index": index, "content_index": 0, name: value]
    }
    func said(_ name: String, _ text: String) -> JSONValue {
      var said = inPart(name, "\(text)")
      said["logprobs"] = isText ? [] : nil
      return said
    }
    play("response.output_item.added", ["output_index": index, "item": item])
    play("response.content_part.added", inPart("part", part))
    var citations: [JSONValue] = []
    var start = 0
    for word in words {
      // The API counts characters as Unicode has them, not bytes or what is seen as one.
      let end = start + word.unicodeScalars.count
      play("response.\(type).delta", said("delta", word))
      if word.hasPrefix("([") {
        let (title, url) = Self.sources[citations.count]
        var added = inPart("annotation_index", .integer(citations.count))
        citations.append([
          "type": "url_citation", "start_index": .integer(start), "end_index": .integer(end),
          "title": "\(title)", "url": "\(url)",
        ])
        added["annotation"] = citations.last
        play("response.\(type).annotation.added", added)
      }
      start = end
    }
    guard let status else { return }
    part[member] = "\(words.joined())"
    if isText { part["annotations"] = .array(citations) }
    item["status"] = "\(status)"
    item["content"] = [part]
    play("response.\(type).done", said(member, words.joined()))
    play("response.content_part.done", inPart("part", part))
    play("response.output_item.done", ["output_index": index, "item": item])
    output.append(item)
  }

  /// The last event.
  private mutating func end(
    _ status: String, error: JSONValue = .null, reason: JSONValue = .null
  ) {
    let usage: JSONValue = [
      "input_tokens": 312, "input_tokens_details": ["cached_tokens": 0], "output_tokens": 64,
      "output_tokens_details": ["reasoning_tokens": 0], "total_tokens": 376,
    ]
    var whole = response(status)
    whole["error"] = error
    whole["incomplete_details"] = reason
    if status != "failed" { whole["usage"] = usage }
    play("response.\(status)", ["response": whole])
  }

  private func response(_ status: String) -> JSONValue {
    [
      "id": "resp_rehearsal", "object": "response", "created_at": 1_767_225_600,
      "status": "\(status)", "background": false, "error": .null, "incomplete_details": .null,
      "instructions": .null, "metadata": [:], "model": "\(model)", "output": .array(output),
      "parallel_tool_calls": true, "previous_response_id": .null, "store": false,
      "tool_choice": "auto", "tools": [["type": "web_search"]], "usage": .null,
    ]
  }

  /// Appends an event of type `type`.
  private mutating func play(_ type: String, _ members: JSONValue) {
    var event: JSONValue = ["type": "\(type)", "sequence_number": .integer(blocks.count)]
    for (name, value) in members.members ?? [] { event[name] = value }
    var block: [UInt8] = []
    EventStreamEncoder.append(
      data: event.line.span, name: Array(type.utf8).span, to: &block)
    blocks.append(block)
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
