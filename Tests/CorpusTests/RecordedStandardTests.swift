import Foundation
import ProcessSupport
import Testing

/// Which rules of Open Responses the answers of real servers break: streams, documents and errors.
/// Few claimed to keep to them.
@Suite struct RecordedStandardTests {
  private static let recordings = Corpus.all.filter { $0.hasPrefix("streams/") }

  @Test(arguments: recordings)
  func `the rules that a recording breaks are known`(path: String) throws {
    let run = try ToolProcess.run(
      "oresp-events", ["--check=openresponses,json", try Recording(path).file])
    let found = try run.lines.map { line in
      let finding = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return finding?["rule"] as? String ?? line
    }
    #expect(Set(found) == (Self.broken[path] ?? ["no row"]))
    #expect(run.outcome == .exited(max(Recording.status(of: path), found.isEmpty ? 0 : 1)))
  }

  private static let broken: [String: Set<String>] = Dictionary(
    uniqueKeysWithValues: table.split(separator: "\n").map { row in
      let parts = row.split(separator: ":", maxSplits: 1)
      let rules = parts.dropFirst().first?.split(separator: " ").map(String.init) ?? []
      return (String(parts[0]), Set(rules))
    })

  private static let table = """
    streams/azure-reasoning-summary-long.sse: done-mark item-members
    streams/azure-reasoning-text.sse: done-mark item-members
    streams/bedrock-gpt-oss-reasoning-text.sse: done-mark event-name event-type response-members
    streams/chatgpt-backend-empty-output.sse: done-mark
    streams/deepseek-reasoning-function-call.sse: done-mark event-type
    streams/openai-background-queued.sse: done-mark
    streams/openai-background-resumed.sse: done-mark
    streams/openai-code-interpreter-image.sse: done-mark event-type item-members item-type response-members
    streams/openai-code-interpreter.sse: done-mark event-type item-type response-members
    streams/openai-compaction.sse: done-mark item-members
    streams/openai-custom-tool.sse: done-mark event-type item-type
    streams/openai-encrypted-reasoning-phase-call.sse: done-mark item-members
    streams/openai-error-then-failed.sse: done-mark
    streams/openai-file-search.sse: done-mark event-type
    streams/openai-function-call-unicode-args.sse: done-mark
    streams/openai-function-calls-parallel.sse: done-mark
    streams/openai-image-generation-keepalive.sse: done-mark event-type item-members item-status item-type
    streams/openai-incomplete-max-tokens.sse: done-mark response-members
    streams/openai-incomplete-mid-call.sse: done-mark
    streams/openai-keepalive-event.sse: done-mark event-type
    streams/openai-logprobs.sse: done-mark
    streams/openai-mcp-call-failed-then-ok.sse: done-mark event-type item-members item-type response-members
    streams/openai-mcp-call.sse: done-mark event-type item-members item-type response-members
    streams/openai-mcp-lists-out-of-order.sse: done-mark event-type item-ends item-members item-type
    streams/openai-reasoning-summary-long.sse: done-mark item-members response-members
    streams/openai-refusal.sse: done-mark
    streams/openai-structured-output.sse: done-mark
    streams/openai-text-2025-05-emoji.sse: done-mark event-members response-members
    streams/openai-text-long.sse: done-mark
    streams/openai-text-short.sse: done-mark
    streams/openai-tool-search.sse: done-mark item-type
    streams/openai-web-search-citations.sse: done-mark event-type item-type
    streams/openrouter-function-call.sse: event-name
    streams/openrouter-reasoning-text.sse: event-name event-type item-members response-members
    streams/xai-keepalive-comments.sse: done-mark
    streams/xai-reasoning-text.sse: done-mark
    streams/github-copilot-rotating-ids.ndjson: item-members response-members
    streams/lmstudio-reasoning-function-call.ndjson: event-type part-order
    streams/lmstudio-text.ndjson:
    streams/openai-apply-patch.ndjson: event-type item-type response-members
    streams/openai-four-responses-in-a-row.ndjson: item-members response-members
    streams/openai-local-shell.ndjson: item-members item-type response-members
    streams/openai-mcp-approval-request.ndjson: event-type item-members item-type response-members
    streams/openai-shell-skills.ndjson: event-type item-type
    streams/xai-web-search-citations.ndjson: item-type response-members
    streams/peers/codexrelay-text.sse: done-mark event-members part-order response-members
    streams/peers/codexrelay-twice.sse: done-mark event-members part-order response-members
    streams/peers/litellm-bridge-limit.sse: event-members event-name response-members
    streams/peers/litellm-bridge-think.sse: event-members event-name item-begins item-members part-order response-members sequence
    streams/peers/litellm-errors-text.sse: error-then-failed event-members event-name
    streams/peers/litellm-native-think.sse: event-members event-name event-type item-members part-order response-members
    streams/peers/litellm-native-twice.sse: event-members event-name part-order response-members
    streams/peers/llamacpp-think.sse: done-mark event-members event-type item-members part-order response-members
    streams/peers/llamacpp-tool.sse: done-mark event-members part-order response-members
    streams/peers/llamacpp-twice.sse: done-mark event-members part-order response-members
    streams/peers/llm-mock-api-think.sse: done-mark event-name response-members
    streams/peers/llmock-malformed-text.sse: done-mark one-json response-members
    streams/peers/llmock-truncate-text.sse: done-mark response-members response-status
    streams/peers/ors-limit.sse: done-mark event-members event-name item-begins item-members response-members
    streams/peers/ors-tool.sse: done-mark event-members event-name item-begins item-members response-members
    streams/peers/smg-tool.sse: done-mark event-members part-order response-members
    streams/peers/smg-twice.sse: done-mark event-members part-order response-members
    streams/peers/transformers-think.sse: done-mark event-name event-type part-order response-members
    streams/peers/transformers-toolreq.sse: done-mark event-name item-begins item-status part-order response-members
    streams/peers/transformers-twice.sse: done-mark event-name item-begins item-members item-status part-order response-members
    streams/azure-reasoning-text.response.json: item-members
    streams/bedrock-gpt-oss-reasoning-text.response.json: response-members
    streams/chatgpt-backend-401.error.json: error-members
    streams/deepseek-400.error.json:
    streams/deepseek-reasoning-text.response.json:
    streams/llamacpp-text.response.json: response-members
    streams/lmstudio-function-call.response.json:
    streams/lmstudio-text.response.json:
    streams/mistralrs-reasoning-text.response.json: response-members
    streams/openai-400-context-length.error.json:
    streams/openai-400-previous-response-not-found.error.json:
    streams/openai-400-unknown-model.error.json:
    streams/openai-401-bad-key.error.json:
    streams/openai-apply-patch.response.json: item-type response-members
    streams/openai-code-interpreter.response.json: item-members item-type response-members
    streams/openai-computer-use.response.json: item-status item-type
    streams/openai-encrypted-reasoning.response.json: item-members response-members
    streams/openai-file-search.response.json: item-members response-members
    streams/openai-image-generation.response.json: item-members item-type response-members
    streams/openai-incomplete-reasoning-only.response.json: item-members
    streams/openai-insufficient-quota.error.json:
    streams/openai-local-shell.response.json: item-members item-type response-members
    streams/openai-mcp-approval-request.response.json: item-members item-type response-members
    streams/openai-refusal.response.json:
    streams/openai-shell-skills.response.json: item-type
    streams/openai-text-short.response.json:
    streams/openai-tool-search.response.json: item-type
    streams/openai-unsupported-parameter.error.json:
    streams/openai-web-search.response.json: item-members item-type response-members
    streams/xai-400-bad-key.error.json: error-members
    streams/xai-reasoning-text.response.json:
    streams/xai-web-search-citations.response.json: item-type response-members
    """
}
