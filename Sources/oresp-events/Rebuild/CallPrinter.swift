package import Core

/// Prints the calls of tools among the output items, each as an object of the same shape.
package struct CallPrinter: RebuiltPrinter {
  package init() {}

  package mutating func print(_ item: ResponseBuilder.Item, into output: inout Output) {
    if let call = Self.call(item.json) { output.append(line: call.line.span) }
  }

  /// What is printed of `json`, an item; `nil` when it is no call.
  private static func call(_ json: [UInt8]) -> JSONValue? {
    let type = JSONChildren.text(of: "type", in: json.span)
    guard let kind = ItemCatalogue.row(of: type)?.call, let item = JSONValue(object: json.span)
    else { return nil }
    var call = JSONValue.object([("type", .text(type))])
    call["id"] = item["id"] ?? .null
    call["call_id"] = item["call_id"] ?? .null
    call["name"] = item["name"] ?? kind.name.map { .text($0.description) } ?? .null
    if let server = item["server_label"] { call["server_label"] = server }
    call["status"] = item["status"] ?? .null
    let arguments = arguments(of: item, kind)
    call["arguments"] = arguments.map { .string($0) } ?? .null
    call["parsed"] = .null
    if let arguments, JSONScanner.accepts(arguments.span) {
      call["parsed"] = .raw(arguments.span.withoutLineEnds)
    }
    for name in ["output", "error"] {
      if let value = item[name] { call[name] = value }
    }
    return call
  }

  /// What the tool is given: a string's text, or anything else as it is spelled.
  private static func arguments(of item: JSONValue, _ kind: ItemCall) -> [UInt8]? {
    for name in kind.arguments {
      guard let value = item[name.description], !value.isNull else { continue }
      return value.string ?? value.line
    }
    return nil
  }
}
