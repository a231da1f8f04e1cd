import Foundation
import ProcessSupport
import Testing

/// What arrives of files, items and standard input.
@Suite(.waiting) struct SenderInputTests {
  #if DEBUG
    private static let megabytes = 6
  #else
    private static let megabytes = 47
  #endif

  private func sender(_ arguments: String...) throws -> Sender {
    var sender = try Sender(.stream(SampleStream.bytes))
    sender.arguments = ["-m", "m"] + arguments
    return sender
  }

  /// Bytes in which every value stands, and which are no text.
  private static func data(kibibytes: Int) -> [UInt8] {
    let kibibyte = (0..<1024).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
    var bytes: [UInt8] = [0]
    for _ in 0..<kibibytes { bytes += kibibyte }
    return bytes
  }

  /// The first part of the content of the message that a request is.
  private static func part(_ request: LoopbackServer.Request?) -> [String: Any]? {
    let input = request?.json["input"] as? [[String: Any]]
    return (input?.last?["content"] as? [[String: Any]])?.first
  }

  @Test func `a large file arrives whole`() throws {
    let folder = try TemporaryFolder()
    let bytes = Self.data(kibibytes: Self.megabytes << 10)
    let sender = try sender("-f", try folder.file("big.bin", bytes), "What is it?")
    #expect(try sender.run().outcome == .exited(0))
    let request = try #require(sender.server.requests.first)
    #expect(request["Content-Length"] == "\(request.body.count)")
    #expect(request["Transfer-Encoding"] == nil)
    let part = try #require(Self.part(request))
    #expect(part["filename"] as? String == "big.bin")
    let url = try #require(part["file_data"] as? String)
    let start = "data:application/octet-stream;base64,"
    #expect(url.hasPrefix(start))
    let isWhole = Data(base64Encoded: String(url.dropFirst(start.count))) == Data(bytes)
    #expect(isWhole)
  }

  @Test func `a dry run prints what would arrive`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("x", Self.data(kibibytes: 300))
    var sender = try sender("-f", file, "-f", file, "-f", "-;type=text", "What?")
    let given = ToolProcess.Input.text("é\n")
    #expect(try sender.run(input: given).outcome == .exited(0))
    sender.arguments.append("-n")
    let dry = try sender.run(input: given)
    #expect(dry.outcome == .exited(0))
    sender.arguments = ["-b", "-"]
    #expect(try sender.run(input: .bytes(dry.output)).outcome == .exited(0))
    let bodies = sender.server.requests.map(\.body)
    #expect(bodies.count == 2)
    let areSame = bodies.allSatisfy { $0 + [10] == dry.output }
    #expect(areSame)
  }

  @Test(arguments: [
    ["Hello"], ["-f", "file-1"], ["--outputs", #"{"call_id":"c","output":"x"}"#],
    ["--previous", "resp_1", "Hello"],
  ])
  func `a standard input that stays open and brings nothing is refused`(arguments: [String]) throws
  {
    var sender = try sender()
    sender.arguments += arguments
    let process = try sender.start(input: .open)
    #expect(process.finish().outcome == .exited(2))
    process.closeInput()
    #expect(sender.server.requests.isEmpty)
  }

  @Test(arguments: [["-"], [], ["-f", "-"]])
  func `a slow producer is not cut off`(arguments: [String]) throws {
    var sender = try sender()
    sender.arguments += arguments
    let process = try sender.start(input: .open)
    // More than a pipe holds: when a part is written, some of it was read and the rest is awaited.
    let part = String(repeating: "0123456789abcdef", count: 20_000)
    for _ in 0..<3 { #expect(process.write(part)) }
    #expect(sender.server.requests.isEmpty)
    process.closeInput()
    #expect(process.finish().outcome == .exited(0))
    let request = try #require(sender.server.requests.first)
    let items = request.json["input"] as? [[String: Any]]
    let text =
      request.json["input"] as? String ?? items?.first?["output"] as? String
      ?? Self.part(request)?["text"] as? String
    let isWhole = text == part + part + part
    #expect(isWhole)
  }

  @Test(arguments: [
    ("-f", "file"), ("-f", "folder"), ("--items", "file"),
  ])
  func `a file that cannot be read is status 2, and nothing is sent`(
    option: String, name: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + (name == "file" ? "/missing" : "")
    let sender = try sender(option, path, "Hello")
    let run = try sender.run()
    #expect(run.outcome == .exited(2))
    #expect(run.errors.contains(path))
    #expect(sender.server.requests.isEmpty)
  }

  @Test func `what a shell names for a pipe has no name of its own`() throws {
    let sender = try sender()
    let run = try ToolProcess.bash(
      "oresp-send -m m -f <(echo text) -f <(echo %PDF-1.7)", environment: sender.environment)
    #expect(run.outcome == .exited(0))
    let input = try #require(sender.server.requests.first?.json["input"] as? [[String: Any]])
    let parts = try #require(input.first?["content"] as? [[String: String]])
    #expect(parts.count == 2)
    #expect(parts.first?["text"] == "text\n")
    #expect(parts.last?["filename"] == "stdin.pdf")
    #expect(parts.last?["file_data"] == "data:application/pdf;base64,JVBERi0xLjcK")
  }

  @Test func `names of files come from find`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.file("a\nb ", "text")
    let sender = try sender()
    let script = """
      mapfile -d '' files < <(find "$1" -type f -print0)
      oresp-send -m m "${files[@]/#/-f}" 'What is it?'
      """
    let run = try ToolProcess.bash(script, [folder.path], environment: sender.environment)
    #expect(run.outcome == .exited(0))
    let part = try #require(Self.part(sender.server.requests.first))
    #expect(part["text"] as? String == "==> \(folder.path)/a\nb  <==\ntext")
  }

  @Test func `a conversation goes on with what was answered`() throws {
    let sender = try sender()
    let script = """
      oresp-send -m m Hello | oresp-events --items >items.ndjson
      oresp-send -m m --items items.ndjson 'And then?' | oresp-sse >turn.ndjson
      oresp-send -m m --previous @turn.ndjson --outputs '{"call_id":"c1","output":"done"}'
      """
    let folder = try TemporaryFolder()
    let run = try ToolProcess.bash(
      "cd \"$1\" && \(script)", [folder.path], environment: sender.environment)
    #expect(run.outcome == .exited(0))
    let requests = sender.server.requests.map(\.json)
    #expect(requests.count == 3)
    let items = try #require(requests[1]["input"] as? [[String: Any]])
    let recorded = try String(contentsOfFile: folder.path + "/items.ndjson", encoding: .utf8)
    let item = json(try #require(Finished.lines(recorded).first))
    #expect(NSDictionary(dictionary: items[0]) == NSDictionary(dictionary: item))
    #expect(items.last?["content"] as? String == "And then?")
    #expect(requests[2]["previous_response_id"] as? String == "resp_1")
    let output = try #require((requests[2]["input"] as? [[String: String]])?.first)
    #expect(output == ["type": "function_call_output", "call_id": "c1", "output": "done"])
  }
}
