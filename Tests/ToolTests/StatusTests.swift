import Core
import Foundation
import ProcessSupport
import TestSupport
import Testing

@testable import oresp_events

/// A clock that goes on when it is told to.
private final class StoppedClock {
  var now = 1_000_000
}

/// Feeds events, each a number of milliseconds after the one before, wakes the filter as the pump
/// would, and returns what was written to standard error.
private func told(
  _ events: [(after: Int, line: String)], form: StatusScreen.Form = .lines,
  givesWay: Bool = false, width: Int = 80,
  dropping dropped: String? = nil, wakesFirst: Bool = false
) -> String {
  let clock = StoppedClock()
  let screen = StatusScreen(form, givesWay: givesWay) { width }
  var settings = EventsTool.Settings()
  if let dropped { try? settings.selection.types.drop(dropped) }
  var filter = StatusFilter(SelectFilter(settings), on: screen) { clock.now }
  var judge = Judge()
  var verdicts = Output()
  var output = Output()
  if wakesFirst { filter.wake(into: &output) }
  for (after, line) in events {
    let arrival = clock.now + after
    while let time = output.wakeAt, time < arrival {
      output.wakeAt = nil
      clock.now = max(clock.now, time)
      filter.wake(into: &output)
    }
    clock.now = arrival
    let bytes = Array(line.utf8)
    var event = Event(of: bytes.span)
    judge.handle(&event, bytes.span, into: &verdicts) { event, line, _ in
      filter.handle(event, line, into: &output)
    }
  }
  judge.closeAll(into: &verdicts) { ended, _ in filter.close(ended, into: &output) }
  filter.finish(into: &output)
  let passed = events.map(\.line).filter { line in dropped.map { !line.contains($0) } ?? true }
  #expect(String(decoding: output.bytes, as: UTF8.self) == passed.map { $0 + "\n" }.joined())
  return String(decoding: output.terminalBytes + output.stderrBytes, as: UTF8.self)
}

private func event(_ type: String, _ rest: String = "") -> String {
  #"{"type":"response.\#(type)"\#(rest)}"#
}

