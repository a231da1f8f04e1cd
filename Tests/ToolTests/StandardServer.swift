import Foundation
import ProcessSupport

/// What a server has that keeps to Open Responses: texts, calls, errors, jobs and compaction.
struct StandardServer: Sendable {
  /// Changes the events of each text before they are numbered.
  var changeEvents: @Sendable (inout [String]) -> Void = { _ in }
  /// Changes each event stream.
  var changeStream: @Sendable (inout String) -> Void = { _ in }
  /// Changes each answer to the path behind `/v1/responses`.
  var changeAnswer: @Sendable (inout Answer, String) -> Void = { _, _ in }
  /// Whether it has too much to do where one function is to be called.
  var refusesCall = false

  static let text = "Ann: 5, Grüße, 世界."

  func start() throws -> LoopbackServer {
    try LoopbackServer { request in
      let path = String(request.target.dropFirst("/v1/responses".count))
      var answer = self.answer(request.json, path)
      changeAnswer(&answer, path)
      return answer
    }
  }

  private func answer(_ body: [String: Any], _ path: String) -> Answer {
    switch path {
    case "": return create(body)
    case "/compact": return .body(Self.compaction)
    case "/resp_1/cancel": return .body(Sound.response("cancelled"))
    default: return Self.error("not_found", status: 404)
    }
  }

  private func create(_ body: [String: Any]) -> Answer {
    let prompt = body["input"] as? String
    guard prompt != nil || body["input"] is [Any] else {
      return Self.error("invalid_request", status: 400)
    }
    if body["background"] as? Bool == true { return .body(Sound.response("queued")) }
    let cities = ["Oslo", "Rome"].filter { prompt?.contains($0) ?? false }
    if refusesCall, cities.count == 1 { return Self.error("too_many_requests", status: 429) }
    var events = Sound.text.map { $0.replacing("Hi.", with: Self.text) }
    if body["tools"] != nil, !cities.isEmpty {
      events = Self.calls(cities)
    } else {
      if body["max_output_tokens"] != nil { events[7...] = Self.cut(events[7...]) }
      changeEvents(&events)
    }
    guard body["stream"] as? Bool == true else {
      let last = events.last ?? ""
      return .body(
        String(last.dropFirst(#"{"type":"response.completed","response":"#.count).dropLast()))
    }
    var stream = Sound.stream(events)
    changeStream(&stream)
    return .stream(Array(stream.utf8))
  }

  static func error(_ type: String, status: Int) -> Answer {
    .body(
      #"{"error":{"type":"\#(type)","code":null,"message":"no","param":null}}"#, status: status)
  }

  /// The ends of an item and its response, both being incomplete.
  private static func cut(_ ends: ArraySlice<String>) -> ArraySlice<String> {
    ArraySlice(
      ends.map { event in
        event.replacing("completed\"", with: "incomplete\"")
          .replacing(
            #""incomplete_details":null"#,
            with: #""incomplete_details":{"reason":"max_output_tokens"}"#)
      })
  }

  /// The events of a response that asks for the weather of `cities`.
  private static func calls(_ cities: [String]) -> [String] {
    var events = [Sound.state("created", "in_progress")]
    var output: [String] = []
    for (index, city) in cities.enumerated() {
      let added = Sound.call.replacing("fc_1", with: "fc_\(index)")
        .replacing(#""call_id":"c""#, with: #""call_id":"c\#(index)""#)
        .replacing(#""name":"f""#, with: #""name":"weather""#)
      let arguments = #""{\"city\":\"\#(city)\"}""#
      let done = added.replacing("in_progress", with: "completed")
        .replacing(#""arguments":"""#, with: #""arguments":\#(arguments)"#)
      let place = #""item_id":"fc_\#(index)","output_index":\#(index)"#
      let family = "function_call_arguments"
      events += [
        Sound.event("output_item.added", #""output_index":\#(index),"item":\#(added)"#),
        Sound.event("\(family).delta", place + #","delta":\#(arguments)"#),
        Sound.event("\(family).done", place + #","arguments":\#(arguments)"#),
        Sound.event("output_item.done", #""output_index":\#(index),"item":\#(done)"#),
      ]
      output.append(done)
    }
    return events + [Sound.state("completed", "completed", output.joined(separator: ","))]
  }

  private static let compaction =
    #"{"id":"resp_2","object":"response.compaction","created_at":1,"output":[{"id":"cmp_1","#
    + #""type":"compaction","status":"completed","encrypted_content":"x"}],"usage":{"#
    + #""input_tokens":1,"output_tokens":1,"total_tokens":2,"#
    + #""input_tokens_details":{"cached_tokens":0},"output_tokens_details":{"reasoning_tokens":0}}}"#
}
