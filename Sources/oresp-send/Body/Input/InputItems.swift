import Core

/// Where items come from that stand before the prompt.
enum ItemSource {
  /// A file of input items.
  case items(path: String)
  /// A file of lines with the outputs of tools.
  case outputs(path: String)
  /// The output of one call: a text, or a file with one or an image.
  case output(callID: String, ValueSource)

  /// The items, read from where they are. The calls of outputs are looked for in `known`.
  func items(
    _ sources: Sources, _ known: [JSONValue]
  ) throws(Failure) -> [JSONValue] {
    switch self {
    case .items(let path):
      let file = try sources.json(path, of: "--items")
      return try FileObject.all(in: file).compactMap { ItemSource.item($0.text) }
    case .outputs(let path):
      return try ToolOutput.items(in: try sources.json(path, of: "--outputs"))
    case .output(let id, let value):
      let call = known.last {
        let item = $0.opened
        return item["call_id"]?.text == id && item["type"]?.text?.hasSuffix("_call") == true
      }
      var answered = call?.opened ?? ["call_id": .text(id)]
      let (text, isImage) = try output(value, sources)
      answered["output"] = text
      var items = try ToolOutput.items(in: FileText(answered.line, name: "--tool-output"))
      if isImage, items.first?["output"]?.string != nil {
        items[0]["output"] = [["type": "input_image", "image_url": text, "detail": "auto"]]
      }
      return items
    }
  }

  /// The item that `text` holds, without what the toolkit says of it; `nil` where it says how a
  /// response ended.
  static func item(_ text: [UInt8]) -> JSONValue? {
    let item = JSONValue.raw(text)
    guard text.span.mayHave("oresp") else { return item }
    var opened = item.opened
    guard opened["type"]?.text != "oresp.end" else { return nil }
    guard opened["oresp"] != nil else { return item }
    opened["oresp"] = nil
    return opened
  }

  /// A text, or the data URL of the image that a file has.
  private func output(
    _ value: ValueSource, _ sources: Sources
  ) throws(Failure) -> (text: JSONValue, isImage: Bool) {
    var reader = ValueReader(sources)
    guard let path = value.file else { return (try reader.value(of: value), false) }
    let file = try sources.text(path)
    guard let type = MediaType.of(file.bytes.span, named: path), type.hasPrefix("image/") else {
      return (.string(try reader.checked(file).bytes), false)
    }
    var url = Array("data:\(type);base64,".utf8)
    Base64Encoder.append(file.bytes, to: &url)
    return (.string(url), true)
  }
}

/// Makes the items that say what calls put out.
enum ToolOutput {
  /// The items for the objects in `file`.
  fileprivate static func items(in file: FileText) throws(Failure) -> [JSONValue] {
    var items: [JSONValue] = []
    for object in try FileObject.all(in: file) where ItemSource.item(object.text) != nil {
      if let item = try item(of: object) { items.append(item) }
    }
    return items
  }

  /// The item that `object` amounts to: an input item stays as it is; a call, or what has no type,
  /// with a member `output`, becomes the item that says so. `nil` for a call that the server made
  /// itself. Throws when it is none of these.
  private static func item(of object: FileObject) throws(Failure) -> JSONValue? {
    let call = JSONValue.raw(object.text).opened
    let type = call["type"]?.string.map { String(decoding: $0, as: UTF8.self) } ?? ""
    switch type {
    case "", "function_call", "custom_tool_call", "shell_call", "local_shell_call",
      "apply_patch_call", "computer_call", "tool_search_call", "mcp_approval_request":
      break
    case "mcp_call": return nil
    case _ where type.hasSuffix("_call"):
      throw object.fault("the output of a \(type) has a form of its own; give the whole input item")
    default: return .raw(object.text)
    }
    let isApproval = type == "mcp_approval_request"
    let name = isApproval ? "id" : "call_id"
    guard let id = call[name]?.string, !id.isEmpty else { throw object.fault("no \(name)") }
    guard let value = call["output"] else {
      throw object.fault("no output for the call \(String(decoding: id, as: UTF8.self))")
    }
    var item: JSONValue =
      isApproval
      ? ["type": "mcp_approval_response", "approval_request_id": .string(id)]
      : ["type": "\(Self.outputType(of: type))", "call_id": .string(id)]
    // A program that called it gets it back.
    if let caller = call["caller"], !caller.isNull { item["caller"] = caller }
    answer(with: value, to: type, in: &item)
    return item
  }

  /// The type of the items that say what came of calls of type `type`.
  private static func outputType(of type: String) -> String {
    switch type {
    case "": "function_call_output"
    case "tool_search_call": "tool_search_output"
    default: "\(type)_output"
    }
  }

  /// Puts what a call of type `type` came to into `item`: a text in the form that its kind has, or
  /// that form itself.
  private static func answer(
    with value: JSONValue, to type: String, in item: inout JSONValue
  ) {
    let members = value.opened.members
    switch type {
    case "shell_call":
      let isWhole = value.opened.elements != nil
      let run: JSONValue = [
        "stdout": text(value), "stderr": "", "outcome": ["type": "exit", "exit_code": 0],
      ]
      item["output"] = isWhole ? value : [members == nil ? run : value]
    case "apply_patch_call":
      item["status"] = "completed"
      for (name, member) in members ?? [("output", text(value))] { item[name] = member }
    case "computer_call":
      item["output"] = members == nil ? ["type": "computer_screenshot", "image_url": value] : value
    case "mcp_approval_request":
      for (name, member) in members ?? [("approve", value)] { item[name] = member }
    case "tool_search_call":
      item["execution"] = "client"
      item["tools"] = value
    default:
      if type == "local_shell_call" { item["id"] = item["call_id"] }
      item["output"] = text(value)
    }
  }

  /// An output that is no string is sent as its JSON.
  private static func text(_ value: JSONValue) -> JSONValue {
    value.string == nil ? .string(value.line) : value
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
        let expected = JSONScan.fault(in: rest, at: &place) ?? "expected a value"
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
