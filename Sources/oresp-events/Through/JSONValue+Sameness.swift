import Core

extension JSONValue {
  /// Whether two JSON values say the same: members may stand in another order, and white space
  /// between tokens may differ. Strings and numbers must be spelled alike, and so must what stands
  /// in `mostLevels` containers.
  static func areSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    // A list of what is left to compare, and no recursion: the depth comes from outside.
    var pairs = [(left, right, 0)]
    while let (left, right, level) = pairs.popLast() {
      if left == right { continue }
      guard level < mostLevels else { return false }
      switch (JSONValue(container: left.span), JSONValue(container: right.span)) {
      case (.array(let left)?, .array(let right)?) where left.count == right.count:
        for (left, right) in zip(left, right) { pairs.append((left.line, right.line, level + 1)) }
      case (.object(let left)?, .object(let right)?) where left.count == right.count:
        let values = Dictionary(
          right.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
        for member in left {
          guard let value = values[Array(member.name.utf8)] else { return false }
          pairs.append((member.value.line, value.line, level + 1))
        }
      default: return false
      }
    }
    return true
  }

  private static let mostLevels = 100
}
