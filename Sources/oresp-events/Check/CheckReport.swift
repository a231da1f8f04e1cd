import Core

/// Writes findings, one a line, and counts them.
final class CheckReport {
  /// The event that findings are about.
  struct Subject {
    var place = Notice.Place(line: 0, byte: 0)
    var sequenceNumber: Int?
    var type = ""
    var responseID = ""
    var outputIndex: Int?
    /// The input, where several are read.
    var input: String?
  }

  var subject = Subject()
  private let settings: CheckSettings
  /// The lines that were not taken away yet.
  private var lines: [UInt8] = []
  /// How many findings count: those of what only should be so do not.
  private(set) var count = 0
  /// The findings by the standard's rules, those that do not count too.
  private(set) var byRule: [StandardRule: Int] = [:]

  init(_ settings: CheckSettings) { self.settings = settings }

  var level: CheckSettings.Level { settings.level }

  /// Reports that `got` came where `expected` should be, if findings of that level are asked for:
  /// those of a strict rule, and those that `isStrict` says are, are told of strictly only. By the
  /// standard all are told that it has a rule for, but where numbers do not start at 0; those of a
  /// part of an item are `ofPart`.
  func add(
    _ rule: CheckRule, _ got: String, expected: String, isStrict: Bool = false, ofPart: Bool = false
  ) {
    guard level != .openResponses else {
      guard let standard = rule.standard(ofPart: ofPart), rule != .sequenceGap || !isStrict
      else { return }
      return add(standard, got, expected: expected)
    }
    let isStrict = isStrict || rule.isStrict
    guard level == .strict || !isStrict else { return }
    count += 1
    append(rule.rawValue, got, expected, level: isStrict ? "strict" : "default", section: nil)
  }

  /// Reports that `got` came where `expected` should be by the standard.
  func add(_ rule: StandardRule, _ got: String, expected: String) {
    if rule.isMust { count += 1 }
    byRule[rule, default: 0] += 1
    append(
      rule.rawValue, got, expected, level: rule.isMust ? "must" : "should", section: rule.section)
  }

  private func append(
    _ rule: String, _ got: String, _ expected: String, level: String, section: String?
  ) {
    if settings.isJSON {
      lines += json(rule, got, expected, level, section)
    } else {
      let number = subject.sequenceNumber.map(String.init) ?? "-"
      let place = "\(subject.place.line): seq \(number)"
      let input = subject.input.map { $0.harmless + ": " } ?? ""
      let shown = level == "should" ? rule + " (should)" : rule
      let source = section.map { " [\($0)]" } ?? ""
      lines.append(
        "\(input)\(place): \(shown): \("\(got); expected \(expected)".harmless)\(source)")
    }
    lines.append(ASCII.lf)
  }

  /// Moves the lines to `output`.
  func flush(into output: inout Output) {
    guard !lines.isEmpty else { return }
    output.bytes += lines
    lines.removeAll(keepingCapacity: true)
  }

  private func json(
    _ rule: String, _ got: String, _ expected: String, _ level: String, _ section: String?
  ) -> [UInt8] {
    var members: [(name: String, value: JSONValue)] = [
      ("type", .text("oresp.finding")), ("line", .integer(subject.place.line)),
      ("byte", .integer(subject.place.byte)),
    ]
    if let input = subject.input { members.append(("input", .text(input))) }
    if let number = subject.sequenceNumber { members.append(("sequence_number", .integer(number))) }
    members += [
      ("rule", .text(rule)), ("level", .text(level)),
      ("expected", .text(expected)), ("got", .text(got)),
      ("message", .text("\(got); expected \(expected)")),
    ]
    if let section { members.append(("section", .text(section))) }
    if !subject.type.isEmpty { members.append(("event", .text(subject.type))) }
    if !subject.responseID.isEmpty { members.append(("response_id", .text(subject.responseID))) }
    if let index = subject.outputIndex { members.append(("output_index", .integer(index))) }
    return JSONValue.object(members).line
  }
}

/// What `--check` looks for; the raw value is the name in the report. The manual says what each
/// means.
package enum CheckRule: String, CaseIterable, Sendable {
  case notJSON = "not-json"
  case nameMismatch = "name-mismatch"
  case unknownType = "unknown-type"
  case missingMember = "missing-member"
  case sequenceGap = "sequence-gap"
  case sequenceRepeat = "sequence-repeat"
  case sequenceDisorder = "sequence-disorder"
  case noBeginning = "no-beginning"
  case noEnd = "no-end"
  case twoEnds = "two-ends"
  case eventAfterEnd = "event-after-end"
  case addedTwice = "added-twice"
  case addedWithoutDone = "added-without-done"
  case deltaWithoutAdded = "delta-without-added"
  case deltaAfterDone = "delta-after-done"
  case deltaWithoutDone = "delta-without-done"
  case doneWithoutAdded = "done-without-added"
  case doneWithoutDelta = "done-without-delta"
  case doneTwice = "done-twice"
  case indexGap = "index-gap"
  case textMismatch = "text-mismatch"
  case refusalMismatch = "refusal-mismatch"
  case reasoningMismatch = "reasoning-mismatch"
  case summaryMismatch = "summary-mismatch"
  case argumentsMismatch = "arguments-mismatch"
  case inputMismatch = "input-mismatch"
  case codeMismatch = "code-mismatch"
  case commandMismatch = "command-mismatch"
  case diffMismatch = "diff-mismatch"
  case itemType = "item-type"
  case itemStatus = "item-status"
  case idMismatch = "id-mismatch"
  case outputMismatch = "output-mismatch"
  case outputMissing = "output-missing"

  /// Whether it is about something that every careful reader gets over.
  package var isStrict: Bool {
    switch self {
    case .unknownType, .missingMember, .noBeginning, .deltaWithoutDone, .doneWithoutDelta,
      .idMismatch, .outputMissing:
      true
    default: false
    }
  }
}
