import Core

extension JSONValue {
  typealias Members = [(name: String, value: JSONValue)]

  /// The `members` that have a value.
  static func present(_ members: [(name: String, value: JSONValue?)]) -> Members {
    members.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The value as one line of JSON. A value that was spelled on several lines loses the white space
  /// between its tokens.
  var singleLine: [UInt8] {
    let text = line
    guard text.span.endOfLine(from: 0) < text.count else { return text }
    var output: [UInt8] = []
    CompactJSON.append(text.span, to: &output)
    return output
  }

  /// Sets the value at `path`, without its first `depth` steps. Makes what is missing or null on
  /// the way, and throws `Failure.usage` for what is no object or array there.
  mutating func set(_ value: JSONValue, at path: BodyPath, below depth: Int = 0) throws(Failure) {
    guard depth < path.steps.count else {
      self = value
      return
    }
    switch path.steps[depth] {
    case .member(let name):
      guard let members = isNull ? [] : opened.members else {
        throw path.fault(depth, "is \(kind), not an object")
      }
      self = .object(members)
      var child = self[name] ?? .null
      try child.set(value, at: path, below: depth + 1)
      self[name] = child
    case .element, .append:
      guard var elements = isNull ? [] : opened.elements else {
        throw path.fault(depth, "is \(kind), not an array")
      }
      let index = try path.index(at: depth, in: elements.count)
      if index == elements.count { elements.append(.null) }
      try elements[index].set(value, at: path, below: depth + 1)
      self = .array(elements)
    }
  }

  /// The type of the value in words.
  private var kind: String {
    switch line.first {
    case ASCII.quote: "a string"
    case ASCII.openBrace: "an object"
    case ASCII.openBracket: "an array"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
    case UInt8(ascii: "n"): "null"
    default: "a number"
    }
  }

  /// Removes the value at `path`, without its first `depth` steps, if there is one.
  mutating func remove(at path: BodyPath, below depth: Int = 0) {
    guard depth < path.steps.count, let index = index(of: path.steps[depth]) else { return }
    let isLast = depth + 1 == path.steps.count
    if var members = opened.members {
      let name = members[index].name
      members[index].value.remove(at: path, below: depth + 1)
      self = .object(isLast ? members.filter { !Self.isSame($0.name, name) } : members)
    } else if var elements = opened.elements {
      elements[index].remove(at: path, below: depth + 1)
      if isLast { elements.remove(at: index) }
      self = .array(elements)
    }
  }

  func value(at path: BodyPath) -> JSONValue? {
    path.steps.reduce(Optional(self)) { value, step in
      guard let value = value?.opened, let index = value.index(of: step) else { return nil }
      return value.members?[index].value ?? value.elements?[index]
    }
  }

  /// The index of the member or element at `step`; `nil` if there is none.
  private func index(of step: BodyPath.Step) -> Int? {
    switch step {
    case .member(let name): return opened.members?.firstIndex { Self.isSame($0.name, name) }
    case .element(let place):
      guard let elements = opened.elements else { return nil }
      let index = place < 0 ? elements.count + place : place
      return elements.indices.contains(index) ? index : nil
    case .append: return nil
    }
  }

  /// The text of a string; `nil` of anything else.
  var text: String? { string.map { String(decoding: $0, as: UTF8.self) } }

  /// The members of an opened object; `nil` of anything else.
  var members: Members? { if case .object(let members) = self { members } else { nil } }

  /// The elements of an opened array; `nil` of anything else.
  var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
}

extension BodyPath {
  /// The failure of the step at `depth`.
  fileprivate func fault(_ depth: Int, _ why: String) -> Failure {
    .usage("\(text): \(text(of: depth)) \(why)")
  }

  /// The index of the step at `depth` in an array of `count` elements; `count` itself appends.
  fileprivate func index(at depth: Int, in count: Int) throws(Failure) -> Int {
    guard case .element(let place) = steps[depth] else { return count }
    let index = place < 0 ? count + place : place
    guard 0...count ~= index else {
      let size = "has \(count == 1 ? "1 element" : "\(count) elements")"
      throw fault(depth, "\(size), so there is no [\(place)]; [+] appends")
    }
    return index
  }
}
