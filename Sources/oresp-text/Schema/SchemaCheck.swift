import Core

/// Validates one value. The pointers of faults count from the value that is being looked at.
struct SchemaCheck {
  private let nodes: [SchemaNode]
  private let text: [UInt8]
  /// How many schemas are being looked at inside each other.
  private var depth = 0
  /// What alternatives and references came to, so that none is tried twice at one place, which
  /// would double the time with every level.
  private var tried: [Trial: SchemaFault?] = [:]

  /// How deep values and references may be nested: every level is a call inside a call.
  static let deepest = 500

  private struct Trial: Hashable {
    let node: Int
    let start: Int
  }

  /// A check of values in `text`, which is JSON.
  init(_ nodes: [SchemaNode], _ text: Span<UInt8>) {
    (self.nodes, self.text) = (nodes, [UInt8](copying: text))
  }

  /// What keeps the value that stands at `place` from meeting the schema `index`.
  mutating func fault(_ index: Int, _ place: Range<Int>) -> SchemaFault? {
    let node = nodes[index]
    guard depth < Self.deepest else {
      return SchemaFault("", "nested too deep to be validated (\(Self.deepest) levels)")
    }
    depth += 1
    defer { depth -= 1 }
    if node.isNever { return SchemaFault("", "the schema allows no value here") }
    for rule in node.rules {
      if let fault = rule.fault(of: text.span.extracting(place)) { return fault }
    }
    if let reference = node.reference, let fault = trial(reference, place) { return fault }
    if !node.anyOf.isEmpty, let fault = fault(among: node.anyOf, of: "anyOf", place) {
      return fault
    }
    if let fault = fault(oneOf: node, place) { return fault }
    for index in node.allOf { if let fault = trial(index, place) { return fault } }
    if let not = node.not, trial(not, place) == nil {
      return SchemaFault("", "expected what does not meet the schema of not")
    }
    return node.looksInside ? fault(inside: node, place) : nil
  }

  /// What keeps the members or the elements of the value at `place` from meeting `node`.
  private mutating func fault(inside node: SchemaNode, _ place: Range<Int>) -> SchemaFault? {
    let text = self.text
    var names: Set<[UInt8]> = []
    var elements = 0
    var children = JSONChildren(at: place.lowerBound)
    while let child = children.next(in: text.span) {
      let isMember = children.isObject
      let name = isMember ? JSONString.decoded(inside: text.span.extracting(child.name)) : []
      let schemas =
        isMember
        ? node.schemas(ofMember: name) : node.schema(ofElement: elements).map { [$0] } ?? []
      if isMember, !node.required.isEmpty { names.insert(name) }
      elements += 1
      let others = isMember && schemas.isEmpty ? node.additional.map { [$0] } ?? [] : []
      for next in schemas + others {
        let fault =
          !others.isEmpty && nodes[next].isNever
          ? SchemaFault("", "no member of this name is allowed") : fault(next, child.value)
        if let fault { return fault.behind(isMember ? name : Array(String(elements - 1).utf8)) }
      }
    }
    guard children.isObject, let name = node.required.first(where: { !names.contains($0) }) else {
      return nil
    }
    return SchemaFault("", "the member \"\(String(decoding: name, as: UTF8.self))\" is missing")
  }

  /// What keeps the value at `place` from meeting the schema `index`, of several that it may have
  /// to.
  private mutating func trial(_ index: Int, _ place: Range<Int>) -> SchemaFault? {
    let trial = Trial(node: index, start: place.lowerBound)
    let result = tried[trial] ?? fault(index, place)
    tried[trial] = .some(result)
    return result
  }

  private mutating func fault(
    among schemas: [Int], of keyword: String, _ place: Range<Int>
  ) -> SchemaFault? {
    var faults: [SchemaFault] = []
    for index in schemas {
      guard let fault = trial(index, place) else { return nil }
      faults.append(fault)
    }
    return Self.nearest(of: faults, keyword)
  }

  private mutating func fault(oneOf node: SchemaNode, _ place: Range<Int>) -> SchemaFault? {
    guard !node.oneOf.isEmpty else { return nil }
    var count = 0
    for index in node.oneOf where trial(index, place) == nil { count += 1 }
    guard count > 0 else { return fault(among: node.oneOf, of: "oneOf", place) }
    return count == 1 ? nil : SchemaFault("", "meets \(count) alternatives of oneOf, not one")
  }

  /// What to tell when no alternative is met: the fault of the one that came nearest; where several
  /// fail right here alike, that of each.
  private static func nearest(of faults: [SchemaFault], _ keyword: String) -> SchemaFault {
    if faults.count == 1 { return faults[0] }
    let ranks = faults.map(rank)
    let nearest = faults.indices.filter { ranks[$0] == ranks.max() }
    let first = faults[nearest[0]]
    guard nearest.count > 1, first.pointer.isEmpty else {
      let standing = nearest.count == 1 ? "the nearest" : "one of the nearest"
      let place = "(alternative \(nearest[0] + 1) of \(keyword), \(standing))"
      return SchemaFault(first.pointer, "\(cut(first.reason)) \(place)", first.sort)
    }
    let reasons = nearest.prefix(4).map { "\($0 + 1): \(cut(faults[$0].reason))" }
    let reason = "meets none of the \(faults.count) alternatives of \(keyword): "
    return SchemaFault(
      "", reason + reasons.joined(separator: "; "),
      faults.allSatisfy { $0.sort == .type } ? .type : .other)
  }

  /// How far an alternative came: one of another type not at all, and a member that is to tell
  /// alternatives apart less far than what stands beside it.
  private static func rank(_ fault: SchemaFault) -> Int {
    let depth = fault.pointer.utf8.count { $0 == UInt8(ascii: "/") }
    switch fault.sort {
    case .type: return depth == 0 ? -2 : 2 * depth
    case .constant: return 2 * depth - 2
    case .other: return 2 * depth + 1
    }
  }

  /// A reason may hold those of alternatives within alternatives, so it is bounded.
  private static func cut(_ reason: String) -> String {
    reason.unicodeScalars.count > 300 ? String(reason.unicodeScalars.prefix(300)) + "…" : reason
  }
}
