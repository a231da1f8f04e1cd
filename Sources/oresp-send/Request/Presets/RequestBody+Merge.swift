import Core

extension RequestBody {
  /// Puts `other` over this: its members replace those of their name. Two objects are merged member
  /// by member, unless one of them says by `type` or `id` what it is: it is then of one piece.
  mutating func merge(_ other: RequestBody) throws(Failure) {
    for (name, value) in other.members {
      let held = self.value(at: BodyPath([.member(name)]))
      set(name, try Self.merged(held, value, depth: 1))
    }
  }

  private static func merged(
    _ below: JSONValue?, _ above: JSONValue, depth: Int
  ) throws(Failure) -> JSONValue {
    guard let held = below?.opened.members, let given = above.opened.members,
      !isOnePiece(held), !isOnePiece(given)
    else { return above }
    guard depth < BodyPath.mostSteps else {
      throw .other("objects deeper than \(BodyPath.mostSteps) are not merged", .badInput)
    }
    var members = held
    for (name, value) in given {
      let inner = members.first { JSONValue.isSame($0.name, name) }?.value
      let merged = try merged(inner, value, depth: depth + 1)
      members = JSONValue.members(members, setting: name, to: merged)
    }
    return .object(members)
  }

  private static func isOnePiece(_ members: [(name: String, value: JSONValue)]) -> Bool {
    members.contains { ["type", "id"].contains($0.name) }
  }
}
