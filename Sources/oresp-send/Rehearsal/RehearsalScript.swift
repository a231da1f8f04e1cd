import Core

/// The event stream of a rehearsal: a web search, then a message that cites what was found.
struct RehearsalScript {
  typealias Members = [(name: String, value: JSONValue)]

  /// The stream, one event in each; in the last one only its start when the stream is cut.
  private(set) var blocks: [[UInt8]] = []

  private let model: String
  /// The items that are done, as the response has them.
  private var output: [JSONValue] = []

  init(_ rehearsal: Rehearsal, model: String) {
    self.model = model
    for state in ["created", "in_progress"] { add(response: state, "in_progress") }
    switch rehearsal {
    case .refusal: refuse()
    case .error: failForQuota()
    case .failed: failMidway()
    case .cut: cutMidway()
    case .incomplete:
      search()
      write(RehearsalText.pieces[..<(RehearsalText.pieces.count / 2)], ending: "incomplete")
      let reason = JSONValue.object([("reason", .text("max_output_tokens"))])
      add(response: "incomplete", "incomplete", [("incomplete_details", reason)])
    default:
      search()
      write(RehearsalText.pieces[...], ending: "completed")
      add(response: "completed", "completed")
    }
  }

  private mutating func refuse() {
    let words = ["I'm sorry", ", but I", " can't help", " with that."]
    beginMessage(part: ("refusal", []))
    for word in words { add("refusal.delta", place + [("delta", .text(word))]) }
    let refusal = JSONValue.text(words.joined())
    add("refusal.done", place + [("refusal", refusal)])
    endMessage(part: ("refusal", [("refusal", refusal)]), "completed")
    add(response: "completed", "completed")
  }

  private mutating func failForQuota() {
    let code = JSONValue.text("insufficient_quota")
    let message = JSONValue.text("You exceeded your current quota, please check your plan.")
    let error: Members = [("type", code), ("code", code), ("message", message), ("param", .null)]
    addBlock("error", [("error", .object(error))])
    let inside = JSONValue.object([("code", code), ("message", message)])
    add(response: "failed", "failed", [("error", inside)])
  }

  private mutating func failMidway() {
    search()
    beginMessage(part: ("output_text", []))
    write(deltas: RehearsalText.pieces[..<3])
    let message = JSONValue.text("The server had an error while processing your request.")
    let error = JSONValue.object([("code", .text("server_error")), ("message", message)])
    add(response: "failed", "failed", [("error", error)])
  }

  private mutating func cutMidway() {
    search()
    beginMessage(part: ("output_text", []))
    write(deltas: RehearsalText.pieces[..<4])
    let last = blocks.removeLast()
    blocks.append(Array(last[..<(last.count / 2)]))
  }

  private mutating func search() {
    let call: Members = [
      ("id", .text("ws_rehearsal")), ("type", .text("web_search_call")),
      ("status", .text("in_progress")),
    ]
    let place: Members = [("output_index", .integer(0))]
    add("output_item.added", place + [("item", .object(call))])
    for state in ["in_progress", "searching", "completed"] {
      add("web_search_call." + state, place + [("item_id", .text("ws_rehearsal"))])
    }
    let sources = RehearsalText.pieces.compactMap(\.source).map { source in
      JSONValue.object([("type", .text("url")), ("url", .text(source.url))])
    }
    let query = JSONValue.text("how to rehearse a request")
    let action = JSONValue.object([
      ("type", .text("search")), ("query", query), ("queries", .array([query])),
      ("sources", .array(sources)),
    ])
    let done = JSONValue.object(
      call.dropLast() + [("status", .text("completed")), ("action", action)])
    add("output_item.done", place + [("item", done)])
    output.append(done)
  }

  /// A whole message of `pieces`.
  private mutating func write(_ pieces: ArraySlice<RehearsalText.Piece>, ending status: String) {
    beginMessage(part: ("output_text", []))
    let annotations = write(deltas: pieces)
    let text = JSONValue.text(pieces.map(\.text).joined())
    add("output_text.done", place + [("text", text), ("logprobs", .array([]))])
    endMessage(
      part: ("output_text", [("text", text), ("annotations", .array(annotations))]), status)
  }

