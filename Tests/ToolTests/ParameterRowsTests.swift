import Testing

@testable import Core
@testable import oresp_send

/// The options that set parameters: what other tables must know of each.
@Suite struct ParameterRowsTests {
  /// An option that no other table knows.
  private static var new: Option<SendSettings> {
    Parameter.row("new-thing", .integer, help: "Set a thing.")
  }

  private static var options: [Option<SendSettings>] {
    Parameter.table + [new] + SendSettings.toolOptions.filter { $0.row.name == "tool-choice" }
  }

  /// The settings that each option makes of a value, and the member that it sets.
  private static var rows: [(option: String, member: String, settings: SendSettings)] {
    options.compactMap { option in
      for value in ["1", "auto", "a=b", nil] {
        var settings = SendSettings()
        guard (try? option.apply(&settings, value, true)) != nil,
          let member = settings.request.edits.first?.path.names.first
        else { continue }
        return (option.row.name, member, settings)
      }
      return nil
    }
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

  @Test(arguments: [API.responses, .chat])
  func `a parameter is one row: without another place, its member is in the body`(
    api: API
  ) throws {
    #expect(Self.rows.count == Self.options.count)
    let sources = SendCommand(environment: ["ORESP_MODEL": "m"]).sources
    for row in Self.rows where api == .responses || row.option == Self.new.row.name {
      var settings = row.settings.request
      settings.api = api
      let patch = try Patch(
        settings, sources, .openAI, isNew: true, batchEvents: nil, showsSecrets: true)
      let names = try patch.body().members.map(\.name)
      let model = row.member == "prompt" ? [] : ["model"]
      let last = api == .chat ? ["stream", "stream_options"] : ["stream"]
      #expect(names == model + [row.member] + last, "--\(row.option)")
    }
  }

  @Test func `each parameter becomes one of Chat Completions, or is refused`() throws {
    for row in Self.rows where row.option != Self.new.row.name {
      let expected = try #require(Self.chat[row.member], "--\(row.option) sets \(row.member)")
      let value: JSONValue =
        switch row.member {
        case "reasoning": ["effort": "low"]
        case "text": ["verbosity": "low"]
        default: "x"
        }
      var body = RequestBody(["model": "m", "input": "i"])
      body.set(row.member, value)
      let request = ChatRequest(edits: [], limitName: "max_completion_tokens")
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
