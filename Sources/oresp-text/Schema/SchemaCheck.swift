import Core

/// Validates one value. The pointer of a fault counts from the value that a call is about.
///
/// An element may be checked while the text around it is unknown. Behind the way `/items/3` the
/// text is `{[` and the element: the two brackets stand for the object and the array around it, of
/// which only the type is checked.
struct SchemaCheck {
  private let nodes: [SchemaNode]
  /// The steps to the value from the one that the schema describes.
  private let way: [SchemaStep]
  /// One bracket for each of the steps, and the value.
  private let text: [UInt8]
  /// The number of calls for schemas inside each other.
  private var depth = 0
  /// The results of alternatives and references: to try one twice at one place would double the
  /// time with every level.
  private var tried: [Trial: SchemaFault?] = [:]

  /// The most levels of values and references: each is a call inside a call.
  static let deepest = 500

  private struct Trial: Hashable {
    let node: Int
    let start: Int
  }

  /// A check of `value`, which is JSON, at the end of `way`.
  init(_ nodes: [SchemaNode], _ value: Span<UInt8>, behind way: [SchemaStep]) {
    (self.nodes, self.way) = (nodes, way)
    text = way.map(\.bracket) + [UInt8](copying: value.extracting(value.trimmed()))
  }

  /// The fault that keeps the value from meeting the first schema.
  mutating func fault() -> SchemaFault? { fault(0, range(behind: 0)) }

  /// The range of the value behind so many steps; on the way it is a bracket.
  private func range(behind steps: Int) -> Range<Int> {
    steps..<(steps < way.count ? steps + 1 : text.count)
  }

  /// The fault that keeps the value at `range` from meeting the schema `index`. Of a value on the
  /// way only the type is checked, and the value behind the next step.
  private mutating func fault(_ index: Int, _ range: Range<Int>) -> SchemaFault? {
    let node = nodes[index]
    guard depth < Self.deepest else {
      return SchemaFault("", "nested too deep to be validated (\(Self.deepest) levels)")
    }
    depth += 1
    defer { depth -= 1 }
    if node.isNever { return SchemaFault("", "the schema allows no value here") }
    let isOnWay = range.lowerBound < way.count
    for rule in node.rules where !isOnWay || rule.isOfType {
      if let fault = rule.fault(of: text.span.extracting(range)) { return fault }
    }
    if let reference = node.reference, let fault = trial(reference, range) { return fault }
    if let fault = fault(among: node.anyOf, of: "anyOf", range) { return fault }
    if let fault = fault(among: node.oneOf, of: "oneOf", range) { return fault }
    for index in node.allOf { if let fault = trial(index, range) { return fault } }
    if isOnWay {
      let next = self.range(behind: range.lowerBound + 1)
      return fault(behind: way[range.lowerBound], of: node, next)
    }
    if let not = node.not, trial(not, range) == nil {
      return SchemaFault("", "expected a value that does not meet the schema of not")
    }
    return node.looksInside ? fault(inside: node, range) : nil
  }

  /// The fault of a member or element of the value at `range` by the rules of `node`.
  private mutating func fault(inside node: SchemaNode, _ range: Range<Int>) -> SchemaFault? {
    let text = self.text
    var names: Set<[UInt8]> = []
    var elements = 0
    var children = JSONChildren(at: range.lowerBound)
    while let child = children.next(in: text.span) {
      var step = SchemaStep.element(elements)
      if children.isObject {
        let name = JSONString.decoded(inside: text.span.extracting(child.name))
        if !node.required.isEmpty { names.insert(name) }
        step = .member(name)
      }
      elements += 1
      if let fault = fault(behind: step, of: node, child.value) { return fault }
    }
    guard children.isObject, let name = node.required.first(where: { !names.contains($0) }) else {
      return nil
    }
    return SchemaFault("", "the member \"\(String(decoding: name, as: UTF8.self))\" is missing")
  }

  /// The fault of the value at `range`, which stands behind `step`, by the rules of `node`.
  private mutating func fault(
    behind step: SchemaStep, of node: SchemaNode, _ range: Range<Int>
  ) -> SchemaFault? {
    for next in node.schemas(behind: step) {
      let fault =
        next == node.additional && nodes[next].isNever
        ? SchemaFault("", "no member of this name is allowed") : fault(next, range)
      if let fault { return fault.behind(step.name) }
    }
    return nil
  }

  /// The fault that keeps the value at `range` from meeting the schema `index`; found once.
  private mutating func trial(_ index: Int, _ range: Range<Int>) -> SchemaFault? {
    let trial = Trial(node: index, start: range.lowerBound)
    let result = tried[trial] ?? fault(index, range)
    tried[trial] = .some(result)
    return result
  }

  /// The fault of a value at `range` that meets none of `schemas`, the alternatives of `keyword`,
  /// or several where that is `oneOf`.
  private mutating func fault(
    among schemas: [Int], of keyword: String, _ range: Range<Int>
  ) -> SchemaFault? {
    var faults: [SchemaFault] = []
    var count = 0
    for index in schemas where count == 0 || keyword == "oneOf" {
      if let fault = trial(index, range) { faults.append(fault) } else { count += 1 }
    }
    // More may allow an element, and still only one the whole.
    guard count > 1, range.lowerBound >= way.count else {
      return count > 0 || schemas.isEmpty ? nil : Self.none(of: keyword, faults)
    }
    return SchemaFault("", "meets \(count) alternatives of oneOf, not one")
  }

  /// The fault of a value that meets no alternative of `keyword`, with the first of their `faults`.
  private static func none(of keyword: String, _ faults: [SchemaFault]) -> SchemaFault {
    if faults.count == 1 { return faults[0] }
    let reasons = faults.prefix(4).enumerated().map { number, fault in
      let place = fault.pointer.isEmpty ? "" : fault.pointer + ": "
      return "\(number + 1): \(cut(place + fault.reason))"
    }
    let all = "meets none of the \(faults.count) alternatives of \(keyword): "
    return SchemaFault("", all + reasons.joined(separator: "; "))
  }

  /// The start of `reason`, which may contain the reasons of alternatives within alternatives.
  private static func cut(_ reason: String) -> String {
    reason.unicodeScalars.count > 300 ? String(reason.unicodeScalars.prefix(300)) + "…" : reason
  }
}
