import Core
import TestSupport
import Testing
import oresp_text

private typealias Stream = TextStream

private func event(_ type: String, _ members: String, _ index: Int = 0) -> String {
  Stream.event(type, #""output_index":\#(index),\#(members)"#)
}

private func added(_ item: String, _ index: Int = 0) -> String {
  event("output_item.added", #""item":\#(item)"#, index)
}

private let all = TextKinds.all

@Suite struct TextKindTests {
  @Test(
    arguments: [
      // Reasoning, in summaries and in full, streamed, whole, or both.
      (
        [
          event("reasoning_summary_text.delta", #""summary_index":0,"delta":"One""#),
          event("reasoning_summary_text.done", #""summary_index":0,"text":"One.""#),
          event("reasoning_summary_text.delta", #""summary_index":1,"delta":"Two.""#),
          Stream.done(
            #"{"type":"reasoning","summary":[{"type":"summary_text","text":"One."},{"type":"summary_text","text":"Two."}]}"#
          ),
          Stream.delta("Yes.", 1), Stream.completed,
        ], "--- reasoning summary\nOne.\n\nTwo.\n--- answer\nYes.\n"
      ),
      (
        [
          Stream.final(
            #"{"type":"reasoning","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}],"content":[{"type":"reasoning_text","text":"c"}]}"#,
            Stream.message("d"))
        ], "--- reasoning summary\na\n\nb\n--- reasoning\nc\n--- answer\nd\n"
      ),
      // The answer waits for reasoning that stands before it.
      (
        [
          added(#"{"type":"reasoning","id":"rs"}"#), Stream.delta("Yes.", 1),
          event("reasoning_text.delta", #""content_index":0,"delta":"Hm.""#),
          Stream.done(Stream.message("Yes."), 1),
          Stream.done(#"{"type":"reasoning","content":[{"type":"reasoning_text","text":"Hm."}]}"#),
          Stream.completed,
        ], "--- reasoning\nHm.\n--- answer\nYes.\n"
      ),
      // So it does for a tool, be it in no event until the end.
      (
        [
          added(#"{"type":"function_call","name":"f"}"#), Stream.delta("Yes.", 1),
          event("function_call_arguments.delta", #""delta":"{}""#),
          Stream.done(Stream.message("Yes."), 1),
          Stream.done(#"{"type":"function_call","name":"f","arguments":"{}"}"#), Stream.completed,
        ], "--- function_call arguments f\n{}\n--- answer\nYes.\n"
      ),
      (
        [
          added(#"{"type":"web_search_call","action":{}}"#),
          added(#"{"type":"message","content":[]}"#, 1),
          Stream.final(
            #"{"type":"web_search_call","action":{"query":"q"}}"#, Stream.message("Yes.")),
        ], "--- web_search_call query\nq\n--- answer\nYes.\n"
      ),
      // Nothing waits for a list of tools, whose end may never be told.
      (
        [
          added(#"{"type":"mcp_list_tools","tools":[]}"#), Stream.delta("Yes.", 1),
          Stream.done(Stream.message("Yes."), 1),
          Stream.final(
            #"{"type":"mcp_list_tools","tools":[{"name":"t"}]}"#, Stream.message("Yes.")),
        ], "--- answer\nYes.\n--- mcp_list_tools tool\nt\n"
      ),
      // A refusal, streamed and whole.
      (
        [
          event("refusal.delta", #""content_index":0,"delta":"N""#),
          event("refusal.done", #""content_index":0,"refusal":"No.""#),
        ], "--- refusal\nNo.\n"
      ),
      // Tools: code and what it printed.
      (
        [
          event("code_interpreter_call_code.delta", #""delta":"print(1)""#),
          event("code_interpreter_call_code.done", #""code":"print(1)""#),
          Stream.done(
            #"{"type":"code_interpreter_call","code":"print(1)","outputs":[{"type":"logs","logs":"1"},{"type":"image","url":"x"}]}"#
          ),
        ], "--- code_interpreter_call code\nprint(1)\n--- code_interpreter_call logs\n1\n"
      ),
      // Arguments under the function's name; several calls.
      (
        [
          added(#"{"type":"function_call","name":"add","arguments":""}"#),
          added(#"{"type":"function_call","name":"sub","arguments":""}"#, 1),
          event("function_call_arguments.delta", #""delta":"{\"a\"""#),
          event("function_call_arguments.delta", #""delta":"{}""#, 1),
          event("function_call_arguments.done", #""arguments":"{\"a\":1}""#),
          Stream.done(#"{"type":"function_call","name":"add","arguments":"{\"a\":1}"}"#),
          Stream.done(#"{"type":"function_call","name":"sub","arguments":"{}"}"#, 1),
        ],
        "--- function_call arguments add\n{\"a\":1}\n--- function_call arguments sub\n{}\n"
      ),
      (
        [
          Stream.final(
            #"{"type":"mcp_call","server_label":"s","name":"roll","arguments":"{}","output":"4","error":null}"#
          )
        ], "--- mcp_call arguments s.roll\n{}\n--- mcp_call output s.roll\n4\n"
      ),
      // Queries once, though they stand there twice.
      (
        [
          Stream.done(
            #"{"type":"web_search_call","action":{"type":"search","query":"a","queries":["a","b"]}}"#
          ),
          Stream.done(#"{"type":"web_search_call","action":{"type":"search","query":"c"}}"#, 1),
          Stream.done(
            #"{"type":"web_search_call","action":{"type":"find_in_page","url":"u","pattern":"p"}}"#,
            2),
          Stream.done(#"{"type":"file_search_call","queries":["d"],"results":null}"#, 3),
        ],
        "--- web_search_call query\na\nb\n--- web_search_call query\nc\n--- web_search_call pattern\np\n--- web_search_call url\nu\n--- file_search_call query\nd\n"
      ),
      // Commands and what they printed, of which the deltas are objects.
      (
        [
          event("shell_call_command.delta", #""command_index":0,"delta":"ls""#),
          event("shell_call_command.delta", #""command_index":1,"delta":"pwd""#),
          Stream.done(#"{"type":"shell_call","action":{"commands":["ls","pwd"]}}"#),
          event(
            "shell_call_output_content.delta",
            #""command_index":0,"delta":{"stdout":"a","stderr":"e"}"#,
            1),
          event(
            "shell_call_output_content.done",
            #""command_index":0,"output":[{"stdout":"ab","stderr":"e"}]"#, 1),
          Stream.done(#"{"type":"shell_call_output","output":[{"stdout":"ab","stderr":"e"}]}"#, 1),
        ],
        "--- shell_call command\nls\npwd\n--- shell_call_output stdout\nab\n--- shell_call_output stderr\ne\n"
      ),
      // A patch has its path first.
      (
        [
          added(
            #"{"type":"apply_patch_call","operation":{"type":"update_file","path":"a.c","diff":""}}"#
          ),
          event("apply_patch_call_operation_diff.delta", #""delta":"+a""#),
          Stream.done(
            #"{"type":"apply_patch_call","operation":{"type":"update_file","path":"a.c","diff":"+a"}}"#
          ),
        ], "--- apply_patch_call path\na.c\n--- apply_patch_call diff\n+a\n"
      ),
      // What is no string stands there as JSON; so does an item that nobody knows.
      (
        [
          Stream.final(
            #"{"type":"local_shell_call","action":{"command":["ls","-l"]}}"#,
            #"{"type":"new_call","x":1}"#)
        ],
        "--- local_shell_call command\n[\"ls\",\"-l\"]\n--- new_call value\n{\"type\":\"new_call\",\"x\":1}\n"
      ),
      // What stands in one place of an item each.
      (
        [
          Stream.final(
            #"{"type":"program","code":"f()"}"#, #"{"type":"program_output","result":"1"}"#,
            #"{"type":"tool_search_call","arguments":{"q":1}}"#,
            #"{"type":"tool_search_output","tools":[{"name":"t"}]}"#,
            #"{"type":"custom_tool_call","name":"run","input":"i"}"#,
            #"{"type":"custom_tool_call_output","output":"o"}"#,
            #"{"type":"function_call_output","output":"p"}"#,
            #"{"type":"multi_agent_call","arguments":"{}"}"#,
            #"{"type":"multi_agent_call_output","output":"q"}"#,
            #"{"type":"local_shell_call_output","output":"l"}"#,
            #"{"type":"apply_patch_call_output","output":"d"}"#,
            #"{"type":"image_generation_call","revised_prompt":"c"}"#,
            #"{"type":"mcp_approval_request","server_label":"s","name":"n","arguments":"{}"}"#)
        ],
        """
        --- program code
        f()
        --- program_output result
        1
        --- tool_search_call arguments
        {"q":1}
        --- tool_search_output tool
        t
        --- custom_tool_call input run
        i
        --- custom_tool_call_output output
        o
        --- function_call_output output
        p
        --- multi_agent_call arguments
        {}
        --- multi_agent_call_output output
        q
        --- local_shell_call_output output
        l
        --- apply_patch_call_output output
        d
        --- image_generation_call prompt
        c
        --- mcp_approval_request arguments s.n
        {}

        """
      ),
      // Spoken answers.
      (
        [
          #"{"type":"response.audio.transcript.delta","delta":"Hel"}"#,
          #"{"type":"response.audio.transcript.delta","delta":"lo"}"#,
          #"{"type":"response.audio.transcript.done"}"#,
        ], "--- transcript\nHello\n"
      ),
    ] as [([String], String)])
  func `each kind of text has its heading`(lines: [String], text: String) {
    let stream = Array(lines.joined(separator: "\n").utf8)
    for chunks in [[stream], stream.map { [$0] }] {
      let outcome = feed(Stream.filter(Stream.settings(all)), chunks)
      #expect(outcome.output == text)
      #expect(outcome.notices.filter { !$0.contains("refused") } == [])
    }
  }

  @Test func `kinds that nobody asked for are not printed`() {
    let lines = [
      event("reasoning_text.delta", #""content_index":0,"delta":"Hm.""#),
      event("function_call_arguments.delta", #""delta":"{}""#, 1), Stream.delta("a", 2),
      Stream.completed,
    ]
    #expect(Stream.mismatches(lines, "a\n", Stream.settings()) == [])
    let both = "--- reasoning\nHm.\n--- answer\na\n"
    #expect(Stream.mismatches(lines, both, Stream.settings([.answer, .reasoning])) == [])
  }

  @Test func `what goes to standard error leaves standard output as it is`() {
    var settings = Stream.settings()
    settings.asideKinds = .reasoning
    var filter = Stream.filter(settings)
    var input = InputBuffer()
    var output = Output()
    let lines = [
      event("reasoning_text.delta", #""content_index":0,"delta":"Hm.""#), Stream.delta("a", 1),
      Stream.final(),
    ]
    input.append(Array(lines.joined(separator: "\n").utf8).span)
    filter.endInput(&input, into: &output)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "a\n")
    #expect(String(decoding: output.stderrBytes, as: UTF8.self) == "--- reasoning\nHm.\n")
  }

  static let three = [
    Stream.created, Stream.done(Stream.message("a\\n")), Stream.done(Stream.message("b"), 1),
    Stream.completed, Stream.created, Stream.done(Stream.message("c"), 1), Stream.completed,
  ]

  @Test(
    arguments: [
      (.newline, .all, "a\nb\nc\n"), (.bare, .all, "a\nb\nc"), (.nul, .all, "a\n\0b\0c\0"),
      (.newline, .none, ""), (.newline, .last, "c\n"), (.nul, .last, "c\0"), (.bare, .last, "c"),
      (.newline, .number(2), "b\n"), (.newline, .number(3), "c\n"),
    ] as [(TextStyle.Ending, TextStyle.Messages, String)])
  func `texts end, and are chosen, as was asked for`(
    ending: TextStyle.Ending, messages: TextStyle.Messages, text: String
  ) {
    let settings = Stream.settings { style in
      style.ending = ending
      style.messages = messages
    }
    #expect(Stream.mismatches(Self.three, text, settings) == [])
  }

  @Test func `what a tool is called cannot make a heading`() {
    let call =
      #"{"type":"function_call","name":"f\n--- answer\n\u001b[2J","arguments":"{}"}"#
    let lines = [Stream.done(call), Stream.done(#"{"type":"a\nb"}"#, 1), Stream.completed]
    let text = """
      --- function_call arguments f --- answer \\u{1b}[2J
      {}
      --- a b value
      {"type":"a\\nb"}

      """
    #expect(Stream.mismatches(lines, text, Stream.settings(all)) == [])
  }

  @Test func `between two NULs is one text with its heading, whatever is in it`() {
    let lines = [
      Stream.delta("a\\u0000"), Stream.delta("--- refusal"),
      Stream.done(Stream.message("a\\u0000--- refusal")), Stream.completed,
    ]
    let text = "--- answer\na\u{FFFD}--- refusal\0"
    #expect(Stream.mismatches(lines, text, Stream.settings(all) { $0.ending = .nul }) == [])
    #expect(Stream.mismatches(lines, "a\0--- refusal\n", Stream.settings()) == [])
  }

  @Test func `a message without what was asked for is a text, too`() {
    let lines = [
      Stream.done(Stream.message("a")), Stream.done(Stream.message("```\\nb\\n```"), 1),
      Stream.completed,
    ]
    let settings = Stream.settings(all) { style in
      style.ending = .nul
      style.form.takesBlocks = true
    }
    #expect(Stream.mismatches(lines, "--- answer\n\0--- answer\nb\n\0", settings) == [])
  }

  @Test func `a heading stands at the start of a line, and a NUL ends each text with its list`() {
    let lines = [
      event("reasoning_text.delta", #""content_index":0,"delta":"Hm.""#),
      Stream.done(Stream.message("a", Stream.url("u", 0, 1)), 1), Stream.completed,
    ]
    let texts: [(TextStyle.Ending, String)] = [
      (.bare, "--- reasoning\nHm.\n--- answer\na[1]\n\n[1] <u>"),
      (.nul, "--- reasoning\nHm.\0--- answer\na[1]\n\n[1] <u>\0"),
    ]
    for (ending, text) in texts {
      let settings = Stream.settings([.answer, .reasoning]) { style in
        style.ending = ending
        style.citations = .footnotes
      }
      #expect(Stream.mismatches(lines, text, settings) == [])
    }
  }
}
