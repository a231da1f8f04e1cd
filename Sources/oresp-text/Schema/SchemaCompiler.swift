import Core

/// Turns the text of a schema into a list of the schemas in it.
///
/// Schemas inside a schema wait in a list for their turn, so a schema may be nested as deep as its
/// text allows.
struct SchemaCompiler {
  private var nodes: [SchemaNode] = []
  /// The text that a schema of the list stands at.
  private var ranges: [Range<Int>] = []
  private var known: [String: Int] = [:]
  /// References that are to be resolved once all is read: which node has them, and where to.
  private var references: [(node: Int, target: String)] = []

  /// Reads `text`, one JSON value.
  mutating func compile(_ text: Span<UInt8>) throws(SchemaFault) -> [SchemaNode] {
    guard text[0] == ASCII.openBrace else { throw SchemaFault("", "a schema is an object") }
    _ = add("", 0..<text.count)
    var next = 0
    while true {
      while next < nodes.count {
        try read(next, text)
        next += 1
      }
      guard let reference = references.popLast() else { break }
      nodes[reference.node].reference = try resolve(reference.target, of: reference.node, text)
    }
    try refuseCycles()
    return nodes
  }

  /// Makes the schema known that stands at `range`; gives its place.
  private mutating func add(_ pointer: String, _ range: Range<Int>) -> Int {
    if let place = known[pointer] { return place }
    nodes.append(SchemaNode(pointer: pointer))
    ranges.append(range)
    known[pointer] = nodes.count - 1
    return nodes.count - 1
  }

  private mutating func resolve(
    _ target: String, of node: Int, _ text: Span<UInt8>
  ) throws(SchemaFault) -> Int {
    let pointer = target.hasPrefix("#") ? Self.percentDecoded(target.dropFirst()) : nil
    guard let pointer, let steps = JSONPointer.steps(pointer) else {
      throw SchemaFault(
        nodes[node].pointer + "/$ref", "\(target) is no reference within the schema (#/…)")
    }
    guard let range = JSONPointer.find(steps, in: text) else {
      throw SchemaFault(nodes[node].pointer + "/$ref", "\(target) leads to nothing")
    }
    return add(pointer, range)
  }

  /// A fragment without its percent-encoding (RFC 6901, section 6).
  private static func percentDecoded(_ fragment: Substring) -> String? {
    var decoded: [UInt8] = []
    var rest = Array(fragment.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(JSONString.hexDigit),
        let low = rest.popFirst().flatMap(JSONString.hexDigit)
      else { return nil }
      decoded.append(UInt8(high << 4 | low))
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private mutating func read(_ place: Int, _ text: Span<UInt8>) throws(SchemaFault) {
    let range = ranges[place]
    let value = text.extracting(range)
    let isFalse = value.equals("false")
    if isFalse || value.equals("true") {
      nodes[place].isNever = isFalse
      return
    }
    guard value[0] == ASCII.openBrace else {
      throw SchemaFault(nodes[place].pointer, "a schema is an object, or true or false")
    }
    var node = nodes[place]
    var members = JSONChildren()
    while let member = members.next(in: value) {
      let name = JSONString.decoded(inside: value.extracting(member.name))
      var keyword = SchemaKeyword(name, value.extracting(member.value), at: node.pointer)
      try keyword.read(into: &node)
      if let target = keyword.reference { references.append((place, target)) }
      let start = range.lowerBound + member.value.lowerBound
      for schema in keyword.schemas {
        let inner = start + schema.range.lowerBound..<start + schema.range.upperBound
        attach(schema.role, add(schema.pointer, inner), to: &node)
      }
    }
    nodes[place] = node
  }

  /// Makes `inner` known to `node`, in which it stands directly.
  private func attach(_ role: SchemaKeyword.Role, _ inner: Int, to node: inout SchemaNode) {
    switch role {
    case .property(let name): node.properties[name] = node.properties[name] ?? inner
    case .additional: node.additional = inner
    case .items: node.items = inner
    case .alternative: node.anyOf.append(inner)
    case .definition: break
    }
  }

  /// Refuses schemas that lead back to themselves before a value is taken apart: they would never
  /// come to an answer.
  private func refuseCycles() throws(SchemaFault) {
    var open = nodes.map { $0.sameValue.count }
    var users: [[Int]] = Array(repeating: [], count: nodes.count)
    for (place, node) in nodes.enumerated() {
      for next in node.sameValue { users[next].append(place) }
    }
    var done = nodes.indices.filter { open[$0] == 0 }
    while let place = done.popLast() {
      for user in users[place] {
        open[user] -= 1
        if open[user] == 0 { done.append(user) }
      }
    }
    guard var place = nodes.indices.first(where: { open[$0] > 0 }) else { return }
    // Whoever is still open leads to a cycle; so many steps on, one stands on it.
    for _ in nodes.indices { place = nodes[place].sameValue.first { open[$0] > 0 } ?? place }
    throw SchemaFault(nodes[place].pointer, "the schema refers to itself without end")
  }
}
