import Foundation
import ProcessSupport
import TestSupport
import Testing

@testable import Core
@testable import oresp_events

/// The rule book in `Tests/Rules`: whose each event of a small stream is, and what the modes make
/// of it.
@Suite struct RuleTests {
  @Test(arguments: ["responses", "repeats", "ends", "joins"])
  func `each event is whose the rule book says, and each mode agrees`(name: String) throws {
    let file = Repository.root.appending(path: "Tests/Rules/\(name).txt")
    let text = try String(contentsOf: file, encoding: .utf8)
    let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"
    var rows: [String] = []
    for block in text.components(separatedBy: "\n\n") {
      let written = block.trimmingCharacters(in: .newlines)
      var row = RuleRow(written)
      guard !row.inputs[0].isEmpty else {
        rows.append(written)
        continue
      }
      let run = try RuleRun(of: row)
      #expect(run.disagreements.isEmpty, "\(written)")
      run.record(in: &row)
      rows.append(row.text)
      if !isRecording { #expect(row.text == written, "this is what holds") }
    }
    let held = rows.joined(separator: "\n\n") + "\n"
    if isRecording, held != text { try Data(held.utf8).write(to: file) }
  }
}

/// What comes of the events of a row.
private struct RuleRun {
  /// For each event its slot, its step and the statuses of what is reported.
  private var events: [String] = []
  /// By their names, for those that say something.
  private var outcomes: [(name: String, outcome: String)] = []
  /// What modes make of the events that is not what their slots say.
  private(set) var disagreements: [String] = []

  private let lines: [[String]]
  /// The lines of all events, as the feed has them.
  private var all: [String]

  init(of row: RuleRow) throws {
    lines = row.inputs.map { $0.map { RuleEvent($0.name).line } }
    all = lines.flatMap { $0 }
    let joins = lines.count > 1
    if !joins {
      judge()
      try compare()
    }
    let usage = try run(["oresp-events", "--usage"])
    let status = usage.status
    if !joins {
      add("=", status == 0 ? "" : String(status))
      add("!", notices(usage.errors))
    }
    let fixed = joins ? [] : ["-R --partial", "--items", "--usage", "text"]
    let named = row.outcomes.map(\.name).filter { !"=!.?".contains($0) && !fixed.contains($0) }
    for mode in fixed + named {
      let tool = mode.hasPrefix("text") ? ["oresp-text"] : ["oresp-events", mode]
      let words = mode.split(separator: " ").map(String.init)
      let made = try run(tool.prefix(1) + (tool.count > 1 ? words : Array(words.dropFirst())))
      let shown = show(made.output, of: mode)
      let isUsual = made.status == status && !joins
      add(mode, isUsual ? shown : "\(shown.isEmpty ? "-" : shown) = \(made.status)")
    }
  }

  /// Compares with what `row` says, line by line, and writes down what differs.
  func record(in row: inout RuleRow) {
    var next = events.makeIterator()
    for input in row.inputs.indices {
      for index in row.inputs[input].indices {
        row.inputs[input][index].record(next.next() ?? row.inputs[input][index].outcome)
      }
    }
    let isNew = row.outcomes.contains { $0.name == "?" }
    row.outcomes.removeAll { $0.name == "?" }
    for (name, outcome) in outcomes {
      let isMissing = !row.outcomes.contains { $0.name == name }
      row[name].record(outcome, isNew: isNew && isMissing)
    }
    for index in row.outcomes.indices
    where !outcomes.contains(where: { $0.name == row.outcomes[index].name }) {
      row.outcomes[index].record("")
    }
  }

  private mutating func add(_ name: String, _ outcome: String) {
    if !outcome.isEmpty { outcomes.append((name, outcome)) }
  }

