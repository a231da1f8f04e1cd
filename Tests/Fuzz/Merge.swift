import Core

@testable import oresp_events

/// Streams that are dealt out to files and put together again.
enum Merge {
  static func check(_ input: FuzzInput) {
    let split = ToolCase(tool: "oresp-sse", arguments: [], input: input.bytes).run()
    let lines = split.lines.prefix(64).map(Array.init)
    guard !lines.isEmpty else { return }
    var generator = input.generator
    let files = dealt(lines, &generator)
    let whole = merge([lines]).run()
    let parts = merge(files)
    let run = parts.checkedRun(seed: input.seed)
    parts.checkLines(of: run)
    if isOneAndNumbered(lines) {
      parts.expect(run.output, text(lines), "the parts do not make the whole")
      guard run.status == whole.status else {
        fail("the status of the parts is \(run.status), that of the whole \(whole.status)", parts)
      }
    }
    checkNothingIsLost(parts, run, lines)
  }

  private static func text(_ lines: [[UInt8]]) -> [UInt8] { lines.flatMap { $0 + [ASCII.lf] } }

  private static func merge(_ files: [[[UInt8]]]) -> ToolCase {
    var tool = ToolCase(tool: "oresp-events", arguments: ["--merge"], input: [])
    for (index, lines) in files.enumerated() {
      tool.arguments.append("\(index + 1)")
      tool.files["\(index + 1)"] = text(lines)
    }
    return tool
  }

  /// `lines` in up to four files, each in order, some in two.
  private static func dealt(
    _ lines: [[UInt8]], _ generator: inout SeededGenerator
  ) -> [[[UInt8]]] {
    var files = [[[UInt8]]](repeating: [], count: Int.random(in: 1...4, using: &generator))
    let change = Int.random(in: 1...8, using: &generator)
    var file = 0
    for line in lines {
      if Int.random(in: 0..<change, using: &generator) == 0 {
        file = Int.random(in: 0..<files.count, using: &generator)
      }
      files[file].append(line)
      let other = Int.random(in: 0..<8 * files.count, using: &generator)
      if other < files.count, other != file { files[other].append(line) }
    }
    return files
  }

  /// Whether the events are of one response, from its beginning on to its end at most, and have
  /// numbers that rise.
  private static func isOneAndNumbered(_ lines: [[UInt8]]) -> Bool {
    let members = lines.map(members)
    let numbers = members.compactMap(\.sequenceNumber)
    let hasOwn = lines.contains { $0.span.contains("\"oresp\"") || $0.span.contains("oresp.") }
    return !hasOwn && members.first?.kind == .created
      && Set(members.map(\.response).filter { $0 != 0 }).count == 1
      && !members.dropFirst().contains { $0.kind == .created }
      && !members.dropLast().contains { $0.kind == .terminal }
      && numbers.count == lines.count && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }

  private static func members(_ line: [UInt8]) -> JoinKey {
    JoinKey(Event(of: line.span), line.span)
  }

  /// Every line that went in came out, and nothing else did, unless the files were refused. One with
  /// the same bytes but for its padding is the same; errors of the toolkit's own may give way.
  private static func checkNothingIsLost(_ tool: ToolCase, _ run: ToolRun, _ lines: [[UInt8]]) {
    let isRefused = run.errors.span.contains("its lines have no numbers")
    if isRefused, run.status == 3, run.output.isEmpty { return }
    let (before, after) = (Set(lines), Set(run.lines.map(Array.init)))
    if let line = after.subtracting(before).first {
      fail("made up: \(String(decoding: line, as: UTF8.self))", tool)
    }
    let marks = Set(after.map { members($0).mark })
    for line in before.subtracting(after) {
      let isOwn = line.span.contains("\"oresp\"") || line.span.contains("oresp.")
      if isOwn || marks.contains(members(line).mark) { continue }
      fail("lost: \(String(decoding: line, as: UTF8.self))", tool)
    }
  }
}
