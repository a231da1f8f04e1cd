import Core
import TestSupport
import Testing

@testable import oresp_events

/// Streams that keep to Open Responses, as event streams with numbers.
enum Sound {
  static func response(_ status: String, _ output: String = "", _ more: String = "") -> String {
    #"{"id":"resp_1","object":"response","created_at":1,"completed_at":null,"status":"\#(status)","#
      + #""incomplete_details":null,"model":"m","previous_response_id":null,"instructions":null,"#
      + #""output":[\#(output)],"error":null,"tools":[],"tool_choice":"auto","#
      + #""truncation":"disabled","parallel_tool_calls":true,"text":{"format":{"type":"text"}},"#
      + #""top_p":1,"presence_penalty":0,"frequency_penalty":0,"top_logprobs":0,"temperature":1,"#
      + #""reasoning":null,"usage":null,"max_output_tokens":null,"max_tool_calls":null,"#
      + #""store":true,"background":false,"service_tier":"default","metadata":{},"#
      + #""safety_identifier":null,"prompt_cache_key":null}"#
  }

  static func event(_ name: String, _ members: String) -> String {
    #"{"type":"response.\#(name)",\#(members)}"#
  }

  static func state(_ name: String, _ status: String, _ output: String = "") -> String {
    event(name, #""response":\#(response(status, output))"#)
  }

  private static let place = #""item_id":"msg_1","output_index":0,"content_index":0"#
  static func message(_ status: String, _ content: String) -> String {
    #"{"id":"msg_1","type":"message","status":"\#(status)","role":"assistant","content":[\#(content)]}"#
  }
  private static let part = #"{"type":"output_text","text":"Hi.","annotations":[]}"#
  static let call =
    #"{"id":"fc_1","type":"function_call","call_id":"c","name":"f","arguments":"","status":"in_progress"}"#

  static let text = [
    state("created", "in_progress"), state("in_progress", "in_progress"),
    event("output_item.added", #""output_index":0,"item":\#(message("in_progress", ""))"#),
    event(
      "content_part.added", place + #","part":{"type":"output_text","text":"","annotations":[]}"#),
    event("output_text.delta", place + #","delta":"Hi."#),
    event("output_text.done", place + #","text":"Hi.""#),
    event("content_part.done", place + #","part":\#(part)"#),
    event("output_item.done", #""output_index":0,"item":\#(message("completed", part))"#),
    state("completed", "completed", message("completed", part)),
  ].map { $0.replacing(#""delta":"Hi."# + "}", with: #""delta":"Hi.""# + "}") }

  static let function = [
    state("created", "queued"), state("queued", "queued"), state("in_progress", "in_progress"),
    event("output_item.added", #""output_index":0,"item":\#(call)"#),
    event("function_call_arguments.delta", #""item_id":"fc_1","output_index":0,"delta":"{}""#),
    #"{"type":"acme:trace","note":"an extension"}"#,
    event("function_call_arguments.done", #""item_id":"fc_1","output_index":0,"arguments":"{}""#),
    event("output_item.done", #""output_index":0,"item":\#(done)"#),
    event(
      "output_item.added",
      #""output_index":1,"item":{"id":"ws_1","type":"openai:web_search_call","status":"in_progress"}"#
    ),
    event("output_item.done", #""output_index":1,"item":\#(search)"#),
    state("completed", "completed", done + "," + search),
  ]
  private static let done = call.replacing("in_progress", with: "completed")
    .replacing(#""arguments":"""#, with: #""arguments":"{}""#)
  private static let search =
    #"{"id":"ws_1","type":"openai:web_search_call","status":"completed"}"#

  static let failed = [
    state("created", "in_progress"),
    #"{"type":"error","error":{"type":"model_error","code":null,"message":"m","param":null}}"#,
    state("failed", "failed").replacing(
      #""error":null"#, with: #""error":{"code":"server_error","message":"m"}"#),
  ]

  /// Sound.text, cut short by a limit.
  static let incomplete: [String] =
    Array(text[..<7])
    + text[7...].map { event in
      event.replacing("completed\"", with: "incomplete\"").replacing(
        #""incomplete_details":null"#,
        with: #""incomplete_details":{"reason":"max_output_tokens"}"#)
    }

  /// `events` as blocks of an event stream, numbered, with the mark behind them.
  static func stream(_ events: [String]) -> String {
    events.enumerated().map { number, event in
      let type = event.dropFirst(#"{"type":""#.count).prefix { $0 != "\"" }
      let numbered = event.dropLast() + #","sequence_number":\#(number)}"#
      return "event: \(type)\ndata: \(numbered)\n\n"
    }.joined() + "data: [DONE]\n\n"
  }
}

/// One change to a sound stream, and the rules that it breaks.
private struct Breach: CustomTestStringConvertible {
  let rule: CheckRule
  let events: [String]
  var change: @Sendable (inout String) -> Void = { _ in }

  init(
    _ rule: CheckRule, _ events: [String] = Sound.text,
    _ change: @escaping @Sendable (inout String) -> Void
  ) {
    (self.rule, self.events, self.change) = (rule, events, change)
  }

  /// A change to the events, before they are numbered.
  init(_ rule: CheckRule, of events: [String], _ change: (inout [String]) -> Void) {
    var events = events
    change(&events)
    (self.rule, self.events) = (rule, events)
  }

  var testDescription: String { rule.row.name }

  var text: String {
    var text = Sound.stream(events)
    change(&text)
    return text
  }
}

private func edited(_ text: String, _ old: String, _ new: String) -> String {
  #expect(text.contains(old), "\(old)")
  return text.replacing(old, with: new, maxReplacements: 1)
}

private let breaches: [Breach] = [
  Breach(.oneJSON) { $0 = "data: oops\n\n" + $0 },
  Breach(.doneMark) { $0 = edited($0, "data: [DONE]\n\n", "") },
  Breach(.doneMark) { $0 = edited($0, "data: [DONE]\n\n", "") + $0 },
  Breach(.eventName) { $0 = edited($0, "event: response.output_text.delta\n", "") },
  Breach(.eventName) { $0 = edited($0, "event: response.output_text.delta", "event: delta") },
  Breach(.noID) { $0 = "id: 7\n" + $0 },
  Breach(.noID) { $0 = edited($0, "data: [DONE]", "id: 7\ndata: [DONE]") },
  Breach(.eventType, of: Sound.text) { $0.insert(#"{"type":"response.debug"}"#, at: 4) },
  Breach(.eventType, of: Sound.text) { $0.insert(#"{"type":"trace"}"#, at: 4) },
  Breach(.eventType, of: Sound.text) { $0.insert(#"{"type":":trace"}"#, at: 4) },
  Breach(.eventType, of: Sound.text) { $0.insert(#"{"type":"response.create"}"#, at: 4) },
  Breach(.eventType, of: Sound.text) { $0[8] = edited($0[8], ".completed", ".done") },
  Breach(.eventMembers) {
    $0 = edited($0, #""output_index":0,"content_index":0,"delta""#, #""output_index":0,"delta""#)
  },
  Breach(.eventMembers) { $0 = edited($0, #","sequence_number":8}"#, "}") },
  Breach(.eventMembers, Sound.function) { $0 = edited($0, #","sequence_number":5}"#, "}") },
  Breach(.eventMembers) { $0 = edited($0, #"{"type":"response.output_text.delta","#, "{") },
  Breach(.eventMembers, Sound.failed) { $0 = edited($0, #"{"type":"error","#, "{") },
  Breach(.eventMembers) {
    $0 = edited($0, #""content_index":0,"text""#, #""content_index":"0","text""#)
  },
  Breach(.eventMembers, of: Sound.text) { $0[1] = #"{"type":"response.in_progress"}"# },
  Breach(.sequence, Sound.function) {
    $0 = edited($0, #"extension","sequence_number":5"#, #"extension","sequence_number":3"#)
  },
  Breach(.sequence) { $0 = edited($0, #""sequence_number":8"#, #""sequence_number":9"#) },
  Breach(.itemMembers, of: Sound.function) { $0[9] = edited($0[9], #","status":"completed""#, "") },
  Breach(.itemMembers, of: Sound.text) { $0[2] = edited($0[2], "msg_1", "") },
  Breach(.itemMembers, of: Sound.text) { $0[7] = edited($0[7], "msg_1", "msg_2") },
  Breach(.itemMembers, of: Sound.text) { $0[8] = edited($0[8], "msg_1", "msg_2") },
  Breach(.itemMembers, of: Sound.text) {
    $0[8] = edited($0[8], #","status":"completed","role""#, #","role""#)
  },
  Breach(.itemKind, of: Sound.function) {
    for line in 8...10 { $0[line] = edited($0[line], "openai:", ":") }
  },
  Breach(.itemKind, of: Sound.function) {
    for line in 8...10 { $0[line] = edited($0[line], "openai:web", "web") }
  },
  Breach(.itemBegins, of: Sound.text) { $0[2] = edited($0[2], #","role":"assistant""#, "") },
  Breach(.itemBegins, of: Sound.function) { $0[3] = edited($0[3], #","name":"f""#, "") },
  Breach(.itemBegins, of: Sound.text) { $0[2] = edited($0[2], #""assistant""#, "null") },
  Breach(.itemBegins, of: Sound.text) { $0.removeSubrange(2..<8) },
  Breach(.partOrder, of: Sound.function) { $0.remove(at: 6) },
  Breach(.partOrder, of: Sound.text) { $0.remove(at: 6) },
  Breach(.itemEnds, of: Sound.text) { $0.remove(at: 7) },
  Breach(.itemEnds, of: Sound.text) { $0.insert($0[7], at: 8) },
  Breach(.itemEnds, of: Sound.incomplete) { $0.remove(at: 7) },
  Breach(.itemState, of: Sound.text) { $0[2] = edited($0[2], "in_progress", "completed") },
  Breach(.itemState, of: Sound.text) { $0[7] = edited($0[7], "completed", "failed") },
  Breach(.itemState, of: Sound.text) { $0[7] = edited($0[7], "completed", "paused") },
  Breach(.itemState, of: Sound.text) {
    $0[8] = edited($0[8], #""completed","role""#, #""in_progress","role""#)
  },
  Breach(.incompleteLast, of: Sound.text) {
    $0[8] = edited($0[8], #""completed","role""#, #""incomplete","role""#)
  },
  Breach(.incompleteLast, of: Sound.function) {
    $0.insert($0.remove(at: 8), at: 7)
    $0[8] = edited($0[8], "completed", "incomplete")
    $0[10] = $0[10].replacing("response.completed", with: "response.incomplete")
      .replacing(
        #"1,"completed_at":null,"status":"completed""#,
        with: #"1,"completed_at":null,"status":"incomplete""#)
  },
  Breach(.incompleteLast, of: Sound.text) { $0[7] = edited($0[7], "completed", "incomplete") },
  Breach(.responseStatus, of: Sound.text) {
    $0[1] = edited($0[1], #"status":"in_p"#, #"status":"p"#)
  },
  Breach(.responseStatus, of: Sound.text) { $0.removeLast() },
  Breach(.responseStatus, of: Sound.text) { $0.append($0[8]) },
  Breach(.responseStatus, of: Sound.text) { $0.removeFirst() },
  Breach(.responseStatus, of: Sound.text) { $0.insert(Sound.function[1], at: 2) },
  Breach(.responseStatus, of: Sound.function) { $0.insert($0.remove(at: 2), at: 3) },
  Breach(.errorThenFailed, of: Sound.failed) { $0.removeLast() },
  Breach(.errorThenFailed, of: Sound.failed) { $0 = [$0[1]] },
  Breach(.errorThenFailed, of: Sound.text) { $0.insert(Sound.failed[1], at: 8) },
  Breach(.errorMembers, of: Sound.failed) { $0[1] = edited($0[1], #","param":null"#, "") },
  Breach(.errorMembers, of: Sound.failed) { $0[1] = edited($0[1], #""m","#, "null,") },
  Breach(.errorStatus, of: Sound.failed) {
    $0[1] = edited($0[1], #""error","#, #""error","status":400,"#)
  },
  Breach(.responseMembers, of: Sound.text) {
    for line in [0, 1, 8] { $0[line] = edited($0[line], #""store":true,"#, "") }
  },
  Breach(.responseMembers, of: Sound.text) {
    $0[8] = edited($0[8], #""usage":null"#, #""usage":{"input_tokens":1}"#)
  },
  Breach(.responseMembers, of: Sound.text) {
    $0[8] = edited($0[8], #""created_at":1"#, #""created_at":1.5"#)
  },
  Breach(.responseMembers, of: Sound.text) {
    $0[8] = edited($0[8], #""object":"response""#, #""object":"answer""#)
  },
  Breach(.extensionHarmless, of: Sound.text) {
    $0[4] = edited($0[4], "Hi.", "Hi")
    $0.insert(#"{"type":"acme:delta","delta":"."}"#, at: 5)
  },
]

@Suite struct StandardCheckTests {
  private static func report(_ text: String, _ words: String = "openresponses") throws -> Outcome {
    feed(EventsTool.checkPipe(try CheckSettings(words)), [Array(text.utf8)])
  }

  private static let sound: [(events: [String], status: Core.ExitStatus)] = [
    (Sound.text, .completed), (Sound.function, .completed), (Sound.failed, .temporary),
    (Sound.incomplete, .incomplete),
  ]

  @Test(arguments: sound)
  func `nothing is found in a stream that keeps to the standard`(
    events: [String], status: Core.ExitStatus
  ) throws {
    let outcome = try Self.report(Sound.stream(events))
    #expect(outcome.output == "")
    #expect(outcome.status == status)
    #expect(try Self.report(Sound.response("completed")).output == "")
    let pipe = EventsTool.checkPipe(try CheckSettings("openresponses"))
    #expect(feed(pipe, Sound.stream(events).utf8.map { [$0] }) == outcome)
  }

  @Test(arguments: breaches)
  private func `what breaks a rule is found by that rule alone`(breach: Breach) throws {
    let outcome = try Self.report(breach.text)
    let rules = outcome.output.split(separator: "\n").map { line in
      line.split(separator: ": ")[2].replacing(" (should)", with: "")
    }
    #expect(Set(rules.map(String.init)) == [breach.rule.row.name], "\(outcome.output)")
    let places = outcome.output.split(separator: "\n")
    #expect(places.allSatisfy { $0.hasSuffix(" [\(breach.rule.row.section ?? "")]") })
    #expect((outcome.status == .completed) == (breach.rule == .noID))
  }

  @Test func `there is a breach of every rule, and the manual tells of it`() throws {
    #expect(Set(breaches.map(\.rule)) == Set(CheckRule.rules(ofStandard: true)))
    let manual = try Manual(name: "oresp-events", section: 1).text
    for rule in CheckRule.rules(ofStandard: true) {
      let item = ".It Cm \(rule.row.name)\((rule.row.level == .must) ? "" : " Pq should")\n"
      #expect(manual.contains("\n" + item), "\(item)")
    }
  }

  @Test func `documents are checked as far as they go`() throws {
    let item = #"{"id":"m","type":"message"}"#
    let found = try Self.report(Sound.response("completed", item + "," + item))
    #expect(
      found.output.split(separator: "\n").map(String.init) == [
        "1: seq -: item-members: no status; expected it in each item [Extending Items]",
        "1: seq -: item-members: no status; expected it in each item [Extending Items]",
        "1: seq -: item-members: the id m again; expected an id of its own [Extending Items]",
      ])
    #expect(found.status == .negative)
    let compaction =
      #"{"id":"r","object":"response.compaction","created_at":1,"output":[\#(item)]}"#
    #expect(
      try Self.report(compaction).output == """
        1: seq -: response-members: no usage; expected all members of a Response [responses.tsp]
        1: seq -: item-members: no status; expected it in each item [Extending Items]

        """)
    let error = try Self.report(#"{"error":{"message":"no","type":"invalid_request"}}"#)
    #expect(!found.notices.contains { $0.contains("do not show") })
    let document = Sound.response(
      "completed", Sound.call.replacing("in_progress", with: "completed"))
    #expect(try Self.report(document + document).output == "")
    #expect(
      error.output == """
        1: seq -: error-members: no code, param of error; expected all four; code and param may be \
        null [Errors]

        """)
  }

  @Test func `lines of JSON are said not to show all`() throws {
    let lines = Sound.stream(Sound.text).split(separator: "\n").filter { $0.hasPrefix("data: {") }
      .map { String($0.dropFirst(6)) + "\n" }.joined()
    let outcome = try Self.report(lines)
    #expect(outcome.output == "")
    #expect(outcome.notices.contains { $0.contains("do not show the rules done-mark") })
    #expect(outcome.status == .completed)
  }

  @Test func `a finding in JSON has its section and its level`() throws {
    let outcome = try Self.report("id: 7\n" + Sound.stream(Sound.text), "openresponses,json")
    #expect(
      outcome.output.contains(
        #""rule":"no-id","level":"should","expected":"none","got":"an id field","#))
    #expect(outcome.output.contains(#""section":"Streaming HTTP Responses""#))
  }

  @Test func `what the sender tells of a refused request is no stream of the server`() throws {
    let event =
      #"{"type":"error","error":{"type":"not_found","code":null,"message":"no","param":null},"#
      + #""oresp":{"synthetic":true}}"#
    #expect(try Self.report("event: error\ndata: \(event)\n\n").output == "")
  }

  @Test func `a search of files is an item of the standard, though its schema leaves it out`()
    throws
  {
    let events = Sound.function.map {
      $0.replacing("openai:web_search_call", with: "file_search_call")
    }
    #expect(try Self.report(Sound.stream(events)).output == "")
  }

  @Test func `a stream that goes on from another needs no beginning`() throws {
    let events = Sound.stream(Sound.text).split(separator: "event: ")
    let rest = events.dropFirst(4).map { "event: " + $0 }.joined()
    #expect(try Self.report(rest).output == "")
  }

  @Test func `of several responses each finding has its own`() throws {
    let second = Sound.text.map {
      $0.replacing("resp_1", with: "resp_2").replacing(#""store":true,"#, with: "")
    }
    let outcome = try Self.report(
      Sound.stream(Sound.text) + Sound.stream(second), "openresponses,json")
    #expect(outcome.output.split(separator: "\n").count == 1)
    #expect(outcome.output.contains(#""response_id":"resp_2""#))
  }
}
