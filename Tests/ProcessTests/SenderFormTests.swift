import Foundation
import ProcessSupport
import Testing

/// Forms: fields and files that are uploaded.
struct SenderFormTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sender(_ arguments: [String], _ answers: Answer...) throws -> Sender {
    let answers = answers.isEmpty ? [.body("{}")] : answers
    var sender = Sender(try LoopbackServer { answers[min($0.number, answers.count - 1)] })
    sender.arguments = ["--path=/files"] + arguments
    return sender
  }

  private func field(
    _ name: String, _ text: String, file: String? = nil, type: String? = nil
  ) -> LoopbackServer.Request.Field {
    var field = LoopbackServer.Request.Field()
    (field.name, field.fileName, field.type) = (name, file, type)
    field.bytes = Array(text.utf8)
    return field
  }

  @Test func `fields and files go as curl sends them`() throws {
    let file = try folder.file("a;b, c.PDF", "%PDF")
    let words = try folder.file("words", "Grüße")
    let given = [
      "purpose=user_data", "expires_after[anchor]=created_at", "a=b;c=d", "mail=@@home", "empty=",
      #"quoted="x;type=y \"z\" \\";type=text/x-y"#, "json={\"a\":\"b\"}", "text=<\(words)",
      "file=@\(file)", "file=@\(file);type=text/csv; charset=utf-8;filename=n.csv",
      "up=made;filename=m.txt",
    ]
    let expected = [
      field("purpose", "user_data"), field("expires_after[anchor]", "created_at"),
      field("a", "b;c=d"), field("mail", "@home"), field("empty", ""),
      field("quoted", #"x;type=y "z" \"#, type: "text/x-y"), field("json", #"{"a":"b"}"#),
      field("text", "Grüße"), field("file", "%PDF", file: "a;b, c.PDF", type: "application/pdf"),
      field("file", "%PDF", file: "n.csv", type: "text/csv; charset=utf-8"),
      field("up", "made", file: "m.txt", type: "text/plain"),
    ]
    let sender = try sender(given.flatMap { ["-F", $0] })
    let run = try sender.run()
    #expect(run.outcome == .exited(0) && run.errors == "" && run.text == "{}")
    let request = try #require(sender.server.requests.first)
    #expect(request.method == "POST" && request.target == "/v1/files")
    #expect(request["Authorization"] == "Bearer " + Sender.key)
    #expect(request["Content-Length"] == String(request.bodySize))
    #expect(request.headers.count { $0.name.lowercased() == "content-type" } == 1)
    #expect(request.form == expected)
  }

  @Test func `standard input and pipes go too, and their size is known`() throws {
    let sender = try sender(["-X", "PUT", "--form=file=@-;filename=in.txt"])
    #expect(try sender.run(input: .text("typed\n")).outcome == .exited(0))
    let request = try #require(sender.server.requests.first)
    #expect(request.method == "PUT" && request["Content-Length"] != nil)
    #expect(request.form == [field("file", "typed\n", file: "in.txt", type: "text/plain")])
    let run = try ToolProcess.bash(
      "oresp-send --path /files -F 'text=<'<(echo piped)", environment: sender.environment)
    #expect(run.outcome == .exited(0))
    #expect(sender.server.requests.last?.form == [field("text", "piped\n")])
  }

  @Test func `what is sent again is whole again`() throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }
    let file = try folder.file("data.bin", bytes)
    let sender = try sender(
      ["-F", "file=@" + file, "-F", "in=@-"], .body("{}", status: 503),
      .body("{}"))
    let run = try sender.run(input: .text("typed"))
    #expect(run.outcome == .exited(0), "\(run.errors)")
    let requests = sender.server.requests
    #expect(requests.map(\.target) == ["/v1/files", "/v1/files"])
    for request in requests {
      #expect(request.form.map(\.bytes) == [bytes, Array("typed".utf8)])
    }
  }

  @Test(arguments: [
    ("missing", "No such file or directory"), ("folder", "Is a directory"),
  ])
  func `a file that cannot be read is status 2, and nothing is sent`(
    name: String, why: String
  ) throws {
    let path = name == "folder" ? folder.path : folder.path + "/" + name
    for mark in ["@", "<"] {
      let sender = try sender(["-F", "file=" + mark + path])
      let run = try sender.run()
      #expect(run.outcome == .exited(2) && run.text == "")
      #expect(run.errors == "oresp-send: -F: \(path): \(why)\n")
      #expect(sender.server.requests.isEmpty)
    }
  }

  /// Before a command: takes root's right to read any file; empty for others, who lack it.
  private static let lowered =
    getuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search " : ""

  @Test(
    .needs(
      (try? ToolProcess.bash(lowered + "true"))?.outcome == .exited(0),
      "root can read any file, and setpriv cannot take that right"))
  func `a file that may not be read is status 2, and nothing is sent`() throws {
    let path = try folder.file("secret", "x")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    for mark in ["@", "<"] {
      let sender = try sender(["-F", "file=" + mark + path])
      let run = try ToolProcess.bash(
        Self.lowered + "oresp-send \"$@\"", sender.arguments, environment: sender.environment)
      #expect(run.outcome == .exited(2) && run.text == "")
      #expect(run.errors == "oresp-send: -F: \(path): Permission denied\n")
      #expect(sender.server.requests.isEmpty)
    }
  }

  @Test func `a secret comes from a file, and is not shown`() throws {
    let key = "form-0123456789"
    let file = try folder.file("key", key + "\n")
    let body = #"{"error":{"code":"x","message":"No \#(key)."}}"#
    let sender = try sender(["-F", "api_key=<" + file], .body(body, status: 400))
    let run = try sender.run()
    #expect(run.outcome == .exited(4) && run.errors.contains("No [key]."))
    #expect(!run.text.contains(key))
    #expect(sender.server.requests.first?.form == [field("api_key", key + "\n")])
  }

  @Test func `a pipe that is too long to be held is status 2`() throws {
    let sender = try sender(["-F", "file=@-"])
    let run = try ToolProcess.bash(
      "head -c 52428801 /dev/zero | oresp-send \"$@\"", sender.arguments,
      environment: sender.environment)
    #expect(run.outcome == .exited(2) && sender.server.requests.isEmpty)
    #expect(run.errors == "oresp-send: stdin: larger than 50 MiB\n")
  }

  #if os(Linux)
    @Test(.needs(Sanitizer.isAbsent, "a sanitizer keeps memory of its own"))
    func `a large file is not held in memory`() throws {
      let size = 1 << 30
      let file = try folder.file("large", "")
      try FileHandle(forWritingTo: URL(fileURLWithPath: file)).truncate(atOffset: UInt64(size))
      let gate = Gate()
      let answer = Answer(steps: [.send(Array("{".utf8)), .wait(gate), .send(Array("}".utf8))])
      let sender = try sender(["-F", "file=@" + file], answer)
      let process = try sender.start()
      #expect(process.output { !$0.isEmpty } == "{")
      #expect(sender.server.requests.first?.bodySize ?? 0 > size)
      #expect(try process.peakKibibytes() < 32 << 10)
      gate.open()
      #expect(process.finish().outcome == .exited(0))
    }
  #endif
}
