package import Core

/// The body of a request: a JSON object whose members keep their order, and their values as they
/// were spelled, until something changes them.
package struct RequestBody {
  private var root = JSONValue.object([])
  /// What the marks in its values stand for.
  package var files: [BodySource] = []
  /// Values in it that must not be shown.
  package var secrets: [JSONValue] = []
  /// What the server may have against it.
  package var warnings: [String] = []

  package init() {}

  /// Reads the body that was given as `text`; `name` is what people know it by.
  package init(_ text: [UInt8], name: String) throws(Failure) {
    if let fault = JSONScanner.fault(in: text.span) {
      throw .other("\(name): not JSON: \(fault)", .badInput)
    }
    guard UTF8Repair.isValid(text.span) else { throw .other("\(name): not UTF-8", .badInput) }
    guard let root = JSONValue(object: text.span) else {
      throw .other("\(name): expected a JSON object", .badInput)
    }
    self.root = root
  }

  package var members: [(name: String, value: JSONValue)] { root.members ?? [] }

  package func has(_ name: String) -> Bool { root[name] != nil }

  /// Whether there is a member `name` that is not null.
  func says(_ name: String) -> Bool { root[name].map { !$0.isNull } ?? false }

  /// Whether the member `name` is `false`.
  func isFalse(_ name: String) -> Bool { root[name]?.line == Array("false".utf8) }

  /// Replaces the member `name`; a new one takes its place in `MemberOrder`. Of a name that is there
  /// several times one stays, since servers differ in which they take.
  package mutating func set(_ name: String, _ value: JSONValue) {
    var members = members
    if has(name) {
      members = JSONValue.members(members, setting: name, to: value)
    } else {
      members.insert((name, value), at: MemberOrder.place(of: name, among: members.map(\.name)))
    }
    root = .object(members)
  }

  /// The body as one JSON text, with marks where the base64 of its files goes.
  package var bytes: [UInt8] { root.line }

  /// The body as it is sent.
  package var content: BodyContent { BodyContent(marked: bytes, files) }

  /// Sets what `path` leads to, making what is missing on the way.
  mutating func set(_ value: JSONValue, at path: BodyPath) throws(Failure) {
    guard case .member(let name)? = path.steps.first else { return }
    var member = root[name] ?? .null
    try member.set(value, at: path, below: 1)
    set(name, member)
  }

  /// Takes away what `path` leads to, if it is there.
  mutating func remove(at path: BodyPath) { root.remove(at: path) }

  /// What `path` leads to.
  func value(at path: BodyPath) -> JSONValue? { root.value(at: path) }

  /// The texts of the secrets, wherever they are from, as they would be repeated by a server: they
  /// themselves, or the `value` of each in a list.
  var secretTexts: [[UInt8]] {
    (secrets + SecretMembers.all(in: self).map(\.value)).flatMap { secret in
      let list = secret.opened.elements?.compactMap { $0.opened["value"]?.string }
      return list ?? [secret.string].compactMap(\.self)
    }
  }

  /// The body as it may be shown, and the places of what is left out of it.
  package var shown: (body: RequestBody, hidden: [String]) {
    var body = self
    let lines = secrets.map(\.line)
    let hidden = SecretMembers.remove(from: &body) { lines.contains($0.line) }
    return (body, hidden)
  }
}
