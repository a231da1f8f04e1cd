package import Core

/// Prints the calls of tools among the output items, each as an object of the same shape.
package struct CallPrinter: RebuiltPrinter {
  /// What makes an item of each type a call: the members that may hold what the tool is given, of
  /// which the first counts, and the tool's name where the item has none.
  private static let calls: [String: (arguments: [String], name: String?)] = [
    "function_call": (["arguments"], nil), "custom_tool_call": (["input"], nil),
    "mcp_call": (["arguments"], nil), "mcp_approval_request": (["arguments"], nil),
    "shell_call": (["action"], "shell"), "local_shell_call": (["action"], "local_shell"),
    "apply_patch_call": (["operation"], "apply_patch"),
    "computer_call": (["action", "actions"], "computer"),
  ]

  package init() {}

  package mutating func print(_ item: ResponseBuilder.Item, into output: inout Output) {
    if let call = Self.call(item.json) { output.append(line: call.line.span) }
  }

  /// What is printed of `json`, an item; `nil` when it is no call.
  private static func call(_ json: [UInt8]) -> JSONValue? {
    let type = JSONChildren.text(of: "type", in: json.span)
    guard let (members, name) = calls[type], let item = JSONValue(object: json.span) else {
      return nil
    }
    var call = JSONValue.object([("type", .text(type))])
    call["id"] = item["id"] ?? .null
    call["call_id"] = item["call_id"] ?? .null
    call["name"] = item["name"] ?? name.map { .text($0) } ?? .null
    if let server = item["server_label"] { call["server_label"] = server }
    call["status"] = item["status"] ?? .null
    let arguments = arguments(of: item, members)
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
  private static func arguments(of item: JSONValue, _ members: [String]) -> [UInt8]? {
    for name in members {
      guard let value = item[name], !value.isNull else { continue }
      return value.string ?? value.line
    }
    return nil
  }
}
