import Foundation
import ProcessSupport
import Testing

/// Where `oresp-send` takes its key from, and that it goes nowhere else.
struct SenderSecretTests {
  private let folder: TemporaryFolder
  private var sender: Sender

  init() throws {
    folder = try TemporaryFolder()
    sender = try Sender(.stream(SampleStream.bytes))
    sender.environment["OPENAI_API_KEY"] = "sk-environment-0123456789"
  }

  private func run(_ options: String...) throws -> Finished {
    var sender = sender
    sender.arguments = options + sender.arguments
    return try sender.run()
  }

  private func keyFile(_ text: String, mode: Int = 0o600) throws -> String {
    let path = try folder.file("key", text)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  private var sent: [String?] { sender.server.requests.map { $0["Authorization"] } }

  @Test(arguments: ["", "\n", "\r\n"])
  func `a file has the key`(end: String) throws {
    let run = try run("--api-key-file", keyFile(Sender.key + end))
    #expect(run.outcome == .exited(0) && run.errors == "")
    #expect(sent == ["Bearer " + Sender.key])
  }

  @Test func `a file that others can read is warned of`() throws {
    let path = try keyFile(Sender.key, mode: 0o644)
    let run = try run("--api-key-file", path)
    #expect(run.outcome == .exited(0))
    #expect(
      run.errors
        == "oresp-send: \(path): others can read the key in it; chmod 600 keeps it to you\n")
    #expect(sent == ["Bearer " + Sender.key])
  }

  @Test(arguments: ["", "\n", "sk-own word", "sk-own\nword", "sk-own\u{1}", "sk-ownключ"])
  func `a file without a key is status 2, and nothing of it is shown`(text: String) throws {
    let path = try keyFile(text)
    let run = try run("--api-key-file", path)
    #expect(run.outcome == .exited(2))
    #expect(run.errors.hasPrefix("oresp-send: \(path): "))
    #expect(!run.errors.contains("own") && !run.errors.contains("word"), "\(run.errors)")
    #expect(sent.isEmpty)
  }

  @Test func `a file that is not there is status 2`() throws {
    let run = try run("--api-key-file", folder.path + "/none")
    #expect(run.outcome == .exited(2))
    #expect(run.errors.contains(folder.path + "/none: No such file"))
    #expect(sent.isEmpty)
  }

  @Test func `an endless file is not read`() throws {
    let run = try run("--api-key-file", "/dev/zero")
    #expect(run.outcome == .exited(2))
    #expect(run.errors == "oresp-send: /dev/zero: too long for a key\n")
    #expect(sent.isEmpty)
  }

  @Test(arguments: ["printf %s", "echo", "printf '%s\\r\\nnotes: x\\n'"])
  func `a command prints the key first`(command: String) throws {
    let run = try run("--api-key-cmd", command + " " + Sender.key)
    #expect(run.outcome == .exited(0) && run.errors == "")
    #expect(sent == ["Bearer " + Sender.key])
  }

  @Test(arguments: [
    ("echo why >&2; exit 7", "why\noresp-send: --api-key-cmd: the command ended with status 7\n"),
    ("kill -9 $$", "oresp-send: --api-key-cmd: the command ended with status 137\n"),
    ("echo sk-half; exit 1", "oresp-send: --api-key-cmd: the command ended with status 1\n"),
    ("true", "oresp-send: --api-key-cmd: there is no key in it\n"),
    ("cat; echo", "oresp-send: --api-key-cmd: there is no key in it\n"),
    ("echo two words", "oresp-send: --api-key-cmd: it has white space, "),
    ("no-such-program 2>&-", "oresp-send: --api-key-cmd: the command ended with status 127\n"),
  ])
  func `a command without a key is status 2`(command: String, told: String) throws {
    var sender = sender
    sender.arguments = ["--api-key-cmd", command, "-m", "m", "-"]
    let run = try sender.run(input: .text("not for the command"))
    #expect(run.outcome == .exited(2))
    #expect(run.errors.hasPrefix(told))
    #expect(!run.errors.contains("sk-half"))
    #expect(sent.isEmpty)
  }

  @Test func `of a command that leaves a process behind, the first line is waited for`() throws {
    let fifo = folder.path + "/fifo"
    #expect(try ToolProcess.run("mkfifo", [fifo]).outcome == .exited(0))
    // It holds the output of the command until somebody writes to the FIFO.
    let run = try run("--api-key-cmd", "cat '\(fifo)' 2>&- & echo \(Sender.key)")
    #expect(run.outcome == .exited(0) && run.errors == "")
    #expect(sent == ["Bearer " + Sender.key])
    try FileHandle(forWritingAtPath: fifo)?.close()
  }

  @Test func `an endless command is not waited for`() throws {
    let run = try run("--api-key-cmd", "yes")
    #expect(run.outcome == .exited(2))
    #expect(sent.isEmpty)
  }

