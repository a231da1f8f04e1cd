import Core

/// Validates one value. The pointers of faults count from the value that is being looked at.
struct SchemaCheck {
  private let nodes: [SchemaNode]
  private let text: [UInt8]
  /// How many schemas are being looked at inside each other.
  private var depth = 0
  /// What the alternatives of `anyOf` came to, so that none is tried twice at one place, which
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
    if let reference = node.reference, let fault = fault(reference, place) { return fault }
    if !node.anyOf.isEmpty, let fault = fault(anyOf: node, place) { return fault }
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
      let named = isMember ? node.properties[name] : node.items
      if isMember, !node.required.isEmpty { names.insert(name) }
      elements += 1
      guard let next = named ?? (isMember ? node.additional : nil) else { continue }
      let fault =
        named == nil && nodes[next].isNever
        ? SchemaFault("", "no member of this name is allowed") : fault(next, child.value)
      if let fault { return fault.behind(isMember ? name : Array(String(elements - 1).utf8)) }
    }
    guard children.isObject, let name = node.required.first(where: { !names.contains($0) }) else {
      return nil
    }
    return SchemaFault("", "the member \"\(String(decoding: name, as: UTF8.self))\" is missing")
  }

  private mutating func fault(anyOf node: SchemaNode, _ place: Range<Int>) -> SchemaFault? {
    var faults: [SchemaFault] = []
    for index in node.anyOf {
      let trial = Trial(node: index, start: place.lowerBound)
      let result = tried[trial] ?? fault(index, place)
      tried[trial] = .some(result)
      guard let result else { return nil }
      faults.append(result)
    }
    return Self.nearest(of: faults)
  }

  /// What to tell when no alternative is met: the fault of the one that came nearest; where several
  /// fail right here alike, that of each.
  private static func nearest(of faults: [SchemaFault]) -> SchemaFault {
    if faults.count == 1 { return faults[0] }
    let ranks = faults.map(rank)
    let nearest = faults.indices.filter { ranks[$0] == ranks.max() }
    let first = faults[nearest[0]]
    guard nearest.count > 1, first.pointer.isEmpty else {
      let standing = nearest.count == 1 ? "the nearest" : "one of the nearest"
      let place = "(alternative \(nearest[0] + 1) of anyOf, \(standing))"
      return SchemaFault(first.pointer, "\(cut(first.reason)) \(place)", first.sort)
    }
    let reasons = nearest.prefix(4).map { "\($0 + 1): \(cut(faults[$0].reason))" }
    let reason = "meets none of the \(faults.count) alternatives of anyOf: "
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
