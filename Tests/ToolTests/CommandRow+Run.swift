import Foundation
import ProcessSupport
import TestSupport
import Testing

@testable import Core
@testable import oresp_events
@testable import oresp_send
@testable import oresp_sse
@testable import oresp_text

extension CommandRow {
  /// Runs the stages one after another, each a function of its arguments, its environment and three
  /// streams. The status is that of the last.
  func run(input: String) throws -> Outcome {
    let folder = try TemporaryFolder()
    for file in files { _ = try folder.file(file.name, file.text + "\n") }
    var bytes = Array(input.utf8)
    var outcome = Outcome()
    let stages = Self.stages(of: command, folder: folder.path)
    for (number, stage) in stages.enumerated() {
      let run = try Self.run(stage, input: bytes, feedsTool: number < stages.count - 1)
      bytes = run.output
      outcome.errors += Finished.lines(run.errors)
      outcome.status = run.status
    }
    outcome.output = String(decoding: bytes, as: UTF8.self)
    outcome.files = expected.files.map { expected in
      let name = String(expected.prefix { $0 != " " })
      let url = URL(fileURLWithPath: folder.path).appendingPathComponent(name)
      guard let held = try? String(contentsOf: url, encoding: .utf8) else { return name }
      return name + " " + held.replacingOccurrences(of: "\n", with: "\\n")
    }
    let hidden = { (text: String) in text.replacingOccurrences(of: folder.path, with: "$D") }
    outcome.output = Finished.hidingTimes(hidden(outcome.output))
    outcome.errors = outcome.errors.map(hidden)
    return outcome
  }

  /// Runs one tool, whose output goes into a pipe if it `feedsTool`.
  static func run(
    _ stage: [String], input: [UInt8], feedsTool: Bool = false
  ) throws -> (output: [UInt8], errors: String, status: Int32) {
    let settings = stage.prefix { $0.contains("=") && !$0.hasPrefix("-") }
    let pairs = settings.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    let variables = Dictionary(
      uniqueKeysWithValues: pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") })
    func run<Settings>(
      _ command: Command<Settings>
    ) throws -> (output: [UInt8], errors: String, status: Int32) {
      let arguments = stage.dropFirst(settings.count + 1)
      // The sender reads what is piped in.
      let isPiped = command.page.name != "oresp-send" && input.count < 64 << 10
      return try command.run(
        Array(arguments), input: input, environment: variables, isPiped: isPiped,
        feedsTool: feedsTool)
    }
    return switch stage.dropFirst(settings.count).first {
    case "oresp-sse": try run(SSETool.command)
    case "oresp-events": try run(EventsTool.command)
    case "oresp-text": try run(TextTool.command)
    case "oresp-send": try run(SendTool.command)
    default: ([], "", 127)
    }
  }

  /// The words of each stage, quoted by ' or " or a backslash.
  static func stages(of command: String, folder: String) -> [[String]] {
    var stages: [[String]] = [[]]
    var (word, hasWord): (String, Bool) = ("", false)
    var quote: Character?
    var rest = command[...]
    func end() {
      if hasWord { stages[stages.count - 1].append(word) }
      (word, hasWord) = ("", false)
    }
    while let letter = rest.popFirst() {
      switch letter {
      case quote: quote = nil
      case "'" where quote == nil, "\"" where quote == nil: (quote, hasWord) = (letter, true)
      case "\\" where quote != "'":
        (word, hasWord) = (word + (rest.popFirst().map { String($0) } ?? ""), true)
      case "$" where quote != "'" && rest.first == "D":
        rest.removeFirst()
        (word, hasWord) = (word + folder, true)
      case " " where quote == nil: end()
      case "|" where quote == nil:
        end()
        stages.append([])
      default: (word, hasWord) = (word + String(letter), true)
      }
    }
    end()
    return stages
  }
}
