package import Core

/// The body of a request: a JSON object whose members keep their order, and their values as they
/// were spelled, until a flag says otherwise.
package struct RequestBody {
  private var members: [(name: String, value: JSONValue)] = []
  /// What the marks in its values stand for.
  package var files: [BodySource] = []

  package init() {}

  /// Reads the body that was given as `text`; `name` is what people know it by.
  package init(_ text: [UInt8], name: String) throws(Failure) {
    if let fault = JSONScanner.fault(in: text.span) {
      throw .other("\(name): not JSON: \(fault)", .badInput)
    }
    guard UTF8Repair.isValid(text.span) else { throw .other("\(name): not UTF-8", .badInput) }
    guard case .object(let members) = JSONValue(object: text.span) else {
      throw .other("\(name): expected a JSON object", .badInput)
    }
    self.members = members
  }

  package func has(_ name: String) -> Bool { members.contains { $0.name == name } }

  /// Replaces the member `name` or appends it. Of a name that is there several times one stays,
  /// since servers differ in which they take.
  package mutating func set(_ name: String, _ value: JSONValue) {
    guard let first = members.firstIndex(where: { $0.name == name }) else {
      members.append((name, value))
      return
    }
    members[first].value = value
    let rest = members[(first + 1)...].filter { $0.name != name }
    members.replaceSubrange((first + 1)..., with: rest)
  }

  /// The body as one JSON text, with marks where the base64 of its files goes.
  package var bytes: [UInt8] { JSONValue.object(members).line }

  /// The body as it is sent.
  package var content: BodyContent { BodyContent(marked: bytes, files) }
}
