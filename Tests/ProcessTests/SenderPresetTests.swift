import Foundation
import ProcessSupport
import Testing

/// Presets of `oresp-send` as files.
struct SenderPresetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Finished
  {
    try ToolProcess(
      "oresp-send", arguments, input: .nothing,
      environment: ["XDG_CONFIG_HOME": folder.path].merging(environment) { $1 }
    ).finish()
  }

  @Test func `a dry run makes a preset, which is used`() throws {
    let made = try run(["-m", "m", "--effort=low", "-s", "Brief", "-n", "x", "--unset=input"])
    let presets = folder.path + "/oresp/presets"
    try FileManager.default.createDirectory(atPath: presets, withIntermediateDirectories: true)
    _ = try folder.file("oresp/presets/news.json", made.text)
    let used = try run(["-P", "news", "-n", "hi"])
    #expect(
      used.text
        == #"{"model":"m","reasoning":{"effort":"low"},"instructions":"Brief","input":"hi","#
        + "\"stream\":true}\n")
    let unknown = try run(["-P", "nws", "-n", "hi"])
    #expect(unknown.outcome == .exited(2))
    #expect(unknown.errors == "oresp-send: \(presets)/nws.json: No such file or directory\n")
  }

  @Test func `in place of a secret [key] is printed`() throws {
    let tool = ["-n", "-m", "m", "-t", "mcp=a@https://x.example,auth-env=TOKEN", "hi"]
    let run = try run(tool, ["TOKEN": "mcp-secret"])
    #expect(run.outcome == .exited(0))
    #expect(!run.text.contains("mcp-secret") && !run.errors.contains("mcp-secret"))
    #expect(run.text.contains(#""authorization":"[key]""#) && run.errors.isEmpty)
  }

  @Test func `a secret is sent, and not shown when the server repeats it`() throws {
    let error = #"{"error":{"message":"no tools for mcp-secret","code":"bad_tool"}}"#
    var sender = try Sender(.body(error, status: 400))
    sender.environment["TOKEN"] = "mcp-secret"
    sender.arguments = ["-m", "m", "-t", "mcp=a@https://x.example,auth-env=TOKEN", "hi"]
    let run = try sender.run()
    #expect(run.outcome == .exited(4))
    #expect(run.text.contains("no tools for [key]"))
    #expect(!run.text.contains("mcp-secret") && !run.errors.contains("mcp-secret"))
    let tools = try #require(sender.server.requests.first?.json["tools"] as? [[String: Any]])
    #expect(tools.first?["authorization"] as? String == "mcp-secret")
  }

  @Test(arguments: [
    (["--path=/models"], "GET /v1/models"),
    (["--path=/files/f", "-X", "DELETE"], "DELETE /v1/files/f"),
    (["--get=r"], "GET /v1/responses/r"), (["--delete=r"], "DELETE /v1/responses/r"),
    (["--cancel=r"], "POST /v1/responses/r/cancel"),
    (["--resume=r"], "GET /v1/responses/r?stream=true"),
  ])
  func `the preset of the environment changes no request but for a new response`(
    arguments: [String], asked: String
  ) throws {
    var sender = try Sender(.body(SampleStream.response("completed")))
    sender.arguments = ["--retry=0"] + arguments
    sender.environment["ORESP_PRESET"] = try folder.file(
      "p.json", Array(#"{"model":"m","instructions":"Brief"}"#.utf8))
    _ = try sender.run()
    let requests = sender.server.requests
    #expect(requests.map { "\($0.method) \($0.target)" } == [asked])
    #expect(requests.allSatisfy { $0.body.isEmpty })
  }

  @Test func `the kinds of tools are listed, and nothing is sent`() throws {
    let run = try run(["-t", "help"])
    #expect(run.outcome == .exited(0))
    #expect(run.text.contains("\nfile_search=ID[,ID...]       search vector stores\n"))
  }
}
