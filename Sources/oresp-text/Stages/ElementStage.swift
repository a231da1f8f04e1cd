import Core

/// Prints the elements of an array in a JSON text as they close, each as one line, while the text
/// is still arriving.
///
/// With the pointer `/items`, after `{"title":"x","items":[{"n":1},{"n":` it has printed `{"n":1}`
/// and holds `{"n":`. It walks only to the array, value by value, and holds one element at most.
final class ElementStage {
  /// A container on the way to the array, or the array itself.
  private struct Level {
    let isObject: Bool
    /// The number of elements that ended.
    var count = 0
    /// Whether a member had the name in the pointer: a second one is another value.
    var isMatched = false
  }

  private enum Expected {
    case value, firstName, name, colon, firstElement, separator, end
    /// Inside a name, an element of the array, or a value that is skipped.
    case insideName, insideElement, insideOther
    /// Nothing: a fault was reported.
    case nothing
  }

  /// The pointer to the array; `nil` for the text itself, if it is an array, or else for its first
  /// member that is one.
  private var pointer: JSONPointer?
  private let schema: JSONSchema?
  private let separator: UInt8
  private var expected = Expected.value
  private var levels: [Level] = []
  /// Whether the next value is the array, or contains it.
  private var isOnWay = true
  /// The name of the last member.
  private var member: [UInt8] = []
  /// The steps to the array; `nil` until it begins.
  private var way: [SchemaStep]?
  private var hasReportedOther = false
  /// The held bytes, and how many of them were walked.
  private var text: [UInt8] = []
  private var done = 0
  private var scan = JSONScan()

  init(_ array: TextForm.Elements, _ schema: JSONSchema?, separator: UInt8) {
    (self.schema, self.separator) = (schema, separator)
    if case .at(let pointer) = array { self.pointer = pointer }
  }

  func append(_ more: Span<UInt8>, into sink: inout TextSink) {
    guard expected != .nothing else { return }
    text.append(copying: more)
    while advance(into: &sink) {}
    text.removeFirst(done)
    done = 0
  }

  /// Ends the text; another may follow.
  func end(into sink: inout TextSink) {
    switch expected {
    case .nothing: break
    case .end where way == nil: report("has no array\(atPointer)", into: &sink)
    case .end: break
    case .insideOther where levels.isEmpty && scan.canEnd:
      report("has no array\(atPointer)", into: &sink)
    default: fail("the value does not end", into: &sink)
    }
    (expected, levels, isOnWay, way, hasReportedOther) = (.value, [], true, nil, false)
    (text, done) = ([], 0)
  }

  private var atPointer: String { pointer.map { $0.text.isEmpty ? "" : " at \($0.text)" } ?? "" }

  /// Walks one token; false when it needs more bytes.
  private func advance(into sink: inout TextSink) -> Bool {
    switch expected {
    case .nothing: return false
    case .insideName, .insideElement, .insideOther: return walk(into: &sink)
    default: break
    }
    while done < text.count, ASCII.isSpace(text[done]) { done += 1 }
    guard done < text.count else { return false }
    handle(text[done], into: &sink)
    return expected != .nothing
  }

