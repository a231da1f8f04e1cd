import Foundation
import ProcessSupport
import Testing

/// The recipe for a server's WebSocket, with websocat where that is installed, and with a
/// client in its place that takes its arguments.
@Suite struct WebSocketTests {
  /// Sends each line of standard input as a message, and prints each message that comes as a line.
  private static let client = """
    import asyncio, sys, websockets

    async def main(arguments):
      url = next(text for text in arguments if text.startswith("ws"))
      pairs = [text[3:].split(": ", 1) for text in arguments if text.startswith("-H=")]
      async with websockets.connect(url, extra_headers=pairs, max_size=None) as socket:
        async def receive():
          async for message in socket:
            print(message, flush=True)
        receiving = asyncio.ensure_future(receive())
        loop = asyncio.get_running_loop()
        while line := await loop.run_in_executor(None, sys.stdin.readline):
          await socket.send(line.rstrip("\\n"))
        await socket.close()
        await receiving

    asyncio.run(main(sys.argv[1:]))
    """

  /// Whether what the client needs is there.
  private static let isAvailable: Bool = {
    let check = try? ToolProcess("/usr/bin/python3", ["-c", "import websockets"]).finish()
    return check?.outcome == .exited(0) && WebSocketServer.isAvailable
  }()

  /// What the script is run with.
  private static let clients: [String] = {
    let isInstalled = (try? ToolProcess.bash("type websocat"))?.outcome == .exited(0)
    return ["a client of ours"] + (isInstalled ? ["websocat"] : [])
  }()

  /// Runs the script with `server` in the place of OpenAI's.
  private static func run(
    _ server: WebSocketServer, with name: String, _ arguments: String...
  ) throws -> Finished {
    let folder = try TemporaryFolder()
    let client = try folder.file("client.py", Self.client)
    let own = "websocat() { /usr/bin/python3 '\(client)' \"$@\"; }"
    let script = try Recipe.script("Responses over a WebSocket")
      .replacingOccurrences(of: "wss://api.openai.com/v1/responses", with: server.url)
    return try ToolProcess.bash(
      (name == "websocat" ? "" : own) + "\ncd '\(folder.path)'\n\(script)",
      arguments, environment: ["OPENAI_API_KEY": "sk-socket", "ORESP_MODEL": "gpt-5.2"])
  }

  @Test(.needs(isAvailable, "openssl is not installed"), arguments: clients)
  func `two turns go over one socket`(client: String) throws {
    let long = SampleStream.events([String(repeating: "long ", count: 30_000)])
    let server = try WebSocketServer([SampleStream.events, long])
    let run = try Self.run(server, with: client, "How much is it?")
    #expect(run.text == SampleStream.text + String(repeating: "long ", count: 30_000) + "\n")
    #expect(run.errors == "")
    #expect(run.outcome == .exited(0))
    #expect(server.waitForClose())
    #expect(server.requests.map { $0["Authorization"] } == ["Bearer sk-socket"])
    let messages = server.messages.compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(messages.map { $0["type"] as? String } == ["response.create", "response.create"])
    #expect(messages.map { $0["previous_response_id"] as? String } == [nil, "resp_1"])
    #expect(messages.first?["input"] as? String == "How much is it?")
    #expect(messages.allSatisfy { $0["stream"] == nil && $0["model"] != nil })
  }

  @Test(.needs(isAvailable, "openssl is not installed"), arguments: clients)
  func `an error that comes over a socket ends the script with its status`(
    client: String
  ) throws {
    let error = #"{"type":"error","status":400,"error":{"code":"invalid_prompt","message":"no"}}"#
    let run = try Self.run(try WebSocketServer([[error]]), with: client, "x")
    #expect(run.errors.contains("invalid_prompt"))
    #expect(run.outcome == .exited(4))
  }
}
