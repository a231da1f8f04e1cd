import Foundation
import ProcessSupport
import Testing

/// `oresp-send --api=chat`, the filters behind it, and a server of Chat Completions.
@Suite struct SenderChatTests {
  /// The stream of an answer that says `text` and ends for `reason`.
  private static func chunks(_ text: String, _ reason: String = "stop") -> [String] {
    let chunk = { (choices: String, rest: String) in
      #"data: {"id":"c1","object":"chat.completion.chunk","model":"m","choices":["#
        + choices + "]" + rest + "}\n\n"
    }
    return [
      ": PROCESSING\n\n",
      chunk(#"{"index":0,"delta":{"role":"assistant","content":"\#(text)"}}"#, ""),
      chunk(#"{"index":0,"delta":{},"finish_reason":"\#(reason)"}"#, ""),
      chunk("", #","usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}"#),
      "data: [DONE]\n\n",
    ]
  }

  private static func answer(_ chunks: [String]) -> Answer {
    .stream(Array(chunks.joined().utf8))
  }

  private static func asks(_ messages: String...) -> RecipeServer.Body {
    .json(
      #"{"model":"gpt-5.2","messages":[\#(messages.joined(separator: ","))],"stream":true,"#
        + #""stream_options":{"include_usage":true}}"#)
  }

  private static let recipe = Recipe(
    heading: "A server of Chat Completions",
    rows: [
      .init(
        "POST /chat/completions",
        asks(
          #"{"role":"system","content":"Be brief."}"#,
          #"{"role":"user","content":"Name a river."}"#), answer(chunks("The Rhine."))),
      .init(
        "POST /chat/completions",
        asks(
          #"{"role":"system","content":"Be brief."}"#,
          #"{"role":"user","content":"Name a river."}"#,
          #"{"role":"assistant","content":"The Rhine."}"#,
          #"{"role":"user","content":"How long is it?"}"#), answer(chunks("1,233 km."))),
    ], prints: "The Rhine.\n1,233 km.\n")

  @Test(arguments: [recipe])
  func `a recipe does what it says`(recipe: Recipe) throws { try recipe.expect() }

  /// What the server sends, what is printed, and how each tool ends.
  private static let ends: [(answer: Answer, text: String, status: Int32)] = [
    (answer(chunks("Hi")), "Hi\n", 0),
    (answer(chunks("Hi", "length")), "Hi\n", 6),
    (answer(chunks("Hi", "content_filter")), "Hi\n", 6),
    (answer(Array(chunks("Hi").prefix(2))), "Hi\n", 5),
    (.stream(Array(chunks("Hi").joined().utf8), .cut(after: 150)), "Hi\n", 5),
    (answer(Array(chunks("Hi").prefix(3))), "Hi\n", 0),
    (.body(#"{"error":{"message":"No.","code":"model_not_found"}}"#, status: 404), "", 4),
    (
      .body(
        #"{"id":"c1","object":"chat.completion","choices":[{"index":0,"#
          + #""message":{"content":null,"refusal":"No."},"finish_reason":"stop"}]}"#), "", 7
    ),
  ]

  @Test(arguments: ends.indices)
  func `each tool of a pipeline ends as the answer did`(index: Int) throws {
    let (answer, text, status) = Self.ends[index]
    let sender = try Sender(answer)
    let (finished, statuses) = try ToolProcess.pipeline(
      ["oresp-send --api=chat \"$@\"", "oresp-sse --from=chat", "oresp-text"],
      sender.arguments, environment: sender.environment)
    #expect(finished.text == text && statuses == [status, status, status], "\(statuses)")
    #expect(sender.server.requests.map(\.target) == ["/v1/chat/completions"])
  }

  @Test func `the log has the tokens, as the filters read them`() throws {
    var sender = try Sender(Self.answer(Self.chunks("Hi")))
    let folder = try TemporaryFolder()
    sender.arguments = ["--api=chat", "--log", folder.path + "/log"] + sender.arguments
    let run = try sender.run()
    #expect(run.outcome == .exited(0) && run.text == Self.chunks("Hi").joined())
    let line = json(try String(contentsOfFile: folder.path + "/log", encoding: .utf8))
    #expect(line["response_id"] as? String == "c1" && line["verdict"] as? String == "completed")
    #expect((line["usage"] as? [String: Any])?["output_tokens"] as? Int == 2)
    let usage = try ToolProcess("oresp-events", ["--usage", folder.path + "/log"]).finish()
    #expect(usage.text.contains(#""total_tokens":3"#))
  }
}