  /// Gives the pieces as deltas, and returns the citations in them.
  @discardableResult
  private mutating func write(deltas pieces: ArraySlice<RehearsalText.Piece>) -> [JSONValue] {
    var annotations: [JSONValue] = []
    var start = 0
    for piece in pieces {
      // The API counts characters as Unicode has them, not bytes or what is seen as one.
      let end = start + piece.text.unicodeScalars.count
      add("output_text.delta", place + [("delta", .text(piece.text)), ("logprobs", .array([]))])
      if let source = piece.source {
        let annotation = source.annotation(start..<end)
        let index = JSONValue.integer(annotations.count)
        add(
          "output_text.annotation.added",
          place + [("annotation_index", index), ("annotation", annotation)])
        annotations.append(annotation)
      }
      start = end
    }
    return annotations
  }

  private mutating func beginMessage(part: (type: String, Members)) {
    addItem("added", message("in_progress", []))
    add("content_part.added", place + [("part", Self.part(part))])
  }

  private mutating func endMessage(part: (type: String, Members), _ status: String) {
    let part = Self.part(part)
    add("content_part.done", place + [("part", part)])
    let message = message(status, [part])
    addItem("done", message)
    output.append(message)
  }

  private static func part(_ part: (type: String, members: Members)) -> JSONValue {
    let isText = part.type == "output_text"
    let empty: Members =
      isText ? [("text", .text("")), ("annotations", .array([]))] : [("refusal", .text(""))]
    let members = part.members.isEmpty ? empty : part.members
    return .object(
      [("type", .text(part.type))] + members + (isText ? [("logprobs", .array([]))] : []))
  }

  private func message(_ status: String, _ content: [JSONValue]) -> JSONValue {
    .object([
      ("id", .text("msg_rehearsal")), ("type", .text("message")), ("status", .text(status)),
      ("role", .text("assistant")), ("content", .array(content)),
    ])
  }

  /// Where the message's one part stands.
  private var place: Members {
    [
      ("item_id", .text("msg_rehearsal")), ("output_index", .integer(output.count)),
      ("content_index", .integer(0)),
    ]
  }

  private mutating func addItem(_ state: String, _ item: JSONValue) {
    add("output_item." + state, [("output_index", .integer(output.count)), ("item", item)])
  }

  private mutating func add(response event: String, _ status: String, _ members: Members = []) {
    add(event, [("response", response(status, members))])
  }

  private mutating func add(_ type: String, _ members: Members) {
    addBlock("response." + type, members)
  }

  private mutating func addBlock(_ type: String, _ members: Members) {
    let head: Members = [("type", .text(type)), ("sequence_number", .integer(blocks.count))]
    var block: [UInt8] = []
    EventStreamEncoder.append(
      data: JSONValue.object(head + members).line.span, name: Array(type.utf8).span, to: &block)
    blocks.append(block)
  }

  /// The response in the state `status`, with `members` in the place of its nulls.
  private func response(_ status: String, _ members: Members) -> JSONValue {
    var response = JSONValue.object([
      ("id", .text("resp_rehearsal")), ("object", .text("response")),
      ("created_at", .integer(1_767_225_600)), ("status", .text(status)),
      ("background", .bool(false)), ("error", .null), ("incomplete_details", .null),
      ("instructions", .null), ("metadata", .object([])), ("model", .text(model)),
      ("output", .array(output)), ("parallel_tool_calls", .bool(true)),
      ("previous_response_id", .null), ("store", .bool(false)),
      ("tool_choice", .text("auto")),
      ("tools", .array([.object([("type", .text("web_search"))])])),
      ("usage", status == "in_progress" || status == "failed" ? .null : Self.usage),
    ])
    for member in members { response[member.name] = member.value }
    return response
  }

  private static let usage = JSONValue.object([
    ("input_tokens", .integer(312)),
    ("input_tokens_details", .object([("cached_tokens", .integer(0))])),
    ("output_tokens", .integer(64)),
    ("output_tokens_details", .object([("reasoning_tokens", .integer(0))])),
    ("total_tokens", .integer(376)),
  ])
}