private func item(_ phase: String, _ item: String) -> String {
  event("output_item." + phase, #","item":\#(item)"#)
}

private func delta(_ text: String) -> String {
  event("output_text.delta", #","delta":"\#(text)""#)
}

private let created = event("created", #","response":{"id":"r"}"#)
private let progress = event("in_progress", #","response":{"id":"r"}"#)
private let completed = event(
  "completed", #","response":{"status":"completed","usage":{"total_tokens":7}}"#)
private let failed = event(
  "failed", #","response":{"status":"failed","error":{"code":"server_error","message":"m"}}"#)

private func lines(_ texts: [String]) -> String {
  texts.map { "oresp-events: \($0)\n" }.joined()
}

@Suite struct StatusTests {
  @Test(arguments: [
    ([created], ["starting"]), ([event("queued")], ["waiting in the queue"]),
    ([progress], ["processing"]), ([item("added", #"{"type":"reasoning"}"#)], ["thinking"]),
    ([event("reasoning_summary_text.delta")], ["thinking"]),
    ([item("added", #"{"type":"web_search_call"}"#)], ["starting a web search"]),
    ([item("added", #"{"type":"openai:web_search_call"}"#)], ["starting a web search"]),
    ([event("web_search_call.in_progress")], ["starting a web search"]),
    (
      [event("web_search_call.searching", #","progress":{"sources_consulted":3}"#)],
      ["searching the web, sources so far: 3"]
    ),
    (
      [event("web_search_call.completed", #","results":{"sources":[{},{}]}"#)],
      ["results found, sources: 2, drafting"]
    ),
    (
      [
        item("added", #"{"type":"web_search_call","action":{"query":"q\u001b"}}"#),
        event("web_search_call.searching"),
        item("done", #"{"type":"web_search_call","action":{"queries":["q"],"sources":[1,2]}}"#),
        item("done", #"{"type":"web_search_call","action":{"sources":[1]}}"#)
          .replacing(#""item""#, with: #""output_index":1,"item""#),
      ],
      [
        "starting a web search", #"searching the web ("q\u{1b}")"#,
        #"results found for "q", sources: 2, drafting"#,
      ]
    ),
    (
      [item("done", #"{"type":"web_search_call","arguments":"{\"query\":\"q\"}"}"#)],
      [#"results found for "q", drafting"#]
    ),
    (
      [
        event("file_search_call.searching"),
        item("done", #"{"type":"file_search_call","queries":["q"],"results":[{}]}"#),
      ], ["searching files", "files searched, results: 1"]
    ),
    (
      [event("code_interpreter_call.interpreting"), event("code_interpreter_call.completed")],
      ["running code", "code has run"]
    ),
    ([event("image_generation_call.generating")], ["generating an image"]),
    (
      [#"{"type":"image_edit.partial_image"}"#], ["generating an image", "cut off after 0.2 s"]
    ),
    (
      [#"{"type":"speech.audio.delta","audio":"YQ=="}"#], ["processing", "cut off after 0.2 s"]
    ),
    (
      [#"{"type":"transcript.text.delta","delta":"two words"}"#],
      ["drafting, words: 2", "cut off after 0.2 s, words: 2"]
    ),
    (
      [
        item("added", #"{"type":"mcp_call","name":"n"}"#), event("mcp_call.in_progress"),
        event("mcp_call.failed"),
      ], ["calling a tool, n", "the tool n failed"]
    ),
    ([item("added", #"{"type":"mcp_list_tools","server_label":"s"}"#)], ["listing tools of s"]),
    (
      [
        item("added", #"{"type":"function_call","name":"f"}"#),
        item("done", #"{"type":"function_call","name":"f"}"#),
      ], ["preparing a call of f", "call of f is ready"]
    ),
    ([item("added", #"{"type":"local_shell_call"}"#)], ["running a tool, local shell call"]),
    ([event("refusal.delta")], ["answering with a refusal"]),
    (
      [
        delta("a"), delta("b c"), event("output_text.annotation.added"),
        event("output_text.done", #","text":"ab c""#),
      ],
      [
        "drafting, words: 1", "drafting, words: 2, citations: 1",
        "finalising, words: 2, citations: 1",
      ]
    ),
    ([event("output_text.done", #","text":"a b""#)], ["finalising, words: 2"]),
    ([event("vendor.thing"), #"{"x":1}"#], []),
  ])
  func `each state is told when it has lasted`(events: [String], texts: [String]) {
    let seen = told((events + ["{}"]).map { (200, $0) }).split(separator: "\n")
    let isBegun = events.first.map([created, progress, event("queued")].contains) == true
    let end = isBegun ? ["oresp-events: cut off after 0.2 s"] : []
    #expect(seen.map(String.init) == texts.map { "oresp-events: \($0)" } + end)
  }

  @Test func `what is over within 150 ms is not told, and the end is told at once`() {
    let run = [
      (0, created), (10, progress), (139, event("web_search_call.searching")), (300, delta("a")),
      (149, event("output_text.done")), (1, completed),
    ]
    #expect(
      told(run)
        == lines(["searching the web", "finalising, words: 1", "done in 0.5 s, tokens: 7"]))
    #expect(told([(0, created), (149, completed)]) == lines(["done in 0.1 s, tokens: 7"]))
  }

  @Test func `counts alone are told every five seconds on lines of their own`() {
    let run = (0..<120).map { _ in (100, delta("a ")) }
    #expect(
      told(run)
        == lines(["drafting, words: 2", "drafting, words: 52", "drafting, words: 102"]))
  }

  /// What shows `text` in place of the line before.
  private func shown(_ text: String) -> String { "\r\(text)\u{1B}[K" }

  @Test func `one line moves, is cut to the width, and ends with the response`() {
    let search = item("added", #"{"type":"web_search_call"}"#)
    #expect(
      told(
        [(0, created), (200, search), (200, completed)], form: .moving(hasSigns: false), width: 15)
        == shown("starting") + shown("starting a ...") + shown("done in 0.4...") + "\n")
    #expect(
      told([(0, created), (200, failed)], form: .moving(hasSigns: true))
        == shown("⏳ starting") + shown("❌ failed after 0.2 s") + "\n")
    #expect(
      told([(0, created), (200, "{}")], form: .moving(hasSigns: true))
        == shown("⏳ starting") + shown("❌ cut off after 0.2 s") + "\n")
  }

  @Test(arguments: [
    ([delta("a")], ""), ([event("content_part.done")], ""),
    ([item("done", #"{"type":"message"}"#)], ""),
    ([item("added", #"{"type":"message"}"#)], "\rdone in 0.4 s, tokens: 7\u{1B}[K\n"),
    (
      [
        item("added", #"{"type":"message","id":"m","phase":"commentary"}"#),
        event("output_text.delta", #","item_id":"m","delta":"a""#),
      ], "\rdrafting, words: 1\u{1B}[K\rdone in 0.4 s, tokens: 7\u{1B}[K\n"
    ),
  ])
  func `a line that moves gives way to the answer's text`(events: [String], rest: String) {
    let run = [(0, created)] + events.map { (200 / events.count, $0) } + [(200, completed)]
    let seen = told(run, form: .moving(hasSigns: false), givesWay: true)
    // The end stands behind the text that another program has printed.
    let end = rest.isEmpty ? shown("") + "done in 0.4 s, tokens: 7\n" : rest
    #expect(seen == shown("starting") + end)
    let stays = told(run, form: .moving(hasSigns: false))
    #expect(stays.hasSuffix(shown("done in 0.4 s, tokens: 7") + "\n"))
  }

  @Test func `a line that moves has a clock, and says how long nothing came`() {
    let think = item("added", #"{"type":"reasoning"}"#)
    let run = [(0, created), (200, think), (2400, progress), (2000, "{}"), (6000, delta("a"))]
    let seen = told(run + [(100, completed)], form: .moving(hasSigns: false))
    let texts = seen.components(separatedBy: "\u{1B}[K").map {
      $0.trimmingCharacters(in: .newlines)
    }
    let silent = texts.filter { $0.contains("nothing for") }
    #expect(texts.first == "starting" && texts.contains("thinking, 1 s"), "\(texts)")
    #expect(texts.contains("thinking, 2 s") && texts.contains("processing, 1 s"), "\(texts)")
    #expect(silent == ["processing, 7 s, nothing for 5 s"])
  }

  @Test func `the clock of drafting goes on at a citation`() {
    let run = [(0, created), (200, delta("a")), (3000, event("output_text.annotation.added"))]
    let seen = told(run + [(2000, delta("b"))], form: .moving(hasSigns: false))
    #expect(seen.contains("drafting, words: 1, citations: 1, 4 s"), "\(seen)")
  }

  @Test func `before the first event it is connecting`() {
    let slow = told(
      [(2300, created), (200, completed)], form: .moving(hasSigns: false), wakesFirst: true)
    let texts = ["connecting", "connecting, 1 s", "connecting, 2 s", "starting"]
    let end = "done in 0.2 s, tokens: 7"
    #expect(slow == (texts + [end]).map(shown).joined() + "\n")
    #expect(
      told([(2300, created), (0, completed)], wakesFirst: true)
        == lines(["connecting", "done in 0.0 s, tokens: 7"]))
    #expect(
      told([(100, created), (0, completed)], wakesFirst: true)
        == lines(["done in 0.0 s, tokens: 7"]))
  }

  @Test func `a line that moves stays where the answer's text is not handed on`() {
    let seen = told(
      [(0, created), (200, delta("a")), (200, completed)], form: .moving(hasSigns: false),
      givesWay: true, dropping: "output_text.delta")
    let texts = ["starting", "drafting, words: 1", "done in 0.4 s, tokens: 7"]
    #expect(seen == texts.map(shown).joined() + "\n")
  }

  @Test(arguments: [
    ([failed], "failed", "failed", "the response failed: server_error: m"),
    ([#"{"type":"error","error":{"message":"m"}}"#], "error", "an error", "error: m"),
    ([], "cut", "cut off", ""),
    (
      [
        #"{"type":"error","error":{"code":"truncated_stream","message":"m"},"oresp":{"synthetic":true}}"#
      ],
      "cut", "cut off", "error: truncated_stream: m"
    ),
    (
      [event("incomplete", #","response":{"incomplete_details":{"reason":"x"}}"#)], "incomplete",
      "incomplete", "the response is incomplete: x"
    ), ([event("cancelled")], "cancelled", "cancelled", "the response was cancelled"),
    (
      [event("refusal.done", #","refusal":"no""#), completed], "refused", "refused",
      "the model refused: no"
    ),
  ])
  func `an end that is not good is told in every form, and in JSON with its reason`(
    events: [String], state: String, text: String, reason: String
  ) {
    let run = ([created] + events).map { (0, $0) }
    let text = text + " after 0.0 s"
    #expect(told(run) == lines([text]))
    #expect(told(run, form: .moving(hasSigns: true)) == shown("❌ \(text)") + "\n")
    let last = told(run, form: .json).split(separator: "\n").last ?? ""
    #expect(last.hasPrefix(#"{"type":"oresp.status","tool":"oresp-events","message":"\#(text)""#))
    #expect(last.contains(#""state":"\#(state)""#), "\(last)")
    #expect(last.contains(#""reason":"\#(reason)"#), "\(last)")
  }

  @Test func `however the events arrive, they pass and give the same`() {
    let events = [created, event("web_search_call.searching"), delta("a b"), completed]
    let stream = events.map { "data: \($0)\n\n" }.joined()
    for chunks in cuts(of: Array(stream.utf8)) {
      let clock = StoppedClock()
      let filter = StatusFilter(SelectFilter(EventsTool.Settings()), on: StatusScreen(.lines)) {
        clock.now
      }
      var pipe = EventPipe(filter, reading: EventReader.Settings(), needing: .objectsUnlessEmpty)
      var output = Output()
      #expect(run(&pipe, chunks, into: &output) == .completed)
      #expect(String(decoding: output.bytes, as: UTF8.self) == events.map { $0 + "\n" }.joined())
      #expect(
        String(decoding: output.stderrBytes, as: UTF8.self) == lines(["done in 0.0 s, tokens: 7"]))
    }
  }

  @Test func `the time is the time in the lines, if they have one`() {
    func stamped(_ line: String, _ at: String) -> (Int, String) {
      (0, line.dropLast() + #","oresp":{"at":\#(at)}}"#)
    }
    let run = [stamped(created, "5.25"), stamped(completed, "17.5")]
    #expect(told(run) == lines(["starting", "done in 12.2 s, tokens: 7"]))
    let search = event("web_search_call.searching")
    #expect(
      told([
        stamped(created, "5"), stamped(progress, "5.1"), stamped(search, "5.2"),
        stamped(delta("a"), "5.3"), stamped(completed, "9.5"),
        // Another recording, which is older.
        stamped(created, "2"), stamped(completed, "2.1"),
      ])
        == lines([
          "processing", "drafting, words: 1", "done in 4.5 s, tokens: 7",
          "done in 0.1 s, tokens: 7",
        ]))
    // Where the events come late, the clock tells.
    #expect(
      told([stamped(created, "5"), (300, delta("a")), stamped(completed, "5.2")])
        == lines(["starting", "done in 0.3 s, tokens: 7"]))
  }

  @Test func `responses in a row each have their own counts`() {
    let run = [created, delta("a b"), completed, created, delta("c"), completed]
    let texts = [
      "drafting, words: 2", "done in 0.2 s, tokens: 7", "drafting, words: 1",
      "done in 0.2 s, tokens: 7",
    ]
    #expect(
      told(run.enumerated().map { ($0.offset % 3 == 0 ? 0 : 100, $0.element) }) == lines(texts))
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "..."), ("abcdef", 5, "ab..."), ("検索検索", 7, "検索..."),
    ("e\u{301}tudes", 6, "e\u{301}tudes"), ("🔎 abcdef", 7, "🔎 a..."), ("abc", 2, "ab"),
    ("a", 0, ""),
  ])
  func `text is cut to columns`(text: String, columns: Int, cut: String) {
    #expect(text.cut(toColumns: columns) == cut)
  }

  @Test func `the manual has every state and its text`() throws {
    let manual = try Manual(name: "oresp-events", section: 1).text
    for state in StatusState.allCases {
      let text = state.text.replacing("\"", with: #"\(dq"#)
      #expect(manual.contains(".It Cm \(state.name) Ta \(text)\n"), "\(state)")
    }
  }

  /// The response goes on only when the terminal has shown its state, so that the program must have
  /// told it while it waited for input.
  @Test(arguments: [">/dev/null", "| cat >/dev/null"])
  func `on a terminal there is one line that moves`(output: String) throws {
    let seen = URL(filePath: TemporaryFolder.parent).appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: seen) }
    let script = """
      stty cols 20
      { echo "$CREATED"
        for i in $(seq 200); do grep -qs starting "$SEEN" && break; sleep 0.05; done
        echo "$DELTA"
        echo "$COMPLETED"
      } | "$TOOLS/oresp-events" --status \(output)
      """
    let run = try Program.run(
      "script", ["-qefc", script, seen.path],
      environment: [
        "CREATED": created, "DELTA": delta("a"), "COMPLETED": completed, "SEEN": seen.path,
        "TOOLS": Tools.folder, "TERM": "xterm", "LC_ALL": "C", "SHELL": "/bin/bash",
      ])
    let lines = run.output.components(separatedBy: "\u{1B}[K")
    #expect(lines.first == "\rstarting", "\(lines)")
    let end = lines.suffix(2).joined()
    #expect(lines.count == 3 && end.hasPrefix("\rdone in "), "\(lines)")
    #expect(end.hasSuffix("...\r\n"), "\(lines)")
  }
}
