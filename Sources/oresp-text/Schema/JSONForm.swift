import Core

/// The meaning of a JSON value, whatever its spelling, for comparing values.
enum JSONForm: Hashable, Sendable {
  /// `true`, `false` or `null`.
  case literal([UInt8])
  case number(JSONDecimal)
  case string([UInt8])
  case array([JSONForm])
  /// The members by name; of several with one name the first.
  case object([[UInt8]: JSONForm])

  /// The most levels of a value: each is a call inside a call.
  static let deepest = 100

  /// Reads `value`, a JSON value; `nil` when it has more than `levels` levels, or is broken.
  init?(_ value: Span<UInt8>, levels: Int = deepest) {
    switch SchemaType(of: value) {
    case .string: self = .string(JSONString.decoded(value))
    case .number, .integer:
      guard let number = JSONDecimal(value) else { return nil }
      self = .number(number)
    case .null, .boolean: self = .literal([UInt8](copying: value))
    case .array, .object:
      guard levels > 0 else { return nil }
      var elements: [JSONForm] = []
      var members: [[UInt8]: JSONForm] = [:]
      var children = JSONChildren()
      while let child = children.next(in: value) {
        let name = JSONString.decoded(inside: value.extracting(child.name))
        guard !children.isObject || members[name] == nil else { continue }
        guard let form = JSONForm(value.extracting(child.value), levels: levels - 1) else {
          return nil
        }
        if children.isObject { members[name] = form } else { elements.append(form) }
      }
      guard !children.isBroken else { return nil }
      self = children.isObject ? .object(members) : .array(elements)
    }
  }
}
