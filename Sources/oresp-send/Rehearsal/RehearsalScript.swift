import Core

/// A made-up answer to one request: a text of `RehearsalStreams` with its names filled in.
struct RehearsalScript {
  /// The events. With the outcome `cut` the last one is half an event.
  private(set) var blocks: [[UInt8]] = []
  /// The response at its end. With the outcome `cut` it is half a response.
  private(set) var document: [UInt8] = []
  /// The texts for the names in the stream.
  private var values: [String: String]
  private let model: String
  /// The finished items.
  private var output: [String] = []

  /// The answer to a request with the body `asked`.
  init(_ outcome: Rehearsal.Outcome, asked: [UInt8]) {
    let request = JSONValue.raw(asked).opened
    let mark = "rehearsal_" + String(UInt32.random(in: 1 << 28 ... .max), radix: 16)
    model = quoted(request["model"]?.text ?? Rehearsal.model)
    values = [
      "START": #""id":"resp_\#(mark)","object":"response","created_at":1767225600"#,
      "MARK": mark,
      "BACKGROUND": String(decoding: (request["background"] ?? false).line, as: UTF8.self),
    ]
    switch outcome {
    case .failed: play(RehearsalStreams.failed)
    case .incomplete: play(RehearsalStreams.incomplete)
    case .refusal: play(RehearsalStreams.refusal)
    case .cancelled: play(RehearsalStreams.cancelled)
    case .error: play(RehearsalStreams.error)
    case .json: play(RehearsalStreams.json, with: Self.json(request))
    case .call where !Self.hasOutput(request): call(request)
    case .cut:
      play(RehearsalStreams.completed)
      cut(behind: 12)
    case .completed, .call, .slow, .http401, .http429, .http500: play(RehearsalStreams.completed)
    }
  }

  /// Plays `stream` with `text` in it, in pieces, as a model sends it.
  private mutating func play(_ stream: String, with text: String = "") {
    values["TEXT"] = quoted(text)
    let characters = Array(text)
    for line in stream.split(separator: "\n") {
      let size = line.cut(at: "$PIECE") == nil ? max(characters.count, 1) : 8
      for start in stride(from: 0, to: max(characters.count, 1), by: size) {
        let piece = characters[start..<min(start + size, characters.count)]
        values["PIECE"] = quoted(String(piece))
        append(filled(line))
      }
    }
  }

  /// Appends `event`, with its number.
  private mutating func append(_ event: String) {
    guard let parts = event[...].cut(at: #"","#), let type = parts.before.cut(at: #":""#)?.after
    else { return }
    if type == "response.output_item.done", let item = event[...].cut(at: #""item":"#) {
      output.append(String(item.after.dropLast()))
    }
    document = Self.response(in: event) ?? document
    let data = #"\#(parts.before)","sequence_number":\#(blocks.count),\#(parts.after)"#
    var block: [UInt8] = []
    EventStreamEncoder.append(
      data: Array(data.utf8).span, name: Array(type.utf8).span, to: &block)
    blocks.append(block)
  }

  /// Ends the stream behind `count` events and half of the next, and the document in its midst.
  private mutating func cut(behind count: Int) {
    blocks = blocks.prefix(count) + [Array(blocks[count].prefix(blocks[count].count / 2))]
    output.removeLast()
    let first = RehearsalStreams.completed.prefix { $0 != "\n" }
    document = Self.response(in: filled(first)) ?? []
    document.removeLast(document.count / 2)
  }

  /// The Response in `event`; `nil` when it has none.
  private static func response(in event: String) -> [UInt8]? {
    event[...].cut(at: #""response":"#).map { Array($0.after.dropLast().utf8) }
  }

  /// `line` with the texts for the names in it.
  private func filled(_ line: Substring) -> String {
    var made = ""
    var rest = line
    while let parts = rest.cut(at: "$") {
      let name = parts.after.prefix { $0.isUppercase }
      made += parts.before + (name == "REST" ? members : values[String(name)] ?? "")
      rest = parts.after.dropFirst(name.count)
    }
    return made + rest
  }

  /// The members of the Response that `$REST` stands for.
  private var members: String {
    #"""
    "instructions":null,"metadata":{},"model":\#(model),"output":[\#(output.joined(separator: ","))],\#
    "parallel_tool_calls":true,"previous_response_id":null,"store":false,"tool_choice":"auto",\#
    "tools":[{"type":"web_search"}]
    """#
  }
}

/// What depends on the request.
extension RehearsalScript {
  /// JSON that meets the schema of `request`.
  private static func json(_ request: JSONValue) -> String {
    let schema = ["text.format.schema", "response_format.json_schema.schema"].lazy
      .compactMap { request.value(at: BodyPath(members: $0)) }.first
    return schema.map(SchemaSample.text) ?? #"{"rehearsal":true}"#
  }

  /// Plays a call of the first function in `request`, if it has one.
  private mutating func call(_ request: JSONValue) {
    let tools = request["tools"]?.opened.elements?.map(\.opened)
    var tool = tools?.first { $0["type"]?.text == "function" }
    tool = tool?["function"]?.opened ?? tool
    values["NAME"] = String(decoding: (tool?["name"] ?? "rehearse").line, as: UTF8.self)
    let parameters = tool?["parameters"].flatMap { $0.isNull ? nil : $0 }
    play(RehearsalStreams.call, with: SchemaSample.text(of: parameters ?? ["type": "object"]))
  }

  /// Whether `request` has the output of a call: the answer is a text then.
  private static func hasOutput(_ request: JSONValue) -> Bool {
    let items = (request["input"] ?? request["messages"])?.opened.elements ?? []
    return items.map(\.opened).contains {
      $0["type"]?.text == "function_call_output" || $0["role"]?.text == "tool"
    }
  }
}

/// `text` as a JSON string.
private func quoted(_ text: String) -> String {
  String(decoding: JSONValue.text(text).line, as: UTF8.self)
}
