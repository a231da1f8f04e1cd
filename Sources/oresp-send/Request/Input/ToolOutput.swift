import Core

/// The kinds of calls whose output is a text; the raw value is the type of the item that has it.
package enum ToolOutput: String, Sendable {
  case function = "function_call_output"
  case custom = "custom_tool_call_output"

  /// The option that gives the output of such a call.
  var option: String { self == .function ? "--tool-output" : "--custom-tool-output" }

  /// The item that says what `callID` put out; both are JSON strings.
  func item(callID: JSONValue, output: JSONValue) -> JSONValue {
    .object([("type", .text(rawValue)), ("call_id", callID), ("output", output)])
  }

  /// The item that `object` amounts to: an input item stays as it is; a call, or what has no type,
  /// with a member `output`, becomes the item that says so. `nil` for a call that the server made
  /// itself. Throws when it is none of these.
  static func item(of object: JSONObjects.Object) throws(Failure) -> JSONValue? {
    let line = object.text.span
    let type = JSONChildren.text(of: "type", in: line)
    if type == "mcp_call" { return nil }
    guard let output = try kind(ofCall: type, object.place) else { return .raw(object.text) }
    guard let id = JSONChildren.string(of: "call_id", in: line), !id.isEmpty else {
      throw .other("\(object.place): no call_id", .badInput)
    }
    guard let value = JSONChildren.value(of: "output", in: line) else {
      let call = String(decoding: id, as: UTF8.self)
      throw .other("\(object.place): no output for the call \(call)", .badInput)
    }
    return output.item(callID: .string(id), output: text(line.extracting(value)))
  }

  /// What the output of a call of `type` is; `nil` when that is no type of a call.
  private static func kind(
    ofCall type: String, _ place: String
  ) throws(Failure) -> ToolOutput? {
    switch type {
    case "", "function_call": return .function
    case "custom_tool_call": return .custom
    case _ where type.hasSuffix("_call") || type == "mcp_approval_request":
      let why = "the output of a \(type) has a form of its own; give the whole input item"
      throw .other("\(place): \(why)", .badInput)
    default: return nil
    }
  }

  /// `value` as a string: itself, or its JSON.
  private static func text(_ value: Span<UInt8>) -> JSONValue {
    let spelled = [UInt8](copying: value)
    return spelled.first == ASCII.quote ? .raw(spelled) : .string(spelled)
  }
}
