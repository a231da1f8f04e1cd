import Core

/// The made-up answer of a rehearsal. Its lines have the type of an event, without `response.`, and
/// its members: `play` makes an event of `refusal.delta "output_index":0,"delta":"I'm sorry"`.
struct RehearsalScript {
  private var search: String {
    #"""
    output_item.added "output_index":0,"item":{"id":"ws_\#(mark)","type":"web_search_call","status":"in_progress"}
    web_search_call.in_progress "output_index":0,"item_id":"ws_\#(mark)"
    web_search_call.searching "output_index":0,"item_id":"ws_\#(mark)"
    web_search_call.completed "output_index":0,"item_id":"ws_\#(mark)"
    output_item.done "output_index":0,"item":{"id":"ws_\#(mark)","type":"web_search_call","status":"completed","action":\#
    {"type":"search","query":"how to rehearse a request","queries":["how to rehearse a request"],"sources":\#
    [{"type":"url","url":"https://example.org/rehearsal"},{"type":"url","url":"https://example.com/characters?lang=de"}]}}

    """#
  }

  /// The text of the answer, with a bar between its deltas.
  private static let words = """
    This answer| is a rehearsal|:| no model| was asked| for it |\
    ([example.org](https://example.org/rehearsal))|.\n\n|It has| a “naïve”| café|, 東京| and a 🚆|\
     in it |([example.com](https://example.com/characters?lang=de))|, as| answers| do|.
    """.split(separator: "|").map(String.init)

  /// The citations of the deltas that are links. The indices count Unicode scalars.
  private static let citations = #"""
    {"type":"url_citation","start_index":54,"end_index":100,"title":"Rehearsing",\#
    "url":"https://example.org/rehearsal"}
    {"type":"url_citation","start_index":143,"end_index":198,"title":"Zeichen – 文字",\#
    "url":"https://example.com/characters?lang=de"}
    """#.split(separator: "\n")

  private static let refusal = ["I'm sorry", ", but I", " can't help", " with that."]

  private static let quota =
    #""code":"insufficient_quota","message":"You exceeded your current quota, please check your plan.""#

  /// The events. With the outcome `cut` the last one is half an event.
  private(set) var blocks: [[UInt8]] = []
  /// The response at its end. With the outcome `cut` it is half a response.
  private(set) var document: [UInt8] = []
  private let id: String
  /// The end of all ids in the response.
  private let mark: String
  private let model: String
  private let background: JSONValue
  /// The finished items.
  private var output: [Substring] = []

  /// The answer to a request with the body `asked`: the response `id`, or a new one.
  init(_ outcome: Rehearsal.Outcome, asked: [UInt8], id: String? = nil) {
    let request = JSONValue.raw(asked).opened
    let number = UInt32.random(in: 1 << 28 ... .max)
    self.id = id ?? "resp_rehearsal_" + String(number, radix: 16)
    let suffix = String(self.id[...].cut(at: "_")?.after ?? "")
    mark = SchemaName.isValid(suffix) ? suffix : "rehearsal"
    model = request["model"]?.text ?? Rehearsal.model
    background = request["background"] ?? false
    for type in ["created", "in_progress"] { play(#"\#(type) "response":\#(response())"#) }
    switch outcome {
    case .refusal: end(message(0, Self.refusal, as: "refusal"))
    case .json: end(message(0, Self.pieces(of: Self.json(request))))
    case .call where !Self.hasOutput(request): end(call(request))
    case .error:
      let error = #"error "error":{"type":"insufficient_quota",\#(Self.quota),"param":null}"#
      end(error, "failed", error: "{\(Self.quota)}")
    case .failed:
      let error = #"{"code":"server_error","message":"\#(RehearsalCarrier.serverError)"}"#
      let said = message(1, Self.words.prefix(3), in: "incomplete")
      end(search + said, "failed", error: error)
    case .incomplete:
      let said = message(1, Self.words.prefix(9), in: "incomplete")
      end(search + said, "incomplete", reason: #"{"reason":"max_output_tokens"}"#)
    case .cancelled:
      end(search + message(1, Self.words.prefix(5), in: "incomplete"), "cancelled")
    case .cut: cut(search + message(1, Self.words), behind: 12)
    case .completed, .call, .slow, .http401, .http429, .http500:
      end(search + message(1, Self.words))
    }
  }

  /// Plays `lines` and the end of the response.
  private mutating func end(
    _ lines: String, _ status: String = "completed", error: String = "null",
    reason: String = "null"
  ) {
    play(lines)
    let usage = #"""
      {"input_tokens":312,"input_tokens_details":{"cached_tokens":0},"output_tokens":64,\#
      "output_tokens_details":{"reasoning_tokens":0},"total_tokens":376}
      """#
    let hasUsage = !["failed", "cancelled"].contains(status)
    let whole = response(status, error, reason, hasUsage ? usage : "null")
    document = Array(whole.utf8)
    play(#"\#(status) "response":\#(whole)"#)
  }

  /// Plays `count` events of `lines`, and half of the next.
  private mutating func cut(_ lines: String, behind count: Int) {
    play(lines)
    output.removeLast()
    blocks = blocks.prefix(count) + [Array(blocks[count].prefix(blocks[count].count / 2))]
    document = Array(response().utf8)
    document.removeLast(document.count / 2)
  }

  private func response(
    _ status: String = "in_progress", _ error: String = "null", _ reason: String = "null",
    _ usage: String = "null", background: JSONValue? = nil
  ) -> String {
    #"""
    {"id":\#(quoted(id)),"object":"response","created_at":1767225600,"status":"\#(status)",\#
    "background":\#(String(decoding: (background ?? self.background).line, as: UTF8.self)),"error":\#(error),\#
    "incomplete_details":\#(reason),"instructions":null,"metadata":{},"model":\#(quoted(model)),\#
    "output":[\#(output.joined(separator: ","))],"parallel_tool_calls":true,\#
    "previous_response_id":null,"store":false,"tool_choice":"auto",\#
    "tools":[{"type":"web_search"}],"usage":\#(usage)}
    """#
  }

  /// A background response that waits for its turn.
  var queued: String {
    var bare = self
    bare.output = []
    return bare.response("queued", background: true)
  }

  /// Appends the events of `lines`.
  private mutating func play(_ lines: String) {
    for line in lines.split(separator: "\n") {
      guard let (name, members) = line.cut(at: " ") else { continue }
      let type = name == "error" ? "error" : "response." + name
      let event = #"{"type":"\#(type)","sequence_number":\#(blocks.count),\#(members)}"#
      if name == "output_item.done", let item = members.cut(at: #""item":"#) {
        output.append(item.after)
      }
      var block: [UInt8] = []
      EventStreamEncoder.append(
        data: Array(event.utf8).span, name: Array(type.utf8).span, to: &block)
      blocks.append(block)
    }
  }
}

/// Items that depend on the request or the outcome.
extension RehearsalScript {
  /// A message of `words`, item number `index`, that ends with `status`. Its part is an
  /// `output_text` or a `refusal`.
  private func message(
    _ index: Int, _ words: some Sequence<String>, as type: String = "output_text",
    in status: String = "completed"
  ) -> String {
    let place = #""item_id":"msg_\#(mark)","output_index":\#(index),"content_index":0"#
    let item = #""output_index":\#(index),"item":{"id":"msg_\#(mark)","type":"message""#
    let (isText, text) = (type == "output_text", quoted(words.joined()))
    let logprobs = isText ? #","logprobs":[]"# : ""
    var deltas = ""
    var notes: [Substring] = []
    for word in words {
      deltas += #"\#(type).delta \#(place),"delta":\#(quoted(word))\#(logprobs)"# + "\n"
      guard word.hasPrefix("("), notes.count < Self.citations.count else { continue }
      let note = Self.citations[notes.count]
      let about = #""annotation_index":\#(notes.count),"annotation":\#(note)"#
      deltas += "output_text.annotation.added \(place),\(about)\n"
      notes.append(note)
    }
    let name = isText ? "text" : type
    func part(_ text: String, _ notes: [Substring] = []) -> String {
      let more = isText ? #","annotations":[\#(notes.joined(separator: ","))]"# + logprobs : ""
      return #"{"type":"\#(type)","\#(name)":\#(text)\#(more)}"#
    }
    let (begun, whole) = (part(quoted("")), part(text, notes))
    return #"""
      output_item.added \#(item),"status":"in_progress","role":"assistant","content":[]}
      content_part.added \#(place),"part":\#(begun)
      \#(deltas)\#(type).done \#(place),"\#(name)":\#(text)\#(logprobs)
      content_part.done \#(place),"part":\#(whole)
      output_item.done \#(item),"status":"\#(status)","role":"assistant","content":[\#(whole)]}
      """#
  }

  /// JSON that meets the schema of `request`.
  private static func json(_ request: JSONValue) -> String {
    let schema = ["text.format.schema", "response_format.json_schema.schema"].lazy
      .compactMap { request.value(at: BodyPath(members: $0)) }.first
    return schema.map(SchemaSample.text) ?? #"{"rehearsal":true}"#
  }

  /// A call of the first function in `request`, if it has one.
  private func call(_ request: JSONValue) -> String {
    let tools = request["tools"]?.opened.elements?.map(\.opened)
    var tool = tools?.first { $0["type"]?.text == "function" }
    tool = tool?["function"]?.opened ?? tool
    let parameters = tool?["parameters"].flatMap { $0.isNull ? nil : $0 }
    let arguments = SchemaSample.text(of: parameters ?? ["type": "object"])
    let place = #""item_id":"fc_\#(mark)","output_index":0"#
    let item = #""output_index":0,"item":{"id":"fc_\#(mark)","type":"function_call","status":"#
    let name = String(decoding: (tool?["name"] ?? "rehearse").line, as: UTF8.self)
    let call = #""call_id":"call_\#(mark)","name":\#(name)"#
    let deltas = Self.pieces(of: arguments).map {
      #"function_call_arguments.delta \#(place),"delta":\#(quoted($0))"# + "\n"
    }
    return #"""
      output_item.added \#(item)"in_progress",\#(call),"arguments":""}
      \#(deltas.joined())function_call_arguments.done \#(place),"arguments":\#(quoted(arguments))
      output_item.done \#(item)"completed",\#(call),"arguments":\#(quoted(arguments))}
      """#
  }

  /// Whether `request` has the output of a call: the answer is a text then.
  private static func hasOutput(_ request: JSONValue) -> Bool {
    let items = (request["input"] ?? request["messages"])?.opened.elements ?? []
    return items.map(\.opened).contains {
      $0["type"]?.text == "function_call_output" || $0["role"]?.text == "tool"
    }
  }

  /// `text` in pieces, as a model sends it.
  private static func pieces(of text: String) -> [String] {
    let characters = Array(text)
    return stride(from: 0, to: characters.count, by: 8).map {
      String(characters[$0..<min($0 + 8, characters.count)])
    }
  }
}

/// `text` as a JSON string.
func quoted(_ text: String) -> String {
  String(decoding: JSONValue.text(text).line, as: UTF8.self)
}
