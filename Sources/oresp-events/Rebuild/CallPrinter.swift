package import Core

/// Prints the calls of tools among the output items, each as an object of the same shape.
package struct CallPrinter: RebuiltPrinter {
  package init() {}

  package mutating func print(_ item: ResponseBuilder.Item, into output: inout Output) {
    if let call = Self.call(item.json) { output.append(line: call.line.span) }
  }

  /// What is printed of `item`; `nil` when it is no call.
  private static func call(_ item: [UInt8]) -> JSONValue? {
    let type = JSONChildren.text(of: "type", in: item.span)
    guard let kind = kinds[type] else { return nil }
    var call = JSONValue.object([("type", .text(type))])
    call["id"] = member("id", of: item) ?? .null
    call["call_id"] = member("call_id", of: item) ?? .null
    call["name"] = member("name", of: item) ?? kind.name.map { .text($0) } ?? .null
    if let server = member("server_label", of: item) { call["server_label"] = server }
    call["status"] = member("status", of: item) ?? .null
    let arguments = arguments(of: item, in: kind.members)
    call["arguments"] = arguments.map { .string($0) } ?? .null
    call["parsed"] = .null
    if let arguments, JSONScanner.accepts(arguments.span) {
      call["parsed"] = .raw(arguments.filter { $0 != ASCII.lf && $0 != ASCII.cr })
    }
    for name in ["output", "error"] {
      if let value = member(name, of: item) { call[name] = value }
    }
    return call
  }

  /// The types of items that are calls: the members that may hold what the tool is given, and the
  /// tool's name where the item has none.
  private static let kinds: [String: (members: [String], name: String?)] = [
    "function_call": (["arguments"], nil), "custom_tool_call": (["input"], nil),
    "mcp_call": (["arguments"], nil), "mcp_approval_request": (["arguments"], nil),
    "shell_call": (["action"], "shell"), "local_shell_call": (["action"], "local_shell"),
    "computer_call": (["action", "actions"], "computer"),
    "apply_patch_call": (["operation"], "apply_patch"),
  ]

  private static func member(_ name: String, of item: [UInt8]) -> JSONValue? {
    JSONValue(object: item.span)?[name]
  }

  /// What the tool is given: a string's text, or anything else as it is spelled.
  private static func arguments(of item: [UInt8], in names: [String]) -> [UInt8]? {
    for name in names {
      guard case .raw(let value)? = member(name, of: item), value.first != UInt8(ascii: "n") else {
        continue
      }
      return value.first == ASCII.quote ? JSONString.decoded(value.span) : value
    }
    return nil
  }
}
