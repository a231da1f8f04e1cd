import Foundation
import ProcessSupport
import Testing

/// The recipe that calls functions.
@Suite(.waiting) struct RecipeTests {
  /// An answer in which the model calls `add` twice at once.
  private static var calls: String {
    let items = [("c1", 2, 3), ("c2", 40, 0.5)].enumerated().map { index, call in
      #"{"id":"fc_\#(index)","type":"function_call","status":"completed","call_id":"\#(call.0)","#
        + #""name":"add","arguments":"{\"a\":\#(call.1),\"b\":\#(call.2)}"}"#
    }
    let done = items.enumerated().map {
      #"{"type":"response.output_item.done","output_index":\#($0),"item":\#($1)}"#
    }
    let output = items.joined(separator: ",")
    return SampleStream.stream(
      [#"{"type":"response.created","response":\#(SampleStream.response("in_progress"))}"#] + done
        + [
          #"{"type":"response.completed","response":\#(SampleStream.response("completed", output: output))}"#
        ])
  }

  @Test func `the loop over function calls ends in the answer`() throws {
    let server = try LoopbackServer(.stream(Array(Self.calls.utf8)), .stream(SampleStream.bytes))
    let folder = try TemporaryFolder()
    let script = "cd '\(folder.path)'\n" + (try Recipe.script("Call your own functions"))
    let run = try ToolProcess(
      "bash", ["-c", script, "recipe", "How much is it?"],
      environment: ["OPENAI_BASE_URL": server.baseURL, "ORESP_MODEL": "gpt-5.2"]
    ).finish()
    #expect(run.text == SampleStream.text)
    #expect(run.outcome == .exited(0))
    let requests = server.requests.map(\.json)
    #expect(requests.count == 2)
    #expect(requests.first?["input"] as? String == "How much is it?")
    #expect(requests.last?["previous_response_id"] as? String == "resp_1")
    let outputs = requests.last?["input"] as? [[String: String]]
    #expect(outputs?.map { $0["call_id"] } == ["c1", "c2"])
    #expect(outputs?.map { $0["output"] } == ["5", "40.5"])
  }

  @Test func `the loop ends with the status of the turn that failed`() throws {
    let server = try LoopbackServer(.body("{}", status: 500))
    let folder = try TemporaryFolder()
    let script = "cd '\(folder.path)'\n" + (try Recipe.script("Call your own functions"))
    let run = try ToolProcess(
      "bash", ["-c", script, "recipe", "x"],
      environment: ["OPENAI_BASE_URL": server.baseURL, "ORESP_MODEL": "gpt-5.2"]
    ).finish()
    #expect(run.outcome == .exited(5))
  }
}