  /// Handles the first byte of a token between values.
  private func handle(_ byte: UInt8, into sink: inout TextSink) {
    switch (expected, byte) {
    case (.firstName, ASCII.closeBrace), (.firstElement, ASCII.closeBracket): close()
    case (.firstName, ASCII.quote), (.name, ASCII.quote): begin(.insideName)
    case (.colon, ASCII.colon): step(.value)
    case (.separator, ASCII.comma):
      levels[levels.count - 1].count += 1
      step(levels.last?.isObject == true ? .name : .value)
    case (.separator, ASCII.closeBrace) where levels.last?.isObject == true: close()
    case (.separator, ASCII.closeBracket) where levels.last?.isObject == false: close()
    case (.firstElement, _), (.value, _): beginValue(byte, into: &sink)
    case (.firstName, _), (.name, _): fail("expected a member's name", into: &sink)
    case (.colon, _): fail("expected a colon", into: &sink)
    case (.end, _): fail("expected nothing after the value", into: &sink)
    default:
      fail("expected a comma or \(levels.last?.isObject == true ? "}" : "]")", into: &sink)
    }
  }

  private func step(_ next: Expected) { (done, expected) = (done + 1, next) }

  private func begin(_ next: Expected) {
    scan.restart()
    expected = next
  }

  private func close() {
    levels.removeLast()
    step(levels.isEmpty ? .end : .separator)
  }

  /// Begins a value: the array, a container on the way there, an element, or another.
  private func beginValue(_ byte: UInt8, into sink: inout TextSink) {
    if let level = levels.last, !level.isObject {
      if levels.count - 1 == way?.count { return begin(.insideElement) }
      isOnWay = pointer?.steps[levels.count - 1] == Array(String(level.count).utf8)
    }
    let isArray = byte == ASCII.openBracket
    if isArray, isOnWay, isArrayHere {
      if pointer == nil, way != nil { return reportOther(into: &sink) }
      way = zip(levels, pointer?.steps ?? [member]).map { level, name in
        level.isObject ? .member(name) : .element(level.count)
      }
      levels.append(Level(isObject: false))
      return step(.firstElement)
    }
    let leadsOn = pointer.map { levels.count < $0.steps.count } ?? levels.isEmpty
    guard isOnWay, leadsOn, isArray || byte == ASCII.openBrace else { return begin(.insideOther) }
    levels.append(Level(isObject: !isArray))
    step(isArray ? .firstElement : .firstName)
  }

  private var isArrayHere: Bool { pointer.map { levels.count == $0.steps.count } ?? true }

  private func reportOther(into sink: inout TextSink) {
    if !hasReportedOther {
      let other = JSONPointer.step(member)
      report("has another array at \(other); --each=\(other) prints that", into: &sink)
    }
    hasReportedOther = true
    begin(.insideOther)
  }

  /// Walks the name, element or other value at `done`; false when its end has not come.
  private func walk(into sink: inout TextSink) -> Bool {
    let text = text
    switch scan.scan(text.span.extracting(done...)) {
    case .more:
      if expected == .insideOther {
        done += scan.position
        scan.dropWalked()
      }
      return false
    case .fault(let expected):
      fail("\(expected)", into: &sink)
      return false
    case .end:
      let end = done + scan.position
      let value = text[done..<end]
      done = end
      handle(Array(value), into: &sink)
      return true
    }
  }

  /// Handles a name, an element or another value that has ended.
  private func handle(_ value: [UInt8], into sink: inout TextSink) {
    switch expected {
    case .insideName:
      member = JSONString.decoded(value.span)
      if let pointer {
        let level = levels.count - 1
        isOnWay = !levels[level].isMatched && pointer.steps[level] == member
        levels[level].isMatched = levels[level].isMatched || isOnWay
      }
      expected = .colon
    case .insideElement:
      expected = .separator
      print(value, into: &sink)
    default: expected = levels.isEmpty ? .end : .separator
    }
  }

  private func print(_ element: [UInt8], into sink: inout TextSink) {
    let step = SchemaStep.element(levels.last?.count ?? 0)
    if let fault = schema?.fault(in: element.span, behind: (way ?? []) + [step]) {
      return report("does not meet the schema: \(fault.message())", into: &sink)
    }
    CompactJSON.append(element.span, to: &sink.bytes)
    sink.bytes.append(separator)
  }

  private func fail(_ why: String, into sink: inout TextSink) {
    report("is not JSON: \(why)", into: &sink)
    (expected, text, done) = (.nothing, [], 0)
  }

  private func report(_ why: String, into sink: inout TextSink) {
    sink.notices.append(Notice(.error, "the answer \(why)", status: .negative))
  }
}
