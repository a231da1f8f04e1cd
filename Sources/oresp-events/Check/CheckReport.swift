import Core

/// Writes findings, one a line, and counts them.
struct CheckReport {
  /// The event that findings are about.
  struct Subject {
    var place = Notice.Place(line: 0, byte: 0)
    var sequenceNumber: Int?
    /// Its type if the catalogue knows it, else what it calls that; empty when it has none.
    var known: EventType?
    var name: [UInt8] = []
    var responseID = ""
    var outputIndex: Int?
    /// The input, where several are read.
    var input: String?

    /// Becomes that of no event.
    mutating func clear() { (known, name, outputIndex) = (nil, [], nil) }

    var isNameless: Bool { known == nil && name.isEmpty }

    var isUnparsed: Bool { known == nil && name.span.equals("oresp.unparsed") }

    var type: String { known?.row.name.description ?? String(decoding: name, as: UTF8.self) }
  }

  var subject = Subject()
  /// Whether extensions may be what a difference between events comes from.
  var hasExtensions = false
  private let settings: CheckSettings
  /// The lines that were not taken away yet.
  private var lines: [UInt8] = []
  /// How many findings count: those of what only should be so do not.
  private(set) var count = 0
  /// The findings by their rules, those that do not count too.
  private var byRule = [Int](repeating: 0, count: CheckRule.allCases.count)

  init(_ settings: CheckSettings) { self.settings = settings }

  var level: CheckSettings.Level { settings.level }

  /// All findings, those that do not count too.
  var total: Int { byRule.reduce(0, +) }

  func count(of rule: CheckRule) -> Int { byRule[Int(rule.rawValue)] }

  /// Makes `event`, of the response `id`, what findings are about.
  mutating func begin(
    _ event: borrowing Event, _ place: EventPlace, _ line: Span<UInt8>, of id: String,
    _ input: String?
  ) {
    subject.place = event.inputPlace
    (subject.sequenceNumber, subject.outputIndex) = (place.sequenceNumber, place.outputIndex)
    (subject.known, subject.responseID, subject.input) = (event.type, id, input)
    guard event.type == nil || !subject.name.isEmpty else { return }
    let name = event.type == nil ? event.typeName : nil
    subject.name = name.map { JSONString.decoded(inside: line.extracting($0)) } ?? []
  }

  /// Reports that `got` came where `expected` should be, if findings of that level are asked for:
  /// those of a strict rule, and those that `isStrict` says are, are told of strictly only. By the
  /// standard all are told that it has a rule for, but where numbers do not start at 0; those of a
  /// part of an item are `ofPart`.
  mutating func add(
    _ rule: CheckRule, _ got: String, expected: String, isStrict: Bool = false, ofPart: Bool = false
  ) {
    let row = rule.row
    if row.section != nil { return append(rule, row, got, expected) }
    guard level != .openResponses else {
      guard let standard = ofPart ? row.standardOfPart : row.standard,
        rule != .sequenceGap || !isStrict, standard != .extensionHarmless || hasExtensions
      else { return }
      let isAlone = standard == .extensionHarmless
      return append(
        standard, standard.row, got, isAlone ? expected + ", extensions left out" : expected)
    }
    guard level == .strict || !isStrict && row.level != .strict else { return }
    append(rule, row, got, expected, level: isStrict ? .strict : row.level)
  }

  private mutating func append(
    _ rule: CheckRule, _ row: CheckRule.Row, _ got: String, _ expected: String,
    level: CheckRule.Level? = nil
  ) {
    if row.level != .should { count += 1 }
    byRule[Int(rule.rawValue)] += 1
    if settings.isJSON {
      lines += json(row, level ?? row.level, got, expected)
    } else {
      if let input = subject.input { lines.append(input.harmless + ": ") }
      let number = subject.sequenceNumber.map(String.init) ?? "-"
      for part in [String(subject.place.line), ": seq ", number, ": ", row.title, ": "] {
        lines.append(part)
      }
      for part in [got.harmless, "; expected ", expected.harmless] { lines.append(part) }
      if let section = row.section { lines.append(" [\(section)]") }
    }
    lines.append(ASCII.lf)
  }

  /// Moves the lines to `output`.
  mutating func flush(into output: inout Output) {
    guard !lines.isEmpty else { return }
    output.bytes += lines
    lines.removeAll(keepingCapacity: true)
  }

  private func json(
    _ row: CheckRule.Row, _ level: CheckRule.Level, _ got: String, _ expected: String
  ) -> [UInt8] {
    var members: [(name: String, value: JSONValue)] = [
      ("type", .text("oresp.finding")), ("line", .integer(subject.place.line)),
      ("byte", .integer(subject.place.byte)),
    ]
    if let input = subject.input { members.append(("input", .text(input))) }
    if let number = subject.sequenceNumber { members.append(("sequence_number", .integer(number))) }
    members += [
      ("rule", .text(row.name)), ("level", .text(level.rawValue)),
      ("expected", .text(expected)), ("got", .text(got)),
      ("message", .text("\(got); expected \(expected)")),
    ]
    if let section = row.section { members.append(("section", .text(section))) }
    if !subject.type.isEmpty { members.append(("event", .text(subject.type))) }
    if !subject.responseID.isEmpty { members.append(("response_id", .text(subject.responseID))) }
    if let index = subject.outputIndex { members.append(("output_index", .integer(index))) }
    return JSONValue.object(members).line
  }
}
