package import Core

/// What is told of each state: the built-in table, or what a user's file has instead.
package struct StatusWording: Sendable {
  private var own: [StatusState: String] = [:]

  package init() {}

  /// Reads `text`, a JSON object of a text for each state, which came from the file `name`. States
  /// that it leaves out keep what they have.
  package init(_ text: [UInt8], from name: String) throws(Failure) {
    guard case .object(let members) = JSONValue(object: text.span) else {
      throw .usage("--status-text: \(name) is no JSON object")
    }
    for (key, value) in members {
      guard let state = StatusState(rawValue: key) else {
        let near = nearest(key, among: StatusState.allCases.map(\.rawValue))
        throw .usage(
          "--status-text: no state is called \(key)" + (near.map { "; did you mean \($0)?" } ?? ""))
      }
      guard case .raw(let spelled) = value, spelled.first == ASCII.quote else {
        throw .usage("--status-text: the text of \(key) is no string")
      }
      own[state] = String(decoding: JSONString.decoded(spelled.span), as: UTF8.self)
      try Self.check(own[state] ?? "", of: key)
    }
  }

  /// What is told of `state`, with a sign before it if `hasSigns` and the text is the built-in one.
  func text(of state: StatusState, _ facts: StatusFacts, hasSigns: Bool) -> String {
    if let text = own[state] { return Self.fill(text[...], facts).text }
    let (sign, text) = state.wording
    return (hasSigns ? sign + " " : "") + Self.fill(text[...], facts).text
  }

  /// `text` with what its placeholders stand for, and whether all of that is known.
  private static func fill(_ text: Substring, _ facts: StatusFacts) -> (text: String, isWhole: Bool)
  {
    var (made, isWhole, rest) = ("", true, text)
    while let letter = rest.popFirst() {
      if letter == "{", let end = rest.firstIndex(of: "}") {
        let value = facts.value(of: rest[..<end])
        made += value ?? ""
        isWhole = isWhole && value != nil
        rest = rest[rest.index(after: end)...]
      } else if letter == "[", let end = rest.firstIndex(of: "]") {
        let part = fill(rest[..<end], facts)
        if part.isWhole { made += part.text }
        rest = rest[rest.index(after: end)...]
      } else {
        made.append(letter)
      }
    }
    return (made, isWhole)
  }

  /// Refuses a placeholder in `text` that stands for nothing.
  private static func check(_ text: String, of state: String) throws(Failure) {
    for part in text.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
      let name = String(part.prefix { $0 != "}" })
      guard !StatusFacts.names.contains(name) else { continue }
      let near = nearest(name, among: StatusFacts.names)
      throw .usage(
        "--status-text: \(state): nothing is called {\(name)}"
          + (near.map { "; did you mean {\($0)}?" } ?? ""))
    }
  }
}
