import Core

/// Validates one value.
struct SchemaCheck {
  private let nodes: [SchemaNode]
  /// The steps that lead to the value that is being looked at.
  private var path: [Step] = []
  /// How many schemas are being looked at inside each other.
  private var depth = 0
  /// What the alternatives of `anyOf` came to, so that none is tried twice at one place, which would
  /// double the time with every level.
  private var tried: [Trial: SchemaFault?] = [:]

  /// How deep values and references may be nested: every level is a call inside a call.
  private static let deepest = 500

  private enum Step {
    case member(Range<Int>)
    case element(Int)
  }

  private struct Trial: Hashable {
    let node: Int
    let start: Int
  }

  init(_ nodes: [SchemaNode]) { self.nodes = nodes }

  /// What keeps the value that stands at `place` in `text` from meeting the schema `index`.
  mutating func fault(
    _ index: Int, _ place: Range<Int>, in text: Span<UInt8>
  ) -> SchemaFault? {
    let node = nodes[index]
    guard depth < Self.deepest else {
      return fault("nested too deep to be validated (\(Self.deepest) levels)", in: text)
    }
    depth += 1
    defer { depth -= 1 }
    let value = text.extracting(place)
    if node.isNever { return fault("the schema allows no value here", in: text) }
    if let types = node.types, !types.contains(where: { $0.holds(for: value) }) {
      return kindFault(types, value, in: text)
    }
    for rule in node.rules {
      guard let reason = rule.reason(against: value) else { continue }
      return SchemaFault(pointer(in: text), reason, rule.isConstant ? .constant : .other)
    }
    if let reference = node.reference, let fault = fault(reference, place, in: text) {
      return fault
    }
    if !node.anyOf.isEmpty, let fault = fault(anyOf: node, place, in: text) { return fault }
    switch JSONKind(firstByte: value[0]) {
    case .object: return fault(object: node, place, in: text)
    case .array: return fault(array: node, place, in: text)
    default: return nil
    }
  }

  private func fault(_ reason: String, in text: Span<UInt8>) -> SchemaFault {
    SchemaFault(pointer(in: text), reason)
  }

  private func kindFault(
    _ types: [SchemaType], _ value: Span<UInt8>, in text: Span<UInt8>
  ) -> SchemaFault {
    let expected = types.map(\.rawValue).joined(separator: " or ")
    return SchemaFault(
      pointer(in: text), "expected \(expected), found \(SchemaRule.shown(value))",
      .type)
  }

  private func pointer(in text: Span<UInt8>) -> String {
    var pointer = ""
    for step in path {
      switch step {
      case .member(let name):
        pointer = JSONPointer.appending(
          JSONString.decoded(inside: text.extracting(name)), to: pointer)
      case .element(let index): pointer += "/\(index)"
      }
    }
    return pointer
  }

  private mutating func fault(
    object node: SchemaNode, _ place: Range<Int>, in text: Span<UInt8>
  ) -> SchemaFault? {
    guard !node.properties.isEmpty || !node.required.isEmpty || node.additional != nil else {
      return nil
    }
    var missing = node.required
    var members = JSONChildren(at: place.lowerBound)
    while let member = members.next(in: text) {
      let name = JSONString.decoded(inside: text.extracting(member.name))
      missing.removeAll { $0 == name }
      guard let next = node.properties[name] ?? node.additional else { continue }
      path.append(.member(member.name))
      defer { path.removeLast() }
      if node.properties[name] == nil, nodes[next].isNever {
        return fault("no member of this name is allowed", in: text)
      }
      if let fault = fault(next, member.value, in: text) { return fault }
    }
    guard let name = missing.first else { return nil }
    return fault("the member \"\(String(decoding: name, as: UTF8.self))\" is missing", in: text)
  }

  private mutating func fault(
    array node: SchemaNode, _ place: Range<Int>, in text: Span<UInt8>
  ) -> SchemaFault? {
    guard let items = node.items else { return nil }
    var elements = JSONChildren(at: place.lowerBound)
    var index = 0
    while let element = elements.next(in: text) {
      path.append(.element(index))
      defer { path.removeLast() }
      if let fault = fault(items, element.value, in: text) { return fault }
      index += 1
    }
    return nil
  }

  private mutating func fault(
    anyOf node: SchemaNode, _ place: Range<Int>, in text: Span<UInt8>
  ) -> SchemaFault? {
    var faults: [SchemaFault] = []
    for index in node.anyOf {
      let trial = Trial(node: index, start: place.lowerBound)
      let result: SchemaFault?
      if let known = tried[trial] {
        result = known
      } else {
        result = fault(index, place, in: text)
        tried[trial] = .some(result)
      }
      guard let result else { return nil }
      faults.append(result)
    }
    return nearest(of: faults, in: text)
  }

  /// What to tell when no alternative is met: the fault of the one that came nearest; where several
  /// fail right here alike, that of each.
  private func nearest(of faults: [SchemaFault], in text: Span<UInt8>) -> SchemaFault {
    if faults.count == 1 { return faults[0] }
    let ranks = faults.map(rank)
    let nearest = faults.indices.filter { ranks[$0] == ranks.max() }
    let first = faults[nearest[0]]
    guard nearest.count > 1, first.pointer == pointer(in: text) else {
      let standing = nearest.count == 1 ? "the nearest" : "one of the nearest"
      let place = "(alternative \(nearest[0] + 1) of anyOf, \(standing))"
      return SchemaFault(first.pointer, "\(Self.cut(first.reason)) \(place)", first.sort)
    }
    let reasons = nearest.prefix(4).map { "\($0 + 1): \(Self.cut(faults[$0].reason))" }
    let reason = "meets none of the \(faults.count) alternatives of anyOf: "
    return SchemaFault(
      first.pointer, reason + reasons.joined(separator: "; "),
      faults.allSatisfy { $0.sort == .type } ? .type : .other)
  }

  /// How far an alternative came: one of another type not at all, and a member that is to tell
  /// alternatives apart less far than what stands beside it.
  private func rank(_ fault: SchemaFault) -> Int {
    let depth = fault.pointer.utf8.count { $0 == UInt8(ascii: "/") } - path.count
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
