import Core

extension JSONValue {
  typealias Members = [(name: String, value: JSONValue)]

  /// Those `members` that have a value.
  static func present(_ members: [(name: String, value: JSONValue?)]) -> Members {
    members.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The value as one line of JSON: one that was spelled on several has no white space left between
  /// its tokens.
  var singleLine: [UInt8] {
    let text = line
    guard text.span.endOfLine(from: 0) < text.count else { return text }
    var output: [UInt8] = []
    CompactJSON.append(text.span, to: &output)
    return output
  }

  /// Sets what `path`, without its first `depth` steps, leads to. What is missing on the way, or
  /// null, is made; whatever else is in the way is `Failure.usage`.
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

  /// What a person calls such a value, with its article.
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

  /// Takes away what `path`, without its first `depth` steps, leads to, if it is there.
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

  /// What `path` leads to.
  func value(at path: BodyPath) -> JSONValue? {
    path.steps.reduce(Optional(self)) { value, step in
      guard let value = value?.opened, let index = value.index(of: step) else { return nil }
      return value.members?[index].value ?? value.elements?[index]
    }
  }

  /// The place that `step` leads to among the members or elements; `nil` when nothing is there.
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

  /// What a string stands for, as a text; `nil` of anything else.
  var text: String? { string.map { String(decoding: $0, as: UTF8.self) } }

  /// The members of an object whose children are at hand; `nil` of anything else.
  var members: JSONValue.Members? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements of an array whose children are at hand; `nil` of anything else.
  var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}

extension BodyPath {
  /// Why the step at `depth` cannot be made.
  fileprivate func fault(_ depth: Int, _ why: String) -> Failure {
    .usage("\(text): \(text(of: depth)) \(why)")
  }

  /// The place that the step at `depth` means in an array of `count` elements; `count` itself is
  /// the place behind the last.
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
