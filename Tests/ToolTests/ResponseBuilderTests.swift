import Core
import Foundation
import Testing
import oresp_events

/// What is rebuilt from lines: each response by a builder of its own.
private struct Rebuilding {
  private let keeping: ResponseBuilder.Keeping
  private var judge = Judge()
  private var builder: ResponseBuilder
  private(set) var items: [ResponseBuilder.Item] = []
  private(set) var responses: [ResponseBuilder.Rebuilt] = []

  init(keeping: ResponseBuilder.Keeping = .responses, _ lines: [String] = []) {
    self.keeping = keeping
    builder = ResponseBuilder(keeping: keeping)
    judge.needsItems = true
    for line in lines { handle(line) }
    finish()
  }

  mutating func handle(_ line: String) {
    var output = Output()
    let bytes = Array(line.utf8)
    var event = Event(of: bytes.span)
    var judge = judge
    defer { self.judge = judge }
    judge.handle(&event, bytes.span, into: &output) { event, line, _ in
      if !builder.goOn(with: event, line) { builder.handle(event, line) }
      items += builder.takeItems()
    } close: { _, _ in
      finish()
    }
  }

  private mutating func finish() {
    builder.finish()
    items += builder.takeItems()
    if let response = builder.takeResponse() { responses.append(response) }
    builder = ResponseBuilder(keeping: keeping)
  }
}

/// The responses that are rebuilt from lines: each with `…` in front when its end was missing.
private func rebuild(_ lines: [String]) -> [String] {
  Rebuilding(lines).responses.map {
    ($0.isTruncated ? "…" : "") + String(decoding: $0.json, as: UTF8.self)
  }
}

/// The output of the one response that is rebuilt from lines without an end.
private func output(_ lines: [String]) -> String {
  let head =
    #"…{"object":"response","status":"incomplete","incomplete_details":{"reason":"truncated_stream"},"output":["#
  let texts = rebuild(lines)
  guard texts.count == 1, texts[0].hasPrefix(head) else { return texts.joined(separator: "\n") }
  return String(texts[0].dropFirst(head.count).dropLast(2))
}

private func event(_ type: String, _ members: String) -> String {
  #"{"type":"response.\#(type)",\#(members)}"#
}

