package import Core

/// Prints the tool calls among the output items, each as an object of the same shape: all of them
/// as they end, or, at the end of the response, only calls that need an output from the client.
package struct CallPrinter: RebuiltPrinter {
  package let keeping = ResponseBuilder.Keeping.calls

  /// The types of calls: the members that may hold the tool's arguments (the first counts), and the
  /// tool's name for items that have none.
  private static let calls: [String: (arguments: [String], name: String?)] = [
    "function_call": (["arguments"], nil), "custom_tool_call": (["input"], nil),
    "mcp_call": (["arguments"], nil), "mcp_approval_request": (["arguments"], nil),
    "shell_call": (["action"], "shell"), "local_shell_call": (["action"], "local_shell"),
    "apply_patch_call": (["operation"], "apply_patch"),
    "computer_call": (["action", "actions"], "computer"),
    "tool_search_call": (["arguments"], "tool_search"),
  ]
  /// The further members of an item that are printed when it has them.
  private static let extras = [
    "output", "error", "caller", "namespace", "environment", "execution", "pending_safety_checks",
  ]

  /// The type of an environment that is the client's.
  private static let local = Array("local".utf8)

  private let isPendingOnly: Bool
  /// The calls of the open response that may wait for an output, and the ids that have one.
  private var pending: [JSONValue] = []
  private var answered: Set<[UInt8]> = []

  package init(pendingOnly: Bool = false) { isPendingOnly = pendingOnly }

  package mutating func print(
    _ made: ResponseBuilder.Item, of response: Response, into output: inout Output
  ) {
    let kind = ItemCatalogue.kin(of: JSONChildren.text(of: "type", in: made.json.span))
    guard isPendingOnly || Self.calls[kind] != nil, let item = JSONValue(object: made.json.span)
    else { return }
    var call = Self.call(item, kind)
    if !response.tag.isEmpty { call?["oresp"] = .object([("request", .string(response.tag))]) }
    if !isPendingOnly {
      if let call { output.append(line: call.line.span) }
    } else if let call, Self.waits(item, kind) {
      pending.append(call)
    } else {
      answered.formUnion(["call_id", "approval_request_id"].compactMap { item[$0]?.string })
    }
  }

  package mutating func print(
    _ rebuilt: ResponseBuilder.Rebuilt, of response: Response, into output: inout Output
  ) {
    for call in pending {
      let ids = ["call_id", "id"].compactMap { call[$0]?.string }
      let isOpen = rebuilt.isTruncated && call["status"]?.string == Array("in_progress".utf8)
      if answered.isDisjoint(with: ids), !isOpen { output.append(line: call.line.span) }
    }
  }

  /// Whether `item`, a call of type `kind`, needs an output from the client, unless one has come.
  private static func waits(_ item: JSONValue, _ kind: String) -> Bool {
    let place = item["environment"]?.opened["type"]?.string
    return kind != "mcp_call" && place ?? local == local
      && item["status"]?.string != Array("incomplete".utf8)
  }

  /// The object to print for `item`, of type `type`; `nil` when it is no call, or is a tool search
  /// that the server itself does.
  private static func call(_ item: JSONValue, _ type: String) -> JSONValue? {
    guard let (members, name) = calls[type],
      type != "tool_search_call" || item["execution"]?.string == Array("client".utf8)
    else { return nil }
    var call = JSONValue.object([("type", .text(type))])
    call["id"] = item["id"] ?? .null
    call["call_id"] = item["call_id"] ?? .null
    call["name"] = item["name"] ?? name.map { .text($0) } ?? .null
    if let server = item["server_label"] { call["server_label"] = server }
    call["status"] = item["status"] ?? .null
    let arguments = arguments(of: item, members)
    call["arguments"] = arguments.map { .string($0) } ?? .null
    call["parsed"] = .null
    if let arguments, JSONScan.accepts(arguments.span) {
      call["parsed"] = .raw(arguments.span.withoutLineEnds)
    }
    for name in extras {
      if let value = item[name] { call[name] = value }
    }
    return call
  }

  /// The arguments of the tool: a string's text, any other value as it is spelled; `nil` for none.
  private static func arguments(of item: JSONValue, _ members: [String]) -> [UInt8]? {
    for name in members {
      guard let value = item[name], !value.isNull else { continue }
      return value.string ?? value.line
    }
    return nil
  }
}
