import ProcessSupport
import Testing

/// What `oresp-events --check` says of streams that real servers sent.
@Suite struct RecordedCheckTests {
  /// What is in `api` was made by hand, and is not sound.
  private static let recordings = (Corpus.eventStreams + Corpus.eventLines).filter {
    $0.hasPrefix("streams/")
  }

  @Test(arguments: recordings)
  func `nothing is found in a sound recording`(path: String) throws {
    let run = try ToolProcess.run("oresp-events", ["--check", try Recording(path).file])
    let expected = Self.faults[path] ?? []
    #expect(Self.rules(run.lines) == expected)
    #expect(run.outcome == .exited(max(Recording.status(of: path), expected.isEmpty ? 0 : 1)))
  }

  private static func rules(_ lines: [String]) -> Set<String> {
    Set(lines.map { String($0.split(separator: ":", maxSplits: 3)[2].dropFirst()) })
  }

  /// What other servers do that no careful reader expects: one opens no part, one no item and ends
  /// with another text, one counts anew and ends without the summary that it streamed, one opens
  /// items twice and under indexes of others.
  private static let faults: [String: Set<String>] = [
    "streams/peers/codexrelay-text.sse": ["delta-without-added"],
    "streams/peers/codexrelay-twice.sse": ["delta-without-added"],
    "streams/peers/litellm-bridge-think.sse": ["sequence-disorder", "output-mismatch"],
    "streams/peers/ors-limit.sse": ["delta-without-added", "output-mismatch"],
    "streams/peers/ors-tool.sse": ["delta-without-added"],
    "streams/peers/transformers-toolreq.sse": ["added-twice", "index-gap"],
    "streams/peers/transformers-twice.sse": ["added-twice"],
  ]

  /// What servers do that is not as documented.
  private static let quirks: [String: Set<String>] = [
    "streams/bedrock-gpt-oss-reasoning-text.sse": ["index-gap"],
    "streams/chatgpt-backend-empty-output.sse": ["output-missing"],
    "streams/openai-background-resumed.sse": ["no-beginning"],
    "streams/openai-image-generation-keepalive.sse": ["item-status"],
    "streams/openai-mcp-lists-out-of-order.sse": ["added-without-done"],
    "streams/openai-text-2025-05-emoji.sse": ["missing-member"],
    "streams/openrouter-reasoning-text.sse": ["id-mismatch"],
    "streams/github-copilot-rotating-ids.ndjson": ["id-mismatch"],
    "streams/lmstudio-reasoning-function-call.ndjson": ["done-without-delta"],
    "streams/peers/codexrelay-text.sse": ["delta-without-done", "missing-member"],
    "streams/peers/codexrelay-twice.sse": ["delta-without-done", "missing-member"],
    "streams/peers/litellm-bridge-limit.sse": ["missing-member"],
    "streams/peers/litellm-bridge-think.sse": ["delta-without-added", "missing-member"],
    "streams/peers/litellm-native-think.sse": [
      "delta-without-added", "delta-without-done", "missing-member",
    ],
    "streams/peers/litellm-native-twice.sse": ["delta-without-done", "missing-member"],
    "streams/peers/llamacpp-think.sse": [
      "delta-without-added", "delta-without-done", "missing-member",
    ],
    "streams/peers/llamacpp-tool.sse": ["delta-without-done", "missing-member"],
    "streams/peers/llamacpp-twice.sse": ["delta-without-done", "missing-member"],
    "streams/peers/ors-limit.sse": ["missing-member"],
    "streams/peers/ors-tool.sse": ["missing-member"],
    "streams/peers/smg-tool.sse": ["delta-without-done", "missing-member"],
    "streams/peers/smg-twice.sse": ["delta-without-done", "missing-member"],
    "streams/peers/transformers-think.sse": ["delta-without-added"],
    "streams/peers/transformers-toolreq.sse": ["done-without-delta"],
    "streams/peers/transformers-twice.sse": ["done-without-delta"],
  ]

  @Test(arguments: recordings)
  func `strictly, the quirks of servers are found`(path: String) throws {
    let run = try ToolProcess.run("oresp-events", ["--check=strict", try Recording(path).file])
    #expect(Self.rules(run.lines) == (Self.quirks[path] ?? []).union(Self.faults[path] ?? []))
  }
}
