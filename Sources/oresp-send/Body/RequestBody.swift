import Core

/// The body of a request: a JSON object whose members keep their order and spelling until they are
/// changed.
struct RequestBody {
  private(set) var root = JSONValue.object([])

  var members: JSONValue.Members { root.members ?? [] }

  func has(_ name: String) -> Bool { root[name] != nil }

  /// Whether there is a member `name` that is not null.
  func hasValue(_ name: String) -> Bool { root[name].map { !$0.isNull } ?? false }

  /// Whether the member `name` is `false`, or `true`.
  func isFalse(_ name: String) -> Bool { root[name]?.line == Array("false".utf8) }
  func isTrue(_ name: String) -> Bool { root[name]?.line == Array("true".utf8) }

  /// Replaces the member `name`. A new model stands first, a new input before `stream`, and any
  /// other new member last.
  mutating func set(_ name: String, _ value: JSONValue) {
    guard !has(name), let place = place(ofNew: name) else {
      root[name] = value
      return
    }
    var members = members
    members.insert((name, value), at: place)
    root = .object(members)
  }

  private func place(ofNew name: String) -> Int? {
    switch name {
    case "model": 0
    case "previous_response_id", "input", "messages": members.firstIndex { $0.name == "stream" }
    default: nil
    }
  }

  /// Replaces the member `name`, if there is one, by `others`.
  mutating func replace(_ name: String, with others: JSONValue.Members) {
    let replaced = Set(others.map(\.name)).subtracting([name])
    root = .object(
      members.filter { !replaced.contains($0.name) }
        .flatMap { member in member.name == name ? others : [member] })
  }

  /// The body as one line of JSON, as it is sent.
  var bytes: [UInt8] { root.singleLine }

  /// Sets the value at `path`, and makes the objects and arrays that are missing on the way.
  mutating func set(_ value: JSONValue, at path: BodyPath) throws(Failure) {
    guard case .member(let name)? = path.steps.first else { return }
    var member = root[name] ?? .null
    try member.set(value, at: path, below: 1)
    set(name, member)
  }

  /// Removes the value at `path`, if there is one.
  mutating func remove(at path: BodyPath) { root.remove(at: path) }

  /// Removes all members but those called `names`.
  mutating func keep(_ names: Set<String>) {
    root = .object(members.filter { names.contains($0.name) })
  }
}

extension RequestBody {
  /// The body `root`, an object.
  init(_ root: JSONValue) { self.root = root }

  /// Reads the body in `file`.
  init(_ file: FileText) throws(Failure) {
    self.init()
    try file.checkJSON()
    guard let root = JSONValue(object: file.bytes.span) else {
      let start = file.bytes.span.trimmed().lowerBound
      let isList = file.bytes.span.byte(at: start) == ASCII.openBracket
      let hint = isList ? "; a list of tools is for -t @FILE, of items for --items FILE" : ""
      throw file.fault("expected a JSON object" + hint, at: start)
    }
    self.root = root
  }

  /// Merges `other`, an object, over this body: its members replace members of the same name, and
  /// objects are merged member by member. An object with a `type` or an `id` is replaced whole.
  mutating func merge(_ other: JSONValue) throws(Failure) {
    let other = other.opened
    if members.isEmpty {
      // A body alone keeps its members as they are, even several of one name.
      root = other
      return
    }
    for (name, value) in other.members ?? [] {
      set(name, try Self.merged(root[name], value, depth: 1))
    }
  }

  private static func merged(
    _ below: JSONValue?, _ above: JSONValue, depth: Int
  ) throws(Failure) -> JSONValue {
    guard let held = below?.opened.members, let given = above.opened.members,
      !isOnePiece(held), !isOnePiece(given)
    else { return above }
    guard depth < BodyPath.mostSteps else {
      throw .other("objects deeper than \(BodyPath.mostSteps) are not merged", .usage)
    }
    var whole = JSONValue.object(held)
    for (name, value) in given {
      whole[name] = try merged(whole[name], value, depth: depth + 1)
    }
    return whole
  }

  private static func isOnePiece(_ members: JSONValue.Members) -> Bool {
    members.contains { ["type", "id"].contains($0.name) }
  }
}
