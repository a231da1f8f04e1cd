import Core

/// Where items come from that stand before the prompt.
enum ItemSource {
  /// A file of input items.
  case items(path: String)
  /// A file of lines with the outputs of tools.
  case outputs(path: String)
  /// The output of one call, which is a text.
  case output(callID: String, ValueSource, type: ToolOutput)

  /// The file that is read, and how it is named if it is standard input.
  var reading: (told: String, file: String?) {
    switch self {
    case .items(let path): ("--items -", path)
    case .outputs(let path): ("--outputs -", path)
    case .output(_, let value, let type): ("\(type.option) @-", value.file)
    }
  }

  /// The items, read from where they are.
  func items(_ sources: RequestBuilder.Sources) throws(Failure) -> [JSONValue] {
    switch self {
    case .items(let path):
      return try FileObject.all(in: try sources.text(path)).map { .raw($0.text) }
    case .outputs(let path):
      var items: [JSONValue] = []
      for object in try FileObject.all(in: try sources.text(path)) {
        if let item = try ToolOutput.item(of: object) { items.append(item) }
      }
      return items
    case .output(let id, let value, let type):
      var reader = ValueReader(sources)
      return [type.item(callID: .text(id), output: try reader.value(of: value))]
    }
  }
}

/// The kinds of calls whose output is a text; the raw value is the type of the item that has it.
enum ToolOutput: String, Sendable {
  case function = "function_call_output"
  case custom = "custom_tool_call_output"

  /// The option that gives the output of such a call.
  var option: String { self == .function ? "--tool-output" : "--custom-tool-output" }

  /// The item that says what `callID` put out; both are JSON strings.
  fileprivate func item(callID: JSONValue, output: JSONValue) -> JSONValue {
    .object([("type", .text(rawValue)), ("call_id", callID), ("output", output)])
  }

  /// The item that `object` amounts to: an input item stays as it is; a call, or what has no type,
  /// with a member `output`, becomes the item that says so. `nil` for a call that the server made
  /// itself. Throws when it is none of these.
  fileprivate static func item(of object: FileObject) throws(Failure) -> JSONValue? {
    let text = object.text
    let type = JSONChildren.text(of: "type", in: text.span)
    let output: ToolOutput
    switch type {
    case "", "function_call": output = .function
    case "custom_tool_call": output = .custom
    case "mcp_call": return nil
    case _ where type.hasSuffix("_call") || type == "mcp_approval_request":
      throw object.fault("the output of a \(type) has a form of its own; give the whole input item")
    default: return .raw(text)
    }
    guard let id = JSONChildren.string(of: "call_id", in: text.span), !id.isEmpty else {
      throw object.fault("no call_id")
    }
    guard case .raw(let value)? = JSONChildren.raw(of: "output", in: text.span) else {
      throw object.fault("no output for the call \(String(decoding: id, as: UTF8.self))")
    }
    // An output that is no string is sent as its JSON.
    return output.item(
      callID: .string(id), output: value.first == ASCII.quote ? .raw(value) : .string(value))
  }
}

/// A JSON object in a file that has them one a line, one behind the other, or in an array.
struct FileObject {
  private let file: FileText
  private let range: Range<Int>

  var text: [UInt8] { Array(file.bytes[range]) }

  /// The objects in `file`. Throws where something else stands.
  static func all(in file: FileText) throws(Failure) -> [FileObject] {
    if let place = UTF8Repair.firstFault(in: file.bytes.span) {
      throw file.fault("not UTF-8", at: place)
    }
    var objects: [FileObject] = []
    var index = 0
    while let start = file.bytes[index...].firstIndex(where: { !ASCII.isSpace($0) }) {
      guard let end = JSONChildren.endOfValue(file.bytes.span, at: start) else {
        var place = 0
        let rest = file.bytes.span.extracting(droppingFirst: start)
        let expected = JSONScanner.fault(in: rest, at: &place) ?? "expected a value"
        throw file.fault("not JSON: \(expected)", at: start + place)
      }
      let value = start..<end
      let isArray = file.bytes[start] == ASCII.openBracket
      objects += (isArray ? JSONChildren.elements(at: value, in: file.bytes.span) : [value]).map {
        FileObject(file: file, range: $0)
      }
      index = end
    }
    for object in objects where file.bytes[object.range.lowerBound] != ASCII.openBrace {
      throw object.fault("expected a JSON object")
    }
    return objects
  }

  /// The failure that tells `why` the object is not what it must be.
  func fault(_ why: String) -> Failure { file.fault(why, at: range.lowerBound) }
}

/// Finds the id of a response in whatever tells of it.
enum ResponseID {
  /// The id that is told last in `file`: an event stream, NDJSON of events or of a log, or a
  /// response document.
  static func last(in file: FileText) throws(Failure) -> JSONValue {
    var settings = EventReader.Settings()
    settings.validates = true
    var feed = EventFeed(settings, sorting: .takingAll)
    var input = InputBuffer()
    input.append(file.bytes.span)
    var last: [UInt8]?
    var found = Output()
    feed.each(in: &input, isEnd: true, into: &found) { _, line, _ in
      last = id(in: line) ?? last
      return .ignored
    }
    if let last { return .string(last) }
    let fault = found.notices.first { $0.kind == .error }
    throw file.fault("no id of a response in it\(why(fault))")
  }

  /// The id in one event, or one line of a log or of a batch.
  private static func id(in line: Span<UInt8>) -> [UInt8]? {
    let id =
      JSONChildren.string(of: "response", "id", in: line)
      ?? JSONChildren.string(of: "response_id", in: line)
      ?? JSONChildren.string(of: "response", "body", "id", in: line)
    return id?.isEmpty == true ? nil : id
  }

  private static func why(_ fault: Notice?) -> String {
    guard let fault else { return "" }
    return fault.place.map { ": line \($0.line): \(fault.message)" } ?? ": \(fault.message)"
  }
}