private let created = event(
  "created", #""response":{"id":"r","status":"in_progress","n":1.0,"output":[]}"#)

@Suite struct ResponseBuilderTests {
  @Test(
    arguments: [
      // The terminal event's own object is cut out, to the byte.
      (
        [
          created,
          event("completed", #""response":{ "id":"r", "n":1.0,"output":[ {"type":"x"} ]}"#),
        ],
        [#"{ "id":"r", "n":1.0,"output":[ {"type":"x"} ]}"#]
      ),
      ([event("incomplete", #""response":{"id":"r","output":[]}"#)], [#"{"id":"r","output":[]}"#]),
      // An output that is null, empty or too short gives way to what was streamed.
      (
        [
          event("output_item.done", #""output_index":0,"item":{"type":"a","n":1.0}"#),
          event("completed", #""response":{"id":"r","output":null,"z":1}"#),
        ],
        [#"{"id":"r","output":[{"type":"a","n":1.0}],"z":1}"#]
      ),
      (
        [
          created, event("output_item.done", #""output_index":1,"item":{"type":"b"}"#),
          event("output_item.done", #""output_index":0,"item":{"type":"a"}"#),
          event("completed", #""response":{"output":[{"type":"a"}]}"#),
        ],
        [#"{"output":[{"type":"a"}]}"#]
      ),
      // The whole response lacks what the end of an item had, or has it anew.
      (
        [
          created,
          event(
            "output_item.done",
            #""output_index":0,"item":{"type":"function_call","id":"f","arguments":"{}"}"#),
          event("completed", #""response":{"output":[{"type":"function_call","id":"f"}]}"#),
        ],
        [#"{"output":[{"type":"function_call","id":"f","arguments":"{}"}]}"#]
      ),
      (
        [
          created,
          event(
            "output_item.done",
            #""output_index":0,"item":{"type":"message","id":"m","content":[{"type":"output_text","text":"a"}]}"#
          ),
          event(
            "completed",
            #""response":{"output":[{"type":"message","id":"m","content":[{"type":"output_text","text":"b"}]}]}"#
          ),
        ],
        [#"{"output":[{"type":"message","id":"m","content":[{"type":"output_text","text":"b"}]}]}"#]
      ),
      // A terminal event without an object, and none at all.
      (
        [created, event("completed", #""response_id":"r""#)],
        [#"{"id":"r","status":"completed","n":1.0,"output":[]}"#]
      ),
      (
        [created],
        [
          #"…{"id":"r","status":"incomplete","n":1.0,"output":[],"incomplete_details":{"reason":"truncated_stream"}}"#
        ]
      ),
      (
        [created, #"{"type":"error","error":{"code":"c","message":"m"}}"#],
        [#"{"id":"r","status":"failed","n":1.0,"output":[],"error":{"code":"c","message":"m"}}"#]
      ),
      (
        [
          event("output_item.done", #""output_index":0,"item":{"type":"a"}"#),
          #"{"type":"error","code":"c","message":"m","param":null}"#,
        ],
        [
          #"{"object":"response","status":"failed","error":{"code":"c","message":"m"},"output":[{"type":"a"}]}"#
        ]
      ),
      // An error alone is a response that failed, and does not fail the next.
      (
        [#"{"type":"error","code":"c","message":"m","param":null}"#],
        [
          #"{"object":"response","status":"failed","error":{"code":"c","message":"m"},"output":[]}"#
        ]
      ),
      (
        [#"{"type":"error","message":"m"}"#, created],
        [
          #"{"object":"response","status":"failed","error":{"code":null,"message":"m"},"output":[]}"#
        ] + rebuild([created])
      ),
      // Several, each its own.
      (
        [created, event("completed", #""response":{"id":"1"}"#), created, created],
        [
          #"{"id":"1","status":"completed","n":1.0,"output":[]}"#, rebuild([created])[0],
          rebuild([created])[0],
        ]
      ),
      (
        [
          created, event("in_progress", #""response":{"id":"r","output":[]}"#),
          event("done", #""response":{"id":"3"}"#),
        ], [#"{"id":"3","output":[],"status":"completed"}"#]
      ),
      // Another id is another response, if the one before has output.
      (
        [
          created, event("queued", #""response":{"id":"r2","output":[]}"#),
          event("completed", #""response":{"id":"r2"}"#),
        ], [#"{"id":"r2","output":[],"status":"completed"}"#]
      ),
      (["{\"type\":\"keepalive\"}"], []),
    ] as [([String], [String])])
  func `a response is rebuilt from its events`(lines: [String], expected: [String]) {
    #expect(rebuild(lines) == expected)
  }

  @Test(
    arguments: [
      // Deltas, and the whole that stands for them.
      (
        [
          event(
            "output_item.added",
            #""output_index":0,"item":{"type":"message","id":"m","content":[]}"#),
          event(
            "content_part.added",
            #""output_index":0,"content_index":0,"part":{"type":"output_text","annotations":[],"text":""}"#
          ),
          event("output_text.delta", #""output_index":0,"content_index":0,"delta":"a\ud83d""#),
          event("output_text.delta", #""output_index":0,"content_index":0,"delta":"\ude00""#),
          event(
            "output_text.annotation.added",
            #""output_index":0,"content_index":0,"annotation_index":0,"annotation":{"u":1}"#),
        ],
        #"{"type":"message","id":"m","content":[{"type":"output_text","annotations":[{"u":1}],"text":"a\ud83d\ude00"}]}"#
      ),
      (
        [
          event("output_text.delta", #""output_index":0,"delta":"ab""#),
          event("output_text.done", #""output_index":0,"text":"abc""#),
        ],
        #"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"abc"}]}"#
      ),
      (
        [
          event(
            "content_part.done",
            #""output_index":0,"content_index":0,"part":{"type":"refusal","refusal":"no"}"#)
        ],
        #"{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"no"}]}"#
      ),
      (
        [
          event("refusal.delta", #""output_index":0,"content_index":0,"delta":"n""#),
          event("refusal.delta", #""output_index":0,"content_index":0,"delta":"o""#),
        ],
        #"{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"no"}]}"#
      ),
      (
        [
          event("reasoning_text.delta", #""output_index":0,"content_index":0,"delta":"hm""#),
          event("reasoning_summary_text.delta", #""output_index":0,"summary_index":0,"delta":"s""#),
        ],
        #"{"type":"reasoning","content":[{"type":"reasoning_text","text":"hm"}],"summary":[{"type":"summary_text","text":"s"}]}"#
      ),
      (
        [
          event(
            "reasoning_part.added",
            #""output_index":0,"content_index":0,"part":{"type":"reasoning_text","text":""}"#),
          event("reasoning.delta", #""output_index":0,"content_index":0,"delta":"hm""#),
        ],
        #"{"type":"reasoning","content":[{"type":"reasoning_text","text":"hm"}]}"#
      ),
      (
        [
          event("output_text.delta", #""output_index":0,"delta":"a","logprobs":[{"t":1}]"#),
          event("output_text.delta", #""output_index":0,"delta":"b","logprobs":[{"t":2}]"#),
        ],
        #"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ab","logprobs":[{"t":1},{"t":2}]}]}"#
      ),
      // Calls.
      (
        [
          event(
            "output_item.added",
            #""output_index":0,"item":{"type":"function_call","arguments":"","name":"f"}"#),
          event("function_call_arguments.delta", #""output_index":0,"delta":"{\"a\"""#),
          event("function_call_arguments.delta", #""output_index":0,"delta":":1}""#),
        ],
        #"{"type":"function_call","arguments":"{\"a\":1}","name":"f"}"#
      ),
      (
        [event("mcp_call.arguments_done", #""output_index":0,"arguments":"{}""#)],
        #"{"type":"mcp_call","arguments":"{}"}"#
      ),
      (
        [event("custom_tool_call_input.delta", #""output_index":0,"delta":"x""#)],
        #"{"type":"custom_tool_call","input":"x"}"#
      ),
      (
        [
          event(
            "output_item.added",
            #""output_index":0,"item":{"type":"code_interpreter_call","code":null,"status":"in_progress"}"#
          ),
          event("code_interpreter_call_code.delta", #""output_index":0,"delta":"1+1""#),
          event("code_interpreter_call.interpreting", #""output_index":0"#),
        ],
        #"{"type":"code_interpreter_call","code":"1+1","status":"interpreting"}"#
      ),
      (
        [
          event("shell_call_command.added", #""output_index":0,"command_index":0,"command":"""#),
          event("shell_call_command.delta", #""output_index":0,"command_index":0,"delta":"ls""#),
          event("shell_call_command.done", #""output_index":0,"command_index":1,"command":"pwd""#),
        ],
        #"{"type":"shell_call","action":{"commands":["ls","pwd"]}}"#
      ),
      (
        [
          event(
            "shell_call_output_content.delta",
            #""output_index":0,"command_index":0,"delta":{"stdout":"a"}"#),
          event(
            "shell_call_output_content.delta",
            #""output_index":0,"command_index":0,"delta":{"stdout":"b","stderr":"e"}"#),
        ],
        #"{"type":"shell_call_output","output":[{"stdout":"ab","stderr":"e"}]}"#
      ),
      (
        [
          event(
            "output_item.added",
            #""output_index":0,"item":{"type":"apply_patch_call","operation":{"type":"create_file","diff":""}}"#
          ), event("apply_patch_call_operation_diff.delta", #""output_index":0,"delta":"+a""#),
        ],
        #"{"type":"apply_patch_call","operation":{"type":"create_file","diff":"+a"}}"#
      ),
      // Places: gaps and disorder, none at all, an id that changes, an item that is done.
      (
        [
          event("created", #""response":{"object":"response"}"#),
          event("output_item.done", #""output_index":5,"item":{"type":"b"}"#),
          event("output_item.done", #""output_index":2,"item":{"type":"a"}"#),
        ], #"{"type":"a"},{"type":"b"}"#
      ),
      (
        [
          event("output_item.added", #""item":{"type":"web_search_call","id":"w"}"#),
          event("output_text.delta", #""delta":"a""#), event("output_text.delta", #""delta":"b""#),
        ],
        #"{"type":"web_search_call","id":"w"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ab"}]}"#
      ),
      (
        [
          event("output_item.added", #""output_index":0,"item":{"type":"message","id":"m0"}"#),
          event("output_item.added", #""output_index":1,"item":{"type":"message","id":"m1"}"#),
          event("output_text.delta", #""item_id":"m0","delta":"a""#),
        ],
        #"{"type":"message","id":"m0","content":[{"type":"output_text","text":"a"}]},{"type":"message","id":"m1"}"#
      ),
      (
        [
          event("output_item.done", #""output_index":0,"item":{"type":"message","content":[]}"#),
          event("output_text.delta", #""output_index":0,"delta":"late""#),
        ],
        #"{"type":"message","content":[]}"#
      ),
      // The text with which a part opens stands until its deltas come.
      (
        [
          event(
            "output_item.added",
            #""output_index":0,"item":{"type":"message","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]}"#
          ), event("output_text.delta", #""output_index":0,"delta":"ab""#),
        ],
        #"{"type":"message","content":[{"type":"output_text","text":"ab"},{"type":"output_text","text":"b"}]}"#
      ),
      (
        [
          event(
            "content_part.added",
            #""output_index":0,"content_index":0,"part":{"type":"output_text","text":"ab"}"#),
          event("output_text.delta", #""output_index":0,"delta":"""#),
        ], #"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ab"}]}"#
      ),
      // An item whose end has no list, or only empty texts, takes the streamed one whole.
      (
        [
          event("output_text.delta", #""output_index":0,"content_index":0,"delta":"a""#),
          event("output_text.delta", #""output_index":0,"content_index":1,"delta":"b""#),
          event("output_item.done", #""output_index":0,"item":{"type":"message"}"#),
        ],
        #"{"type":"message","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]}"#
      ),
      (
        [
          event("output_text.delta", #""output_index":0,"content_index":0,"delta":"a""#),
          event("output_text.delta", #""output_index":0,"content_index":1,"delta":"b""#),
          event(
            "output_item.done",
            #""output_index":0,"item":{"type":"message","content":[{"type":"output_text","text":""}]}"#
          ),
        ],
        #"{"type":"message","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]}"#
      ),
      (
        [
          event("output_text.delta", #""output_index":0,"content_index":0,"delta":"a""#),
          event("output_text.delta", #""output_index":0,"content_index":1,"delta":"b""#),
          event(
            "output_item.done",
            #""output_index":0,"item":{"type":"message","content":[{"type":"output_text","text":""},{"type":"output_text","text":"c"}]}"#
          ),
        ],
        #"{"type":"message","content":[{"type":"output_text","text":""},{"type":"output_text","text":"c"}]}"#
      ),
      // A text that was put into another member stays there.
      (
        [
          event("reasoning_text.delta", #""output_index":0,"content_index":0,"delta":"hm""#),
          event(
            "output_item.done",
            #""output_index":0,"item":{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}"#
          ),
        ], #"{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}"#
      ),
      (
        [
          event("mcp_call_output.delta", #""output_index":0,"delta":"4""#),
          event("mcp_call.completed", #""output_index":0"#),
        ], #"{"type":"mcp_call","output":"4","status":"completed"}"#
      ),
      (
        [
          event("output_text.delta", #""output_index":0,"content_index":1,"delta":"b""#),
          event("output_text.delta", #""output_index":0,"content_index":0,"delta":"a""#),
        ],
        #"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]}"#
      ),
    ] as [([String], String)])
  func `items are put together from what came of them`(lines: [String], expected: String) {
    #expect(output(lines) == expected)
  }

  /// Streams whose items their indexes do not tell apart, each with the output of its terminal
  /// event.
  @Test(
    arguments: [
      (
        [
          event("output_item.added", #""item":{"type":"function_call","id":"f","arguments":""}"#),
          event("function_call_arguments.delta", #""item_id":"f","delta":"{}""#),
          event("output_item.done", #""item":{"type":"function_call","id":"f","arguments":"{}"}"#),
        ], #"{"type":"function_call","id":"f","arguments":"{}"}"#
      ),
      (
        [
          event("output_item.done", #""output_index":0,"item":{"type":"message","id":"m"}"#),
          event("output_item.added", #""output_index":2,"item":{"type":"message","id":"m"}"#),
          event("output_item.done", #""output_index":2,"item":{"type":"message","id":"m"}"#),
        ], #"{"type":"message","id":"m"}"#
      ),
    ] as [([String], String)])
  func `an item is one, whatever tells it`(lines: [String], output: String) {
    let end = event("completed", #""response":{"id":"r","output":[\#(output)]}"#)
    let items = Rebuilding(keeping: .items, [created] + lines + [end]).items.map {
      String(decoding: $0.json, as: UTF8.self)
    }
    #expect(items == [output])
    #expect(rebuild([created] + lines + [end]) == [#"{"id":"r","output":[\#(output)]}"#])
    #expect(self.rebuilt([created] + lines) == "[\(output)]")
  }

  /// The output of what is rebuilt of a stream that was cut.
  private func rebuilt(_ lines: [String]) -> String {
    let text = rebuild(lines)[0]
    let start = text.range(of: "\"output\":")?.upperBound ?? text.endIndex
    let end = text.range(of: ",\"incomplete_details")?.lowerBound ?? text.endIndex
    return String(text[start..<end])
  }

  @Test func `each item is given once, when it ends`() {
    var rebuilding = Rebuilding(keeping: .items)
    func take(_ line: String) -> [String] {
      let former = rebuilding.items.count
      rebuilding.handle(line)
      return rebuilding.items.dropFirst(former).map {
        "\($0.outputIndex) \(String(decoding: $0.json, as: UTF8.self))"
      }
    }
    #expect(take(event("output_item.added", #""output_index":0,"item":{"type":"a"}"#)) == [])
    #expect(
      take(event("output_item.done", #""output_index":1,"item":{"type":"b"}"#)) == [
        #"1 {"type":"b"}"#
      ])
    #expect(
      take(event("completed", #""response":{"output":[{"type":"a"},{"type":"b"},{"type":"c"}]}"#))
        == [#"0 {"type":"a"}"#, #"2 {"type":"c"}"#])
  }
}
