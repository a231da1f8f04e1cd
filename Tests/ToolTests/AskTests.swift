import Foundation
import ProcessSupport
import TestSupport
import Testing

@testable import Core
@testable import oresp_send

/// What a command line names is read once, and what is decided of it is decided once.
@Suite struct AskTests {
  /// Notes which environment variables are asked for, and answers with `values`.
  private final class Environment: Sendable {
    private let values: [String: String]
    private let counts = Shared<[String: Int]>([:])

    init(_ values: [String: String]) { self.values = values }

    func value(_ name: String) -> String? {
      counts.update { $0[name, default: 0] += 1 }
      return values[name]
    }

    var asked: [String: Int] { counts.value }
  }

  /// A server is resolved, its URL parsed and a body made of what these variables say.
  private static let server = [
    "ORESP_PROVIDER", "OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_ORG_ID",
  ]
  private static let body = ["ORESP_MODEL", "ORESP_PRESET"]

  @Test(arguments: [
    ["-t", "web_search", "Why?"], ["-t", "web_search", "-"], ["--api=chat", "Why?"],
    ["--get", "resp_1"], ["--batch"],
  ])
  func `a run asks for each variable once, and reads its prompt once`(arguments: [String]) throws {
    let server = try LoopbackServer(
      .body(#"{"id":"resp_1","object":"response","status":"completed","output":[]}"#))
    let environment = Environment([
      "OPENAI_BASE_URL": server.baseURL, "OPENAI_API_KEY": "sk-0123456789", "OPENAI_ORG_ID": "org",
      "ORESP_MODEL": "m",
    ])
    let isBatch = arguments == ["--batch"]
    let lines = (1...3).map { #"{"custom_id":"\#($0)","body":{"input":"Hi"}}"# + "\n" }.joined()
    let input = isBatch ? lines : arguments.contains("-") ? "Why?" : ""
    let files = try [NamelessFile(Array(input.utf8)), NamelessFile(), NamelessFile()]
    let streams = Streams(
      input: files[0].descriptor, output: files[1].descriptor, errors: files[2].descriptor
    ) { environment.value($0) }
    let status = SendTool.command.run(arguments, on: streams)
    #expect(status == 0, "\(String(decoding: files[2].bytes, as: UTF8.self))")
    let asked = environment.asked
    for (name, count) in asked { #expect(count == 1, "\(name) is asked for \(count) times") }
    let isNew = !arguments.contains("--get")
    for name in Self.server + (isNew ? Self.body : []) {
      #expect(asked[name] == 1, "\(name) is not asked for")
    }
    #expect(server.requests.count == (isBatch ? 3 : 1))
    #expect(server.requests.allSatisfy { $0["OpenAI-Organization"] == "org" })
    // A body that is made twice would find its prompt read.
    if arguments.last == "-" {
      let body = String(decoding: server.requests.first?.body ?? [], as: UTF8.self)
      #expect(
        body.contains(#""input":"Why?""#) && body.contains(#""type":"web_search""#), "\(body)")
    }
  }

  /// A pipe that has `text` and no writer: who reads it twice finds nothing.
  private static func pipe(_ text: String) throws -> (file: FileHandle, path: String) {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try pipe.fileHandleForWriting.close()
    let file = pipe.fileHandleForReading
    return (file, "/dev/fd/\(file.fileDescriptor)")
  }

  /// Options that read a file, each with `@` or what else stands before the file's name, and a
  /// text.
  private static let options: [(option: String, start: String, text: String)] = [
    ("-P", "", #"{"model":"m","temperature":1}"#), ("-b", "", #"{"top_p":1}"#),
    ("-s", "@", "Be brief."), ("-S", "", #"{"type":"object"}"#),
    ("-t", "@", #"{"type":"x"}"#), ("-t", "mcp=a@https://a.example,auth-file=", "token"),
    ("--set", "a=@", "[1]"), ("--set-str", "metadata.b=@", "two"),
  ]
  private static let made =
    #""text":{"format":{"type":"json_schema","name":"answer","schema":{"type":"object"},"strict":true}},"#
    + #""tools":[{"type":"x"},{"type":"mcp","server_label":"a","server_url":"https://a.example","#
    + #""authorization":"[key]"}],"#

  @Test func `a file that a pipe gives is read once, for a request and for the lines of a batch`()
    throws
  {
    for isBatch in [false, true] {
      var arguments = ["-n", "-q"] + (isBatch ? ["--batch"] : ["-"])
      var files: [FileHandle] = []
      for row in Self.options {
        let (file, path) = try Self.pipe(row.text)
        files.append(file)
        arguments += [row.option, row.start + path]
      }
      let lines = #"{"custom_id":"1","body":{}}"# + "\n" + #"{"custom_id":"2","body":{}}"# + "\n"
      let run = try withExtendedLifetime(files) {
        try SendTool.command.run(arguments, input: Array((isBatch ? lines : "Hi").utf8))
      }
      let input = isBatch ? "" : #""input":"Hi","stream":true,"#
      let body =
        #"{"model":"m","temperature":1,"top_p":1,"instructions":"Be brief.","#
        + Self.made + input + #""a":[1],"metadata":{"b":"two"}}"#
      let expected =
        isBatch
        ? ["1", "2"].map { id in
          #"{"custom_id":"\#(id)","method":"POST","url":"/v1/responses","body":\#(body)}"#
        } : [body]
      let output = String(decoding: run.output, as: UTF8.self).split(separator: "\n").map(
        String.init)
      #expect(output == expected, "\(run.errors)")
      #expect(run.status == 0)
    }
  }

  @Test(arguments: [
    (["-"], "nothing to send: stdin is empty"),
    ([], "nothing to send: no PROMPT, and stdin is empty"),
    (["-s", "@none", "Hi"], "none: No such file or directory"),
    (["-f", "none", "Hi"], "none: No such file or directory"),
    (["--set", "a=@none", "Hi"], "none: No such file or directory"),
    (["--wait", "Hi"], "--wait goes with --background, which makes a response that goes on"),
    (
      ["--json", "--set", "text.format[0]=1", "Hi"],
      "text.format[0]: text.format is an object, not an array"
    ),
    (["--path", "/files", "-F", "a=@none"], "none: No such file or directory"),
    (["--resume", "@none"], "none: No such file or directory"),
    (
      ["--batch=none"],
      "none: No such file or directory; --batch reads files, and -s TEXT goes with each line of them"
    ),
  ])
  func `a person is asked for the key when all else is right`(
    arguments: [String], why: String
  ) throws {
    let folder = try TemporaryFolder()
    let mark = folder.path + "/asked"
    let run = try SendTool.command.run(
      ["--api-key-cmd", "touch \(mark); exit 7"] + arguments,
      environment: ["OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "ORESP_MODEL": "m"])
    #expect(run.status == 2 && run.errors.hasSuffix(why + "\n"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test func `a person is asked for the key once`() throws {
    let folder = try TemporaryFolder()
    let mark = folder.path + "/asked"
    let run = try SendTool.command.run(
      ["--api-key-cmd", "echo >>\(mark); exit 7", "Hi"],
      environment: ["OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "ORESP_MODEL": "m"])
    #expect(run.errors == "oresp-send: --api-key-cmd: the command ended with status 7\n")
    #expect(try String(contentsOfFile: mark, encoding: .utf8) == "\n")
  }

  @Test(arguments: [
    (["--api=chat", "--background"], "--background: Chat Completions has nothing like it"),
    (
      ["--api=chat", "-t", "web_search"],
      "-t web_search: Chat Completions has no tool but functions and custom ones"
    ),
    (["-s", "@none"], "none: errno 2"), (["--set", "a=@none"], "none: errno 2"),
  ])
  func `an option that is wrong is refused before the prompt is waited for`(
    arguments: [String], why: String
  ) {
    let command = SendCommand(stdin: SendCommand.untouched)
    #expect(command.refusal(arguments + ["-"], behind: ["-m", "m"]) == why)
  }
}
