import Core

/// An option that adds items before the prompt. For the call
///
///     {"type":"custom_tool_call","call_id":"c1","name":"sql","input":"…"}
///
/// in a file of `--previous`, `--outputs '{"call_id":"c1","output":"ok"}'` adds
///
///     {"type":"custom_tool_call_output","call_id":"c1","output":"ok"}
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
    let given = call["type"]?.text ?? ""
    let type = given.isEmpty ? "function_call" : given
    switch type {
    case "function_call", "custom_tool_call": break
    case "mcp_call": return nil
    case _ where type.hasSuffix("_call") || type == "mcp_approval_request":
      throw object.fault("\(type): the answer has a form of its own; --items takes such items")
    default: return .raw(object.text)
    }
    guard let id = call["call_id"]?.string, !id.isEmpty else { throw object.fault("no call_id") }
    guard let value = call["output"] else {
      throw object.fault("no output for the call \(String(decoding: id, as: UTF8.self))")
    }
    var item: JSONValue = ["type": "\(type)_output", "call_id": .string(id)]
    // A call by a program of the model: "caller":{"type":"program","caller_id":"…"}
    if let caller = call["caller"], !caller.isNull { item["caller"] = caller }
    item["output"] = isContent(value) || value.string != nil ? value : .string(value.line)
    return item
  }

  private static func isCall(_ item: JSONValue, _ id: String) -> Bool {
    item["call_id"]?.text == id && item["type"]?.text?.hasSuffix("_call") == true
  }

  /// Whether `value` is a list of parts, such as an image: [{"type":"input_image",…}]
  private static func isContent(_ value: JSONValue) -> Bool {
    let elements = value.opened.elements ?? []
    return !elements.isEmpty
      && elements.allSatisfy { $0.opened["type"]?.text?.hasPrefix("input_") == true }
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
        var scan = JSONScan()
        let rest = file.bytes.span.extracting(droppingFirst: start)
        let expected = scan.fault(in: rest) ?? "expected a value"
        throw file.fault("not JSON: \(expected)", at: start + scan.position)
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
