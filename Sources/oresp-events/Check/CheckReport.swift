package import Core

/// What `--check` is asked for.
package struct CheckSettings: Sendable {
  /// Whether what a careful reader gets over is found too.
  package var isStrict = false
  /// Whether the report is for machines.
  package var isJSON = false

  package init() {}

  /// Reads `words`, a list with commas between.
  package init(_ words: String) throws(Failure) {
    for word in words.split(separator: ",", omittingEmptySubsequences: false) {
      switch word {
      case "default": isStrict = false
      case "strict": isStrict = true
      case "json": isJSON = true
      default: throw .usage("expected default, strict or json, got \(word)")
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
    var type = ""
    var responseID = ""
    var outputIndex: Int?
  }

  var subject = Subject()
  private let settings: CheckSettings
  /// The lines that were not taken away yet.
  private var lines: [UInt8] = []
  private(set) var count = 0

  init(_ settings: CheckSettings) { self.settings = settings }

  var isStrict: Bool { settings.isStrict }

  /// Reports that `got` came where `expected` should be, if findings of that level are asked for:
  /// those of a strict rule, and those that `isStrict` says are, are told of strictly only.
  mutating func add(
    _ rule: CheckRule, _ got: String, expected: String, isStrict: Bool = false
  ) {
    let isStrict = isStrict || rule.isStrict
    guard settings.isStrict || !isStrict else { return }
    count += 1
    if settings.isJSON {
      lines += json(rule, got, expected, isStrict)
    } else {
      let number = subject.sequenceNumber.map(String.init) ?? "-"
      let place = "\(subject.place.line): seq \(number)"
      lines.append("\(place): \(rule.rawValue): \("\(got); expected \(expected)".harmless)")
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
    _ rule: CheckRule, _ got: String, _ expected: String, _ isStrict: Bool
  ) -> [UInt8] {
    var members: [(name: String, value: JSONValue)] = [
      ("type", .text("oresp.finding")), ("line", .integer(subject.place.line)),
      ("byte", .integer(subject.place.byte)),
    ]
    if let number = subject.sequenceNumber { members.append(("sequence_number", .integer(number))) }
    members += [
      ("rule", .text(rule.rawValue)), ("level", .text(isStrict ? "strict" : "default")),
      ("expected", .text(expected)), ("got", .text(got)),
      ("message", .text("\(got); expected \(expected)")),
    ]
    if !subject.type.isEmpty { members.append(("event", .text(subject.type))) }
    if !subject.responseID.isEmpty { members.append(("response_id", .text(subject.responseID))) }
    if let index = subject.outputIndex { members.append(("output_index", .integer(index))) }
    return JSONValue.object(members).line
  }
}
