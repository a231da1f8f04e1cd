import ProcessSupport
import Testing

/// What `oresp-events --check` says of streams that real servers sent.
@Suite struct RecordedCheckTests {
  /// What is in `api` was made by hand, and is not sound.
  private static let recordings = (Corpus.eventStreams + Corpus.eventLines).filter {
    $0.hasPrefix("streams/")
  }

  @Test(arguments: recordings)
  func `nothing is found in a recording`(path: String) throws {
    let run = try ToolProcess.run("oresp-events", ["--check", try Recording(path).file])
    #expect(run.text == "")
    #expect(run.outcome == .exited(Recording.status(of: path)))
  }

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
  ]

  @Test(arguments: recordings)
  func `strictly, the quirks of servers are found`(path: String) throws {
    let run = try ToolProcess.run("oresp-events", ["--check=strict", try Recording(path).file])
    let rules = run.lines.map { line in
      String(line.split(separator: ":", maxSplits: 3)[2].dropFirst())
    }
    #expect(Set(rules) == Self.quirks[path] ?? [])
  }
}
