import Core

/// The answer of a rehearsal, as events and as a document: mostly a web search, then a message that
/// cites what was found.
struct RehearsalScript {
  /// The stream, one event in each; in the last one only its start when the stream is cut.
  private(set) var blocks: [[UInt8]] = []
  /// The response as it is at its end; only its start when it is cut.
  private(set) var document: [UInt8] = []
  private let model: String
  private let id: String
  /// Whether it is made in the background.
  private let isBackground: JSONValue
  /// The items that are done.
  private var output: [JSONValue] = []

  /// The answer to the request whose body is `asked`.
  init(_ outcome: Rehearsal.Outcome, asked: String, id: String = "resp_rehearsal") {
    let request = JSONValue.raw(Array(asked.utf8)).opened
    (model, self.id) = (request["model"]?.text ?? "rehearsal", id)
    isBackground = request["background"] ?? false
    play("response.created", ["response": response("in_progress")])
    play("response.in_progress", ["response": response("in_progress")])
    switch outcome {
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
      say(Self.words.prefix(3), "incomplete")
      let message = "The server had an error while processing your request."
      end("failed", error: ["code": "server_error", "message": "\(message)"])
    case .cut:
      search()
      say(Self.words.prefix(4))
      let last = blocks.removeLast()
      blocks.append(Array(last.prefix(last.count / 2)))
      document = response("in_progress").line
      document.removeLast(document.count / 2)
    case .incomplete:
      search()
      say(Self.words.prefix(Self.words.count / 2), "incomplete")
      end("incomplete", reason: ["reason": "max_output_tokens"])
    case .call where !Self.hasOutput(request):
      call(request["tools"]?.opened.elements?.first { $0.opened["type"]?.text == "function" })
      end("completed")
    case .json:
      let schema = ["text.format.schema", "response_format.json_schema.schema"].lazy
        .compactMap { request.value(at: BodyPath(members: $0)) }.first
      let sample = schema.map(SchemaSample.value) ?? ["rehearsal": true]
      say(Self.pieces(of: String(decoding: sample.line, as: UTF8.self)), "completed")
      end("completed")
    case .image:
      draw()
      end("completed")
    case .completed, .call, .slow, .http401, .http429, .http500:
      search()
      say(Self.words, "completed")
      end("completed")
    }
  }

  /// The response before it is begun, and when it was given up.
  var queued: JSONValue { bare("queued") }
  var cancelled: JSONValue { bare("cancelled") }

  private func bare(_ status: String) -> JSONValue {
    var bare = response(status)
    bare["background"] = true
    bare["output"] = []
    return bare
  }

  /// Whether `request` brings what a call came to: it is answered in words then.
  private static func hasOutput(_ request: JSONValue) -> Bool {
    let items = (request["input"] ?? request["messages"])?.opened.elements ?? []
    return items.contains {
      $0.opened["type"]?.text == "function_call_output" || $0.opened["role"]?.text == "tool"
    }
  }

  /// `text` in pieces, as a model gives it.
  private static func pieces(of text: String) -> [String] {
    let characters = Array(text)
    return stride(from: 0, to: characters.count, by: 8).map {
      String(characters[$0..<min($0 + 8, characters.count)])
    }
  }

  /// A call of `tool`, a function of the request's, if it has one.
  private mutating func call(_ tool: JSONValue?) {
    var tool = tool?.opened
    tool = tool?["function"]?.opened ?? tool
    let parameters = tool?["parameters"].flatMap { $0.isNull ? nil : $0 }
    let sample = SchemaSample.value(of: parameters ?? ["type": "object"])
    let arguments = String(decoding: sample.line, as: UTF8.self)
    var item: JSONValue = [
      "id": "fc_rehearsal", "type": "function_call", "status": "in_progress",
      "call_id": "call_rehearsal", "name": tool?["name"] ?? "rehearse", "arguments": "",
    ]
    func inItem(_ name: String, _ value: String) -> JSONValue {
      ["item_id": "fc_rehearsal", "output_index": 0, name: "\(value)"]
    }
    play("response.output_item.added", ["output_index": 0, "item": item])
    for piece in Self.pieces(of: arguments) {
      play("response.function_call_arguments.delta", inItem("delta", piece))
    }
    play("response.function_call_arguments.done", inItem("arguments", arguments))
    finish(&item, ["arguments": "\(arguments)"])
  }

  /// An image of one pixel.
  private mutating func draw() {
    var item: JSONValue = [
      "id": "ig_rehearsal", "type": "image_generation_call", "status": "in_progress",
      "result": .null,
    ]
    play("response.output_item.added", ["output_index": 0, "item": item])
    for step in ["in_progress", "generating", "completed"] {
      play(
        "response.image_generation_call.\(step)", ["output_index": 0, "item_id": "ig_rehearsal"])
    }
    finish(&item, ["result": "\(Self.picture)", "output_format": "png"])
  }

  /// Ends `item`, which has `members` then.
  private mutating func finish(
    _ item: inout JSONValue, _ members: JSONValue, _ status: String = "completed"
  ) {
    item["status"] = "\(status)"
    for (name, value) in members.members ?? [] { item[name] = value }
    play("response.output_item.done", ["output_index": .integer(output.count), "item": item])
    output.append(item)
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
    let action: JSONValue = [
      "type": "search", "query": query, "queries": [query],
      "sources": .array(Self.sources.map { ["type": "url", "url": "\($0.url)"] }),
    ]
    finish(&call, ["action": action])
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
      if word.hasPrefix("(["), citations.count < Self.sources.count {
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
    play("response.\(type).done", said(member, words.joined()))
    play("response.content_part.done", inPart("part", part))
    finish(&item, ["content": [part]], status)
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
    document = whole.line
    play("response.\(status)", ["response": whole])
  }

  private func response(_ status: String) -> JSONValue {
    [
      "id": "\(id)", "object": "response", "created_at": 1_767_225_600,
      "status": "\(status)", "background": isBackground, "error": .null,
      "incomplete_details": .null,
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

  /// A PNG of one grey pixel, in base64.
  private static let picture =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg=="

  /// What the deltas that are links cite, one after another.
  private static let sources = [
    (title: "Rehearsing", url: "https://example.org/rehearsal"),
    (title: "Zeichen – 文字", url: "https://example.com/characters?lang=de"),
  ]
}