  @Test(arguments: ["sleep 100", "echo \(Sender.key); sleep 100"])
  func `a command may take the time of the run, and no more`(command: String) throws {
    let run = try run("--max-time=0.2", "--api-key-cmd", command)
    #expect(run.outcome == .exited(5) && sent.isEmpty)
    #expect(run.errors == "oresp-send: --api-key-cmd: the time limit of 0.2 seconds is over\n")
  }

  @Test func `of several sources the last counts`() throws {
    _ = try run("--api-key-cmd=echo other", "--api-key-file", keyFile(Sender.key))
    _ = try run("--api-key-file", folder.path + "/none", "--api-key-cmd=echo \(Sender.key)")
    #expect(sent == ["Bearer " + Sender.key, "Bearer " + Sender.key])
  }

  @Test func `nobody is asked for a key that is not needed`() throws {
    let mark = folder.path + "/mark"
    for option in ["-n", "-nv", "--rehearse"] {
      #expect(try run(option, "--api-key-cmd", "touch \(mark)").outcome == .exited(0))
    }
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test func `an error that repeats the key does not show it`() throws {
    let body = #"{"error":{"message":"No \#(Sender.key) here","code":"invalid_api_key"}}"#
    var sender = try Sender(.body(body, status: 401, headers: [("X-Echo", Sender.key)]))
    sender.arguments = ["-v", "--api-key-cmd=echo \(Sender.key)"] + sender.arguments
    sender.environment["OPENAI_API_KEY"] = nil
    let run = try sender.run()
    #expect(run.outcome == .exited(4))
    #expect(run.errors.contains("No [key] here"))
    #expect(!(run.text + run.errors).contains(Sender.key))
  }

  private static let repeated = #"{"error":{"message":"No \#(Sender.key) here","code":"c"}}"#

  @Test(arguments: [
    ("text", Answer.body(repeated, status: 500), "No [key] here"),
    ("json", Answer.body(repeated, status: 500), "No [key] here"),
    (
      "text",
      .body(repeated.replacingOccurrences(of: "-", with: #"\u002d"#), status: 400), "No [key] here"
    ),
    (
      "text",
      .body(#"{"error":{"message":{"a":"\u0073\#(Sender.key.dropFirst())"}}}"#, status: 500),
      "trying again"
    ),
    (
      "json",
      .body("{}", status: 500, headers: [("X-Request-ID", Sender.key)]),
      #""request_id":"[key]""#
    ),
  ])
  func `no notice shows a key that is repeated`(form: String, answer: Answer, told: String) throws {
    var sender = try Sender(answer)
    sender.arguments = ["--notices", form, "--retry=1"] + Sender.question
    let run = try sender.run()
    #expect(run.errors.contains(told))
    #expect(!run.errors.contains(Sender.key.dropFirst()))
  }

  @Test func `a secret of the body is not shown when it is repeated`() throws {
    let error = #"{"error":{"message":"No token-of-the-body, value-of-a-header","code":"c"}}"#
    var sender = try Sender(.body(error, status: 424))
    let tool =
      #"{"type":"mcp","authorization":"token-of-the-body","headers":{"a":"value-of-a-header"}}"#
    sender.arguments += ["-b", try folder.file("body", #"{"tools":[\#(tool)]}"#)]
    let run = try sender.run()
    #expect(run.errors.contains("No [key], [key]"))
    #expect(!(run.text + run.errors).contains("-of-"))
  }

  @Test func `what goes over the wire is told without the key`() throws {
    let run = try run("-v", "--api-key-cmd=echo \(Sender.key)")
    #expect(run.outcome == .exited(0))
    let told = Finished.lines(run.errors)
    #expect(told.contains("oresp-send: > POST /v1/responses HTTP/1.1"))
    #expect(told.contains("oresp-send: > Authorization: [secret]"))
    #expect(told.contains("oresp-send: < HTTP/1.1 200 OK"))
    let size = sender.server.requests[0].body.count
    let sum = "oresp-send: * sent \(size) bytes, received \(SampleStream.bytes.count), in "
    #expect(told.contains { $0.hasPrefix(sum) })
    #expect(told.allSatisfy { $0.hasPrefix("oresp-send: ") })
    #expect(!run.errors.contains(Sender.key) && !run.errors.contains("Hello"))
  }

  @Test func `further headers are sent`() throws {
    let run = try run("--header", "X-One: 1", "--header=accept:text/event-stream")
    #expect(run.outcome == .exited(0))
    let request = try #require(sender.server.requests.first)
    #expect(request["X-One"] == "1")
    #expect(
      request.headers.filter { $0.name.lowercased() == "accept" }.map(\.value) == [
        "text/event-stream"
      ])
  }

  @Test func `a header is taken away, or sent without a value, as curl has it`() throws {
    let run = try run("-H", "Accept:", "-H", "authorization:", "-H", "X-One;")
    #expect(run.outcome == .exited(0), "\(run.errors)")
    let request = try #require(sender.server.requests.first)
    #expect(request["X-One"] == "" && request["Accept"] == nil && request["Authorization"] == nil)
  }

  @Test func `headers with secrets come from files`() throws {
    var sender = sender
    sender.environment["OPENAI_API_KEY"] = nil
    let path = try folder.file("headers", "Authorization: Bearer \(Sender.key)\r\n\nX-Two:2\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    sender.arguments = ["-v", "-H", "@" + path] + sender.arguments
    let run = try sender.run()
    #expect(run.outcome == .exited(0), "\(run.errors)")
    let request = try #require(sender.server.requests.first)
    #expect(request["Authorization"] == "Bearer " + Sender.key)
    #expect(request["X-Two"] == "2" && run.errors.contains("> X-Two: 2"))
    #expect(!run.errors.contains(Sender.key))
  }

  @Test func `a header from standard input is sent, and standard input is read once`() throws {
    var sender = sender
    sender.arguments = ["-H", "@-"] + sender.arguments
    #expect(try sender.run(input: .text("api-key: \(Sender.key)\n")).outcome == .exited(0))
    #expect(sender.server.requests.first?["api-key"] == Sender.key)
    sender.arguments += ["-f", "-"]
    let twice = try sender.run(input: .text("api-key: \(Sender.key)\n"))
    #expect(twice.outcome == .exited(2))
    #expect(twice.errors.contains("read only once, and several name it: -H, -f"))
    #expect(sender.server.requests.count == 1)
  }

  @Test func `a file of headers that others can read is warned of where it has a secret`() throws {
    let secret = try folder.file("secret", "X-Auth-Token: a\n")
    let open = try folder.file("open", "X-One: a\n")
    #expect(try run("-H", "@" + open).errors == "")
    let told = "\(secret): others can read the x-auth-token in it; chmod 600 keeps it to you\n"
    #expect(try run("-H", "@" + secret).errors == "oresp-send: " + told)
  }

  @Test(arguments: [
    (["-H", "@"], "expected @FILE, got no name"),
    (["-H", "@/nonexistent"], "/nonexistent: No such"),
    (["-H", "@/dev/zero"], "/dev/zero: too long for headers"),
    (["-H", "@-"], "stdin:2: expected 'Name: value', got no colon"),
  ])
  func `a header that is not there, or none, is status 2`(options: [String], told: String) throws {
    var sender = sender
    sender.environment["LINES"] = "a\nsk-word: b"
    sender.arguments = options + sender.arguments
    let input = ToolProcess.Input.text("X: 1\nsk-word\n")
    let run = try sender.run(input: options.contains("@-") ? input : .nothing)
    #expect(run.outcome == .exited(2))
    #expect(run.errors.contains(told) && !run.errors.contains("sk-word"), "\(run.errors)")
    #expect(sent.isEmpty)
  }

  @Test func `a key in a header is refused`() throws {
    let run = try run("--header", "Authorization: Bearer \(Sender.key)")
    #expect(run.outcome == .exited(2))
    #expect(!run.errors.contains(Sender.key))
    #expect(sent.isEmpty)
  }

  #if os(Linux)
    @Test func `the key is in no argument and no environment of any process`() throws {
      let (pid, fifo) = (folder.path + "/pid", folder.path + "/fifo")
      #expect(try ToolProcess.run("mkfifo", [fifo]).outcome == .exited(0))
      let key = try keyFile(Sender.key)
      var sender = sender
      sender.arguments =
        ["--api-key-cmd", "cat '\(key)'; echo $$ >'\(pid)'; cat '\(fifo)'; echo"] + sender.arguments
      let process = try sender.start()
      let writer = try #require(FileHandle(forWritingAtPath: fifo))
      // The key is in the pipe, and the end of its line is not.
      let child = try String(contentsOfFile: pid, encoding: .utf8).trimmingCharacters(in: .newlines)
      for id in [String(process.processID), child] {
        let arguments = try String(contentsOfFile: "/proc/\(id)/cmdline", encoding: .utf8)
        #expect(arguments.contains("api-key-cmd") || arguments.contains("cat"))
        #expect(!arguments.contains(Sender.key))
      }
      // The command gets the environment of the sender, and what a shell adds.
      let environments = try [String(process.processID), child].map { id in
        try String(contentsOfFile: "/proc/\(id)/environ", encoding: .utf8).split(separator: "\0")
      }
      let added = Set(environments[1]).subtracting(environments[0])
        .map { String($0.prefix { $0 != "=" }) }
      #expect(environments[0].contains { $0.hasPrefix("OPENAI_BASE_URL=") })
      #expect(Set(added).isSubset(of: ["PWD", "OLDPWD", "SHLVL", "_"]), "\(added)")
      #expect(!environments.joined().contains { $0.contains(Sender.key) })
      try writer.close()
      #expect(process.finish().outcome == .exited(0))
      #expect(sent == ["Bearer " + Sender.key])
    }
  #endif
}
