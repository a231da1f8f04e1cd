import Core

/// An option that adds items before the prompt. For the call
///
///     {"type":"shell_call","call_id":"c1","action":{…}}
///
/// in a file of `--previous`, `--outputs '{"call_id":"c1","output":"ok"}'` adds
///
///     {"type":"shell_call_output","call_id":"c1","output":[
///       {"stdout":"ok","stderr":"","outcome":{"type":"exit","exit_code":0}}]}
enum ItemSource {
  /// A file of input items.
  case items(path: String)
  /// A file with the outputs of calls.
  case outputs(path: String)

  /// The items. `known` has the calls that outputs are for.
  func items(_ sources: Sources, _ known: [JSONValue]) throws(Failure) -> [JSONValue] {
    switch self {
    case .items(let path):
      let file = try sources.json(path, of: "--items")
      return try FileObject.all(in: file).compactMap { Self.item($0.text) }
    case .outputs(let path):
      return try Self.outputItems(in: try sources.json(path, of: "--outputs"), of: known)
    }
  }

  /// The file with its items; `nil` for what the command line itself gives.
  var file: String? {
    switch self {
    case .items(let path), .outputs(let path): Sources.isInPlace(path) ? nil : path
    }
  }

  /// The item that `text` is, without its member `oresp`; `nil` if it is an `oresp.end`.
  static func item(_ text: [UInt8]) -> JSONValue? {
    let item = JSONValue.raw(text)
    var opened = item.opened
    guard opened["type"]?.text != "oresp.end" else { return nil }
    guard opened["oresp"] != nil else { return item }
    opened["oresp"] = nil
    return opened
  }
}

/// Items that are made out of calls and their outputs.
extension ItemSource {
  private static func outputItems(
    in file: FileText, of known: [JSONValue]
  ) throws(Failure) -> [JSONValue] {
    let objects = try FileObject.all(in: file).filter { Self.item($0.text) != nil }
    let items = try objects.map { object throws(Failure) in try outputItem(of: object, known) }
    return items.compactMap(\.self)
  }

  /// The item with the output of the call `object`, a member `output` of it. Where it lacks its type,
  /// the call of its id among those that are `known` has it, or it is the call of a function. An item
  /// of another type is returned as it is, and `nil` for a call that the server made itself.
  private static func outputItem(
    of object: FileObject, _ known: [JSONValue]
  ) throws(Failure) -> JSONValue? {
    var call = JSONValue.raw(object.text).opened
    if call["type"] == nil, let id = call["call_id"]?.text,
      var made = known.last(where: { isCall($0.opened, id) })?.opened
    {
      for (name, value) in call.members ?? [] { made[name] = value }
      call = made
    }
    let type = call["type"]?.text ?? ""
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
    // A call by a program of the model: "caller":{"type":"program","caller_id":"…"}
    if let caller = call["caller"], !caller.isNull { item["caller"] = caller }
    answer(with: value, to: type, in: &item)
    return item
  }

  private static func isCall(_ item: JSONValue, _ id: String) -> Bool {
    item["call_id"]?.text == id && item["type"]?.text?.hasSuffix("_call") == true
  }

  /// The type of an item with the output of a call of type `type`.
  private static func outputType(of type: String) -> String {
    switch type {
    case "": "function_call_output"
    case "tool_search_call": "tool_search_output"
    default: "\(type)_output"
    }
  }

  /// Puts the output of a call of type `type` into `item`: a text in the form of that type, or JSON
  /// that has the form already.
  private static func answer(with value: JSONValue, to type: String, in item: inout JSONValue) {
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
      item["output"] = isContent(value) ? value : text(value)
    }
  }

  /// Whether `value` is a list of parts, such as an image: [{"type":"input_image",…}]
  private static func isContent(_ value: JSONValue) -> Bool {
    let elements = value.opened.elements ?? []
    return !elements.isEmpty
      && elements.allSatisfy { $0.opened["type"]?.text?.hasPrefix("input_") == true }
  }

  /// `value`, or the JSON of what is no string.
  private static func text(_ value: JSONValue) -> JSONValue {
    value.string == nil ? .string(value.line) : value
  }
}

/// A JSON object in a file of objects, which stand one after the other or in arrays.
struct FileObject {
  private let file: FileText
  private let range: Range<Int>

  var text: [UInt8] { Array(file.bytes[range]) }

  /// The objects in `file`. Throws where something else stands.
  static func all(in file: FileText) throws(Failure) -> [FileObject] {
    try file.checkUTF8()
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

  /// The failure for a fault, `why`, in the object.
  func fault(_ why: String) -> Failure { file.fault(why, at: range.lowerBound) }
}
