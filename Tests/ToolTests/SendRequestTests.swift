import Core
import Testing

@testable import oresp_send

@Suite struct SendRequestTests {
  /// What there is to read and to know besides the command line.
  private static func sources(
    stdin: String? = nil, files: [String: String] = [:], environment: [String: String] = [:]
  ) -> RequestBuilder.Sources {
    RequestBuilder.Sources(
      hasFreeStdin: stdin != nil,
      read: { path throws(Failure) in
        guard let text = path == "-" ? stdin : files[path] else {
          throw Failure.file(name: path, errno: 2)
        }
        return Array(text.utf8)
      }, variable: { environment[$0] })
  }

  private static func body(
    _ prompt: [String], _ sources: RequestBuilder.Sources,
    _ change: (inout SendTool.Settings) -> Void
  ) throws(Failure) -> String {
    var (settings, sources) = (SendTool.Settings(), sources)
    change(&settings)
    if settings.bodyPath == "-" { sources.hasFreeStdin = false }
    let body = try RequestBuilder(settings, prompt: prompt, sources).build()
    return String(decoding: body.bytes, as: UTF8.self)
  }

  private static func status(_ work: () throws(Failure) -> String) -> Core.ExitStatus? {
    do throws(Failure) {
      _ = try work()
      return nil
    } catch {
      return error.status
    }
  }

  @Test(arguments: [
    (["Hello"], #"{"model":"m","input":"Hello","stream":true}"#),
    (["Hello", "you", "\"there\""], #"{"model":"m","input":"Hello you \"there\"","stream":true}"#),
    (["-"], #"{"model":"m","input":"piped\n","stream":true}"#),
    (["a", "-", "é"], #"{"model":"m","input":"a\npiped\né","stream":true}"#),
    (["-", "é"], #"{"model":"m","input":"piped\né","stream":true}"#),
    (["a", "b", "-"], #"{"model":"m","input":"a b\npiped\n","stream":true}"#),
    ([], #"{"model":"m","input":"piped\n","stream":true}"#),
  ])
  func `the prompt is its words, with standard input in the place of a dash`(
    prompt: [String], body: String
  ) throws {
    let made = try Self.body(prompt, Self.sources(stdin: "piped\n")) { $0.model = "m" }
    #expect(made == body)
  }

  @Test(arguments: [
    ("", "a\\né"), ("x", "a\\nx\\né"), ("x\n\n", "a\\nx\\n\\né"), ("\n", "a\\n\\né"),
  ])
  func `standard input in a prompt stands on lines of its own`(
    stdin: String, input: String
  ) throws {
    for name in ["-", "@-", "/dev/stdin", "/dev/fd/0"] {
      let made = try Self.body(["a", name, "é"], Self.sources(stdin: stdin)) { $0.model = "m" }
      #expect(made == #"{"model":"m","input":"\#(input)","stream":true}"#)
    }
  }

  @Test(arguments: [
    (#"{"model":"b"}"#, #"{"model":"b","stream":true}"#),
    (#" { "model" : "b" ,"stream" : false } "#, #"{"model":"b","stream":false}"#),
    (
      #"{"x":[1.0e3, "\u00e9"],"stream":true,"model":"b","input":[ ]}"#,
      #"{"x":[1.0e3, "\u00e9"],"stream":true,"model":"b","input":[ ]}"#
    ),
    (#"{"a":1,"model":"b","a":2}"#, #"{"a":1,"model":"b","a":2,"stream":true}"#),
  ])
  func `a body keeps its members as they are`(given: String, body: String) throws {
    let sources = Self.sources(stdin: nil, files: ["f": given], environment: ["ORESP_MODEL": "e"])
    let made = try Self.body([], sources) { $0.bodyPath = "f" }
    #expect(made == body)
    let again = Self.sources(stdin: made + "\n")
    #expect(try Self.body([], again) { $0.bodyPath = "-" } == body)
  }

  @Test func `flags and the prompt replace what the body says, in its place`() throws {
    let given = #"{"stream":true,"model":"b","input":"x","n":1,"model":"c"}"#
    let made = try Self.body(["y"], Self.sources(stdin: nil, files: ["f": given])) {
      $0.bodyPath = "f"
      $0.model = "m"
      $0.streamChoice = false
    }
    #expect(made == #"{"stream":false,"model":"m","input":"y","n":1}"#)
  }

  @Test func `the model is the flag's, else the body's, else the environment's`() throws {
    let environment = ["ORESP_MODEL": "e"]
    let files = ["f": #"{"model":"b"}"#]
    let sources = Self.sources(stdin: nil, files: files, environment: environment)
    #expect(try Self.body(["p"], sources) { _ in }.contains(#""model":"e""#))
    #expect(try Self.body(["p"], sources) { $0.bodyPath = "f" }.contains(#""model":"b""#))
    #expect(
      try Self.body(["p"], sources) { ($0.bodyPath, $0.model) = ("f", "m") }
        .contains(#""model":"m""#))
    #expect(
      Self.status { () throws(Failure) in try Self.body(["p"], Self.sources()) { _ in } } == .usage)
  }

  @Test func `with a prompt or a body with input standard input is not touched`() throws {
    var sources = Self.sources(stdin: "never", files: ["f": #"{"model":"b","input":"i"}"#])
    let read = sources.read
    sources.read = { path throws(Failure) in
      #expect(path != "-")
      return try read(path)
    }
    _ = try Self.body(["p"], sources) { $0.model = "m" }
    _ = try Self.body([], sources) { $0.bodyPath = "f" }
  }

  @Test(arguments: [
    ("piped", #"{"model":"b","input":"piped","stream":true}"#),
    ("", #"{"model":"b","stream":true}"#), (nil, #"{"model":"b","stream":true}"#),
  ])
  func `standard input is the prompt of a body and of a rehearsal, and may be empty`(
    stdin: String?, body: String
  ) throws {
    let sources = Self.sources(stdin: stdin, files: ["f": #"{"model":"b"}"#])
    #expect(try Self.body([], sources) { $0.bodyPath = "f" } == body)
    let rehearsal = try Rehearsal(nil)
    #expect(try Self.body([], sources) { ($0.rehearsal, $0.model) = (rehearsal, "b") } == body)
  }

  @Test(
    arguments: [
      ([], nil, nil, .usage), ([], nil, "", .usage), ([], "-", "[1]", .badInput),
      ([], "-", "{\"a\":", .badInput),
      ([], "-", "", .badInput), ([], "missing", nil, .usage),
    ] as [([String], String?, String?, Core.ExitStatus)])
  func `what cannot be sent is refused`(
    prompt: [String], body: String?, stdin: String?, status: Core.ExitStatus
  ) {
    let refused = Self.status { () throws(Failure) in
      try Self.body(prompt, Self.sources(stdin: stdin)) { ($0.model, $0.bodyPath) = ("m", body) }
    }
    #expect(refused == status)
  }
}
