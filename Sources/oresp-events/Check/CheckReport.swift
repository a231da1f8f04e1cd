package import Core

/// The level and the form of a report of `--check`.
package struct CheckSettings: Sendable {
  package enum Level: Sendable {
    case `default`
    /// Also finds faults that a careful reader gets over.
    case strict
    /// Finds what breaks a rule of the neutral standard, and nothing else.
    case openResponses
  }

  package var level = Level.default
  /// Whether a finding is a line of JSON.
  package var isJSON = false

  package init() {}

  /// Reads `words`, a list with commas between.
  package init(_ words: String) throws(Failure) {
    for word in words.split(separator: ",", omittingEmptySubsequences: false) {
      switch word {
      case "default": level = .default
      case "strict": level = .strict
      case "openresponses": level = .openResponses
      case "json": isJSON = true
      default: throw .usage("expected default, strict, openresponses or json, got \(word)")
      }
    }
  }
}

/// Writes findings, one a line, and counts them.
struct CheckReport {
  /// The event that findings are about.
  struct Subject {
    var place = Notice.Place(line: 0, byte: 0)
    var sequenceNumber: Int?
    /// Its type, if the catalogue has it; else the name of its type, empty when it has none.
    var known: EventType?
    var name: [UInt8] = []
    var response: Response?
    var outputIndex: Int?
    /// The input, where several are read.
    var input: String?

    /// Forgets the event; its place stays.
    mutating func clear() { (known, name, outputIndex) = (nil, [], nil) }

    var type: String { known?.row.name.description ?? String(decoding: name, as: UTF8.self) }
  }

  var subject = Subject()
  /// Whether a difference between events may come from extensions.
  var hasExtensions = false
  private let settings: CheckSettings
  /// Findings that are not in the output yet.
  private var lines: [UInt8] = []
  /// The findings that count for the status: by rules that must hold.
  private(set) var count = 0
  /// All findings by their rules.
  private var byRule = [Int](repeating: 0, count: CheckRule.allCases.count)

  init(_ settings: CheckSettings) { self.settings = settings }

  var level: CheckSettings.Level { settings.level }

  /// All findings, whether they count for the status or not.
  var total: Int { byRule.reduce(0, +) }

  func count(of rule: CheckRule) -> Int { byRule[Int(rule.rawValue)] }

  /// Makes `event` the subject of findings.
  mutating func begin(_ event: borrowing Event, _ line: Span<UInt8>, _ input: String?) {
    subject.place = event.place
    subject.sequenceNumber = event.sequenceNumber(in: line)
    subject.outputIndex = event.integer(of: "output_index", in: line)
    subject.known = event.type
    subject.response = event.response
    subject.input = input
    guard event.type == nil || !subject.name.isEmpty else { return }
    let name = event.type == nil ? event.typeName : nil
    subject.name = name.map { JSONString.decoded(inside: line.extracting($0)) } ?? []
  }

  /// Reports `got`, or else the type of the event, where `expected` should be. A finding that
  /// `isStrict` is reported with `strict` only. With `openresponses` the rule of the standard is
  /// reported that is broken by it (`ofPart`: by a part of an item); but the first number is no
  /// fault there, nor a difference between events without extensions.
  mutating func add(
    _ rule: CheckRule, _ got: String? = nil, expected: String, isStrict: Bool = false,
    ofPart: Bool = false
  ) {
    let got = got ?? subject.type
    let row = rule.row
    if level == .openResponses, row.section == nil {
      guard let standard = ofPart ? row.standardOfPart : row.standard,
        rule != .sequenceGap || !isStrict, standard != .extensionHarmless || hasExtensions
      else { return }
      let others = standard == .extensionHarmless ? ", extensions left out" : ""
      return add(standard, got, expected: expected + others)
    }
    let own = isStrict ? .strict : row.level
    guard level == .strict || own != .strict else { return }
    if own != .should { count += 1 }
    byRule[Int(rule.rawValue)] += 1
    if settings.isJSON {
      lines += json(row, own, got, expected)
    } else {
      let input = subject.input.map { $0.harmless + ": " } ?? ""
      let number = subject.sequenceNumber.map(String.init) ?? "-"
      let section = row.section.map { " [\($0)]" } ?? ""
      lines.append("\(input)\(subject.place.line): seq \(number): \(row.title): ")
      lines.append("\(got.harmless); expected \(expected.harmless)\(section)")
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
    var object: JSONValue = ["type": "oresp.finding", "line": .integer(subject.place.line)]
    object["byte"] = .integer(subject.place.byte)
    object["input"] = subject.input.map(JSONValue.text)
    object["sequence_number"] = subject.sequenceNumber.map(JSONValue.integer)
    object["rule"] = .text(row.name)
    object["level"] = .text(level.rawValue)
    object["expected"] = .text(expected)
    object["got"] = .text(got)
    object["message"] = .text("\(got); expected \(expected)")
    object["section"] = row.section.map(JSONValue.text)
    if !subject.type.isEmpty { object["event"] = .text(subject.type) }
    if let id = subject.response?.id, !id.isEmpty { object["response_id"] = .string(id) }
    object["output_index"] = subject.outputIndex.map(JSONValue.integer)
    return object.line
  }
}