  /// Asks whose each event is.
  private mutating func judge() {
    var ends = OwnEnds()
    ends.passes = true
    var feed = EventFeed(sorting: .handlingAll, ends)
    var input = InputBuffer()
    var output = Output()
    var found: [(slot: Int, isFirst: Bool, step: Step)] = []
    // The number of notices before each event.
    var told: [Int] = []
    input.append(Array(all.map { $0 + "\n" }.joined().utf8).span)
    all = []
    feed.each(in: &input, isEnd: true, into: &output) { _, _, output in
      told.append(output.notices.count)
      return .open
    } _: { event, line, output in
      let slot = event.response?.number ?? 0
      let isFirst = slot > 0 && !found.contains { $0.slot == slot }
      found.append((slot, isFirst, event.step))
      all.append(String(decoding: [UInt8](copying: line), as: UTF8.self))
    }
    told.append(output.notices.count)
    feed.finish(into: &output)
    told.append(output.notices.count)
    let errors = output.notices.map { $0.kind == .error ? $0.status : nil }
    func statuses(_ range: Range<Int>) -> [String] {
      errors[range].compactMap { $0.map { String($0.rawValue) } }
    }
    for (number, event) in found.enumerated() {
      let slot = "\(event.slot)\(event.isFirst ? "*" : "")"
      let words = [slot, "\(event.step)"] + statuses(told[number]..<told[number + 1])
      events.append(words.joined(separator: " "))
    }
    add(".", statuses(told[found.count]..<told[found.count + 1]).joined(separator: " "))
  }

  /// Looks whether `--nth` gives out what the slots say.
  private mutating func compare() throws {
    let slots = events.map { $0.prefix { $0.isNumber } }
    for number in 1...(slots.compactMap { Int($0) }.max() ?? 0) + 1 {
      let run = try run(["oresp-events", "--nth=\(number)"])
      let expected = zip(slots, all).filter { $0.0 == String(number) }.map(\.1)
      let made = Finished.lines(String(decoding: run.output, as: UTF8.self))
      if made != expected { disagreements.append("--nth=\(number): \(made)") }
    }
  }

  /// Runs a tool on all inputs, without a process.
  private func run(
    _ words: [String]
  ) throws -> (output: [UInt8], errors: String, status: Int32) {
    let texts = lines.map { $0.map { $0 + "\n" }.joined() }
    guard texts.count > 1 else {
      return try CommandRow.run(words, input: Array(texts[0].utf8))
    }
    let folder = try TemporaryFolder()
    let paths = try texts.enumerated().map { try folder.file("\($0 + 1)", $1) }
    return try CommandRow.run(words + paths, input: [])
  }

  /// The notices in `errors`, each with the number of its event.
  private func notices(_ errors: String) -> String {
    let notices = Finished.lines(errors).map { line in
      let parts = line.components(separatedBy: ": ")
      let place = parts.firstIndex { $0.hasPrefix("line ") }
      guard let place else { return parts.dropFirst().joined(separator: ": ") }
      let number = parts[place].split(separator: " ")[1].dropLast()
      return "\(number): " + parts[(place + 1)...].joined(separator: ": ")
    }
    return notices.joined(separator: "; ")
  }

  /// What the mode `mode` gave out, in the words of the table.
  private func show(_ output: [UInt8], of mode: String) -> String {
    let text = String(decoding: output, as: UTF8.self)
    if mode.hasPrefix("text") {
      return text.replacing("\n", with: "/").replacing(" ", with: "_")
    }
    let lines = Finished.lines(text)
    let words: [String] =
      switch mode.prefix(7) {
      case "-R", "-R --pa", "--usage", "--stats":
        lines.map { "\(member(["response_id", "id"], $0)):\(member(["status"], $0))" }
      case "--items", "--calls":
        lines.map { $0.contains("oresp.end") ? ownEnd($0) : member(["id"], $0) }
      case "-c": lines
      default: numbers(of: lines)
      }
    return words.joined(separator: " ")
  }

  /// The numbers of the events that `lines` are; one that the tool made has its type and what it
  /// says.
  private func numbers(of lines: [String]) -> [String] {
    var left = Array(all.enumerated())
    return lines.map { line in
      if let index = left.firstIndex(where: { $0.element == line }) {
        return String(left.remove(at: index).offset + 1)
      }
      return ownEnd(line)
    }
  }

  private func ownEnd(_ line: String) -> String {
    let marks = [":" + member(["response_id"], line), "=" + member(["exit"], line)]
    return ([member(["type"], line)] + marks.filter { !$0.hasSuffix("null") }).joined()
  }

  /// The first of the members `names` that `line` has.
  private func member(_ names: [String], _ line: String) -> String {
    let parsed = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let values = names.compactMap { name in
      parsed?[name].flatMap { ($0 as? String) ?? ($0 as? Int).map { String($0) } }
    }
    return values.first ?? "null"
  }
}
