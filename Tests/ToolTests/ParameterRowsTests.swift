import Testing

@testable import Core
@testable import oresp_send

/// The options that set parameters: what other tables must know of each.
@Suite struct ParameterRowsTests {
  /// The first member that each option sets, by the option's name.
  private static let rows: [(option: String, member: String)] = SendSettings.options.compactMap {
    option in
    for value in ["1", "auto", "a=b", nil] {
      var settings = SendSettings()
      guard (try? option.apply(&settings, value, true)) != nil,
        case .member(let name)? = settings.request.parameters.first?.path.steps.first
      else { continue }
      return (option.row.name, name)
    }
    return nil
  }

  /// What becomes of each member in a request of Chat Completions; `nil` for a refusal.
  private static let chat: [String: String?] = [
    "background": nil, "conversation": nil,
    "instructions": "messages", "max_output_tokens": "max_completion_tokens",
    "max_tool_calls": nil, "metadata": "metadata", "parallel_tool_calls": "parallel_tool_calls",
    "prompt": nil, "prompt_cache_key": "prompt_cache_key", "reasoning": "reasoning_effort",
    "safety_identifier": "safety_identifier", "service_tier": "service_tier", "store": "store",
    "temperature": "temperature", "text": "verbosity",
    "tool_choice": "tool_choice", "top_logprobs": "top_logprobs", "top_p": "top_p",
    "truncation": nil,
  ]

  @Test func `each parameter has a place in the order of members`() {
    #expect(Self.rows.count > 20)
    for row in Self.rows {
      #expect(MemberOrder.names.contains(row.member), "--\(row.option) sets \(row.member)")
    }
  }

  @Test func `each parameter becomes one of Chat Completions, or is refused`() throws {
    for row in Self.rows {
      let expected = try #require(Self.chat[row.member], "--\(row.option) sets \(row.member)")
      let value: JSONValue =
        switch row.member {
        case "reasoning": ["effort": "low"]
        case "text": ["verbosity": "low"]
        default: "x"
        }
      var body = RequestBody(["model": "m", "input": "i"])
      body.set(row.member, value)
      let request = ChatRequest(changes: [], limitName: "max_completion_tokens")
      let made: [String]?
      do throws(Failure) {
        try request.change(&body)
        made = body.members.map(\.name)
      } catch {
        made = nil
      }
      #expect(made?.contains(expected ?? "") ?? (expected == nil), "--\(row.option): \(made ?? [])")
    }
  }
}
