import Foundation
import ProcessSupport
import Testing

/// `oresp-events --status` and `oresp-text` on one terminal, as a person sees it.
@Suite(.waiting) struct StatusScreenTests {
  /// A pipeline on a terminal, which reads events from a FIFO.
  private final class Session {
    let terminal: TerminalSession
    let input: FileHandle
    let folder: TemporaryFolder

    /// `command` runs in a shell; `FIFO` in it is what the events are read from.
    init(
      _ command: String, columns: Int, isInteractive: Bool = false,
      environment: [String: String] = [:]
    ) throws {
      folder = try TemporaryFolder()
      let fifo = folder.fifo("f")
      let line = command.replacing("FIFO", with: fifo)
      let shell = ["--norc", "--noprofile"] + (isInteractive ? ["-i"] : ["-c", line])
      terminal = try TerminalSession(
        shell, columns: columns,
        environment: environment.merging(["PS1": "$ ", "HISTFILE": "/dev/null"]) { $1 })
      if isInteractive { terminal.type("bind 'set enable-bracketed-paste off'\r\(line)\r") }
      input = try #require(FileHandle(forUpdatingAtPath: fifo))
    }

    func write(_ events: String...) throws {
      for event in events { try input.write(contentsOf: Data((event + "\n").utf8)) }
    }

    /// Waits for `text` on the screen.
    func sees(_ text: String) -> Bool {
      terminal.lines { $0.joined().contains(text) }.joined()
        .contains(text)
    }
  }

  private static let pipeline = "oresp-events --status FIFO | oresp-text"
  private static let created = #"{"type":"response.created","response":{"id":"r"}}"#
  private static let search =
    #"{"type":"response.output_item.done","item":{"type":"web_search_call","action":{"query":"a question that is long enough for no window 日本語日本語"}}}"#
  private static let words = "Eins zwei drei, 日本語 und 🌊, weiter. "
  private static let completed = #"{"type":"response.completed","response":{"id":"r"}}"#

  private static func delta(_ text: String) -> String {
    #"{"type":"response.output_text.delta","output_index":1,"delta":"\#(text)"}"#
  }

  /// The lines that a terminal of so many columns makes of the answer.
  private static func answer(_ pieces: Int, columns: Int) -> [String] {
    var screen = Screen(columns: columns)
    screen.show(Array(String(repeating: words, count: pieces).utf8))
    return screen.lines
  }

  @Test(arguments: [20, 40, 80], [[:], ["TERM": "dumb"]] as [[String: String]])
  func `the status leaves nothing on the screen that the answer stands on`(
    columns: Int, environment: [String: String]
  ) throws {
    let session = try Session(Self.pipeline, columns: 100, environment: environment)
    try session.write(Self.created)
    try #require(session.sees("starting"))
    session.terminal.resize(columns: columns)
    try session.write(Self.search)
    try #require(session.sees("results found"))
    for _ in 0..<5 { try session.write(Self.delta(Self.words)) }
    try session.write(Self.search, Self.completed)
    try session.input.close()
    let (lines, outcome) = session.terminal.finish()
    #expect(outcome == .exited(0))
    let answer = Self.answer(5, columns: columns)
    // Behind the answer stands how the response ended.
    let rest = lines.lastIndex(of: answer[answer.count - 1]).map { lines[($0 + 1)...] } ?? []
    #expect(rest.joined().contains("done in "), "\(lines)")
    #expect(Array(lines.dropLast(rest.count).suffix(answer.count)) == answer, "\(lines)")
    let before = lines.dropLast(answer.count + rest.count)
    #expect(before.isEmpty == environment.isEmpty, "\(before)")
    #expect(before.isEmpty || before.contains("oresp-events: starting"))
  }

  @Test func `what Ctrl-C ends leaves no status behind`() throws {
    let session = try Session(Self.pipeline, columns: 40)
    try session.write(Self.created)
    try #require(session.sees("starting"))
    session.terminal.type("\u{3}")
    let (lines, outcome) = session.terminal.finish()
    // The shell ends by the signal that ended its last command.
    #expect(outcome == .killed(signal: SIGINT))
    #expect(!lines.joined().contains("starting"))
  }

  @Test func `a pipeline that was stopped goes on where it was`() throws {
    let session = try Session(Self.pipeline, columns: 60, isInteractive: true)
    try session.write(Self.created)
    try #require(session.sees("starting"))
    session.terminal.type("\u{1A}")
    try #require(session.sees("Stopped"))
    session.terminal.type("fg\r")
    try session.write(Self.delta(Self.words), Self.delta(Self.words), Self.completed)
    try session.input.close()
    let answer = Self.answer(2, columns: 60)
    let lines = session.terminal.lines { $0.suffix(1) == ["$"] && $0.contains(answer[0]) }
    #expect(Array(lines.suffix(answer.count + 2).prefix(answer.count)) == answer)
    session.terminal.type("echo $?; exit\r")
    #expect(session.terminal.finish().lines.contains("0"))
  }

  @Test func `a status that goes to a file tells the end, too`() throws {
    let events = [Self.created, Self.delta("a"), Self.completed].joined(separator: "\n")
    let run = try ToolProcess.run("oresp-events", ["--status"], input: .text(events))
    #expect(run.errors.contains("oresp-events: done"))
  }
}
