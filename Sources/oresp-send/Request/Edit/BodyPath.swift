import Core

/// Leads to a value in a request: names of members and places in arrays, one inside the other.
package struct BodyPath: Sendable {
  /// One step of a path.
  package enum Step: Sendable {
    case member(String)
    /// A place in an array, from 0; a negative one counts from the end, -1 being the last.
    case element(Int)
    /// Behind the last element of an array.
    case append
  }

  /// More than any request has, and few enough to walk down.
  static let mostSteps = 32

  package let steps: [Step]

  package init(_ steps: [Step]) { self.steps = steps }

  /// The path of `names`, each a member of the one before, with dots between.
  init(members names: String) { steps = names.split(separator: ".").map { .member(String($0)) } }

  func appending(_ step: Step) -> BodyPath { BodyPath(steps + [step]) }

  /// The path as it can be typed.
  package var text: String { text(of: steps.count) }

  /// The first `count` steps as they can be typed.
  func text(of count: Int) -> String {
    var text = ""
    for step in steps.prefix(count) {
      switch step {
      case .member(let name): text += (text.isEmpty ? "" : ".") + Self.typed(name)
      case .element(let index): text += "[\(index)]"
      case .append: text += "[+]"
      }
    }
    return text
  }

  private static func typed(_ name: String) -> String {
    guard name.isEmpty || name.utf8.contains(where: BodyPathParser.ends) else { return name }
    return String(decoding: JSONValue.text(name).line, as: UTF8.self)
  }
}
