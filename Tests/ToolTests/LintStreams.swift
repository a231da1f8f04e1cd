/// Sound streams with nothing in them that is not needed.
enum LintStreams {
  /// A line of a stream, without the sequence number that its place gives it.
  static func event(_ type: String, _ members: String) -> String {
    #"{"type":"response.\#(type)",\#(members)}"#
  }

  /// The events as NDJSON, numbered from 0.
  static func numbered(_ events: [String]) -> [String] {
    events.enumerated().map { number, event in
      event.dropLast() + #","sequence_number":\#(number)}"#
    }
  }

  static func text(of lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

  static let all = [
    text, summary, refusal, reasoning, function, input, code, patch, shell, search,
  ]

  static let created = event("created", #""response":{"id":"r"}"#)

  static func completed(_ item: String) -> String {
    event("completed", #""response":{"id":"r","status":"completed","output":[\#(item)]}"#)
  }

  static func added(_ type: String) -> String {
    event("output_item.added", #""output_index":0,"item":{"id":"i","type":"\#(type)"}"#)
  }

  static func done(_ item: String) -> String {
    event("output_item.done", #""output_index":0,"item":\#(item)"#)
  }

  /// What events of a part's text have besides their own members.
  static let place = #""item_id":"i","output_index":0"#

  static let message =
    #"{"id":"i","type":"message","content":[{"type":"output_text","text":"😀"}]}"#

  /// A response with one message. Its text has a pair of surrogates, escaped, in two pieces.
  static let text = [
    created, added("message"),
    event(
      "content_part.added", place + #","content_index":0,"part":{"type":"output_text","text":""}"#),
    event("output_text.delta", place + #","content_index":0,"delta":"\ud83d""#),
    event("output_text.delta", place + #","content_index":0,"delta":"\ude00""#),
    event("output_text.done", place + #","content_index":0,"text":"😀""#),
    event(
      "content_part.done", place + #","content_index":0,"part":{"type":"output_text","text":"😀"}"#),
    done(message), completed(message),
  ]

  static let summaryItem =
    #"{"id":"i","type":"reasoning","summary":[{"type":"summary_text","text":"ab"}]}"#

  static let reasoningItem = #"{"id":"i","type":"reasoning"}"#

  static let summary = [
    created, added("reasoning"),
    event(
      "reasoning_summary_part.added",
      place + #","summary_index":0,"part":{"type":"summary_text","text":""}"#),
    event("reasoning_summary_text.delta", place + #","summary_index":0,"delta":"ab""#),
    event("reasoning_summary_text.done", place + #","summary_index":0,"text":"ab""#),
    event(
      "reasoning_summary_part.done",
      place + #","summary_index":0,"part":{"type":"summary_text","text":"ab"}"#),
    done(summaryItem), completed(summaryItem),
  ]

  static func parts(
    _ itemType: String, _ family: String, _ type: String, _ member: String
  ) -> [String] {
    let item =
      #"{"id":"i","type":"\#(itemType)","content":[{"type":"\#(type)","\#(member)":"ab"}]}"#
    let at = place + #","content_index":0"#
    return [
      created, added(itemType),
      event("content_part.added", at + #","part":{"type":"\#(type)","\#(member)":""}"#),
      event("\(family).delta", at + #","delta":"ab""#),
      event("\(family).done", at + #","\#(member)":"ab""#),
      event("content_part.done", at + #","part":{"type":"\#(type)","\#(member)":"ab"}"#),
      done(item), completed(item),
    ]
  }

  /// A response with one call, whose `member` comes in a piece.
  static func call(_ itemType: String, _ family: String, _ member: String) -> [String] {
    let item = #"{"id":"i","type":"\#(itemType)","status":"completed","\#(member)":"ab"}"#
    return [
      created, added(itemType), event("\(family).delta", place + #","delta":"ab""#),
      event("\(family).done", place + #","\#(member)":"ab""#), done(item), completed(item),
    ]
  }

  static let function = call("function_call", "function_call_arguments", "arguments")
  static let input = call("custom_tool_call", "custom_tool_call_input", "input")
  static let code = call("code_interpreter_call", "code_interpreter_call_code", "code")

  static let patchItem = #"{"id":"i","type":"apply_patch_call","operation":{"diff":"ab"}}"#
  static let patch = [
    created, added("apply_patch_call"),
    event("apply_patch_call_operation_diff.delta", place + #","delta":"ab""#),
    event("apply_patch_call_operation_diff.done", place + #","diff":"ab""#),
    done(patchItem), completed(patchItem),
  ]

  static let shellItem = #"{"id":"i","type":"shell_call","action":{"commands":["ls"]}}"#
  static let shell = [
    created, added("shell_call"),
    event("shell_call_command.added", #""output_index":0,"command_index":0,"command":"""#),
    event("shell_call_command.delta", #""output_index":0,"command_index":0,"delta":"ls""#),
    event("shell_call_command.done", #""output_index":0,"command_index":0,"command":"ls""#),
    done(shellItem), completed(shellItem),
  ]

  static let searchItem = #"{"id":"i","type":"web_search_call","status":"completed"}"#
  static let search = [
    created, added("web_search_call"), event("web_search_call.completed", place), done(searchItem),
    completed(searchItem),
  ]

  static let refusal = parts("message", "refusal", "refusal", "refusal")
  static let reasoning = parts("reasoning", "reasoning_text", "reasoning_text", "text")
}
