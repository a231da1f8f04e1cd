import Testing

@testable import Core

private struct DemoSettings: CommonSettings {
  var notices = NoticeSettings()
  var isLoud = false
  var name = ""
  var pace: String? = "none"
}

private var options: [Option<DemoSettings>] {
  [
    .flag("loud", "l", help: "", at: \.isLoud),
    .value("name", "n", "NAME", help: "") { $0.name = $1 }
      .reading { $0.hasPrefix("@") ? [String($0.dropFirst())] : [] },
    .optionalValue("pace", short: "p", "X", help: "") { $0.pace = $1 },
  ] + Option.common
}

private let page = CommandPage(
  name: "demo", summary: "show", operands: "", takesFiles: false, example: "demo",
  options: options.map(\.row) + CommandPage.builtIn, usual: ["loud"],
  elsewhere: [
    NameElsewhere("--call -c --nam", "--name NAME gives it")
  ])

/// What a command line comes to: the settings and operands, or why not.
private func parsed(_ arguments: [String]) -> String {
  var settings = DemoSettings()
  do throws(Failure) {
    switch try parse(arguments, options, page, into: &settings) {
    case .help(let topic): return "help " + (topic ?? "usual")
    case .version: return "version"
    case .run(let operands, let stdin, _):
      let pace = settings.pace ?? "given"
      return "\(settings.isLoud) \(settings.name) \(pace) \(settings.notices.isQuiet) \(operands)"
        + (stdin.map { " " + $0 } ?? "")
    }
  } catch {
    if case .usage(let why) = error { return why }
    return "other"
  }
}

@Suite struct ParseTests {
  @Test func `what is right in a wrong command line is known`() {
    var settings = DemoSettings()
    for arguments in [["--bogus", "-l", "--name", "x"], ["-l", "--nope=1", "-n", "x", "--pace"]] {
      settings = DemoSettings()
      #expect(throws: Failure.self) { try parse(arguments, options, page, into: &settings) }
      #expect(settings.isLoud && settings.name == "x", "\(arguments)")
    }
    #expect(parsed(["--bogus", "--help"]) == parsed(["--bogus"]))
  }

  @Test(
    arguments: [
      ([], "false  none false []"), (["a", "-l", "b"], #"true  none false ["a", "b"]"#),
      (["-lq", "-"], #"true  none true ["-"] -"#), (["-lnx"], "true x none false []"),
      (["-n", "@-"], "false @- none false [] -n"), (["-n", "-"], "false - none false []"),
      (["-n", "a=@/dev/stdin", "-l"], "true a=@/dev/stdin none false []"),
      (
        ["--name=@-", "--", "/dev/fd/0"],
        "standard input can be read only once, and several name it: --name, /dev/fd/0"
      ),
      (["-n", "x"], "false x none false []"), (["-n", "-l"], "false -l none false []"),
      (["--name=x=y"], "false x=y none false []"), (["--name", "x"], "false x none false []"),
      (["--name="], "false  none false []"), (["--na", "x"], "false x none false []"),
      (["--loud", "--no-loud"], "false  none false []"), (["--lo"], "true  none false []"),
      (["--pace"], "false  given false []"), (["--pace=2", "x"], #"false  2 false ["x"]"#),
      (["-lp", "x"], #"true  given false ["x"]"#), (["-lp2", "x"], #"true  2 false ["x"]"#),
      (["--", "-l", "--"], #"false  none false ["-l", "--"]"#), (["-h"], "help usual"),
      (["-lh", "x"], "help usual"), (["--help=all"], "help all"), (["--help", "all"], "help all"),
      (["--help", "-n", "x"], "help -n"), (["--help", "loud"], "help loud"),
      (["--hel"], "help usual"),
      (["--vers"], "version"),
      (["-V"], "version"),
      (
        ["--n"],
        "--n is ambiguous: --no-loud, --name, --no-quiet, --no-verbose, --no-sanitize, --notices"
      ),
      (["--naem"], "unknown option --naem; did you mean --name?"),
      (["--zzzzzz"], "unknown option --zzzzzz; --help=all lists all"),
      (["-x"], "unknown option -x; --help=all lists all"), (["-n"], "-n needs a value: NAME"),
      (["--name"], "--name needs a value: NAME"),
      (["--loud=1"], "--loud takes no value"),
      (["--version=1"], "--version takes no value"),
      (["--call"], "unknown option --call; --name NAME gives it"),
      (["-c"], "unknown option -c; --name NAME gives it"),
      (["--nam=x"], "unknown option --nam; --name NAME gives it"),
      (["--lound"], "unknown option --lound; did you mean --loud?"),
      (["--ouldly"], "unknown option --ouldly; --help=all lists all"),
      (["--debug"], "unknown option --debug; --help=all lists all"),
      (["--s"], "false  none false []"), (["--=x"], "unknown option --; --help=all lists all"),
      (["-l-"], "unknown option --; --help=all lists all"),
      (["-name", "x"], #"false ame none false ["x"]"#),
      (["-nam", "x"], #"false am none false ["x"]"#), (["-help"], "help usual"),
      (["--notices=xml"], "--notices: expected text, json or none, got xml"),
    ] as [([String], String)])
  func `a command line is read by the GNU conventions`(arguments: [String], expected: String) {
    #expect(parsed(arguments) == expected)
  }
}

@Suite struct NoticeTests {
  @Test func `a notice names tool, input and place, as text and as JSON`() {
    var notice = Notice(
      .error, "what:\u{1B}[2J why\u{202E}", status: .temporary, at: .init(line: 3, byte: 40))
    notice.facts = [("response_id", .text("r"))]
    #expect(
      notice.text(tool: "t", input: "x.sse")
        == "t: x.sse: line 3, byte 40: what:\\u{1b}[2J why\\u{202e}")
    let json = String(decoding: notice.json(tool: "t", input: "x.sse"), as: UTF8.self)
    #expect(
      json == #"{"type":"oresp.error","tool":"t","message":"what:\u001b[2J why\u202e"#
        + #"","input":"x.sse","line":3,"byte":40,"exit":5,"retryable":true,"response_id":"r"}"#)
  }
}
